export {
  type KafkaForTests,
  kafkaForTests,
  type OwnKafka,
  ownKafkaForTests,
  type SkipTests,
  whyNoOwnKafka,
} from './kafka.ts';
