export { type KafkaForTests, kafkaForTests, type OwnKafka, ownKafkaForTests, type SkipTests } from './kafka.ts';
