export { createKafkaLog, KafkaLog, type KafkaLogOptions } from './kafka-log.ts';
export { type KafkaAddress, type KafkaTrouble, kafkaLimits } from './settings.ts';
export { createKafkaTopicAdmin, type KafkaTopicAdminOptions } from './topics.ts';
