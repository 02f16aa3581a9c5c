import net from 'node:net';
import tls from 'node:tls';
import kafkajs, { type ISocketFactoryArgs, type Kafka, type KafkaConfig } from 'kafkajs';
import { repairRequestQueue } from './request-queue.ts';

/** How to reach the brokers. */
export type KafkaAddress = {
  /** `host:port` of some of them; the others are learnt from these. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly ssl?: KafkaConfig['ssl'];
  readonly sasl?: KafkaConfig['sasl'];
};

/** What went wrong underneath and is being mended; nothing of it needs an answer. Must not throw. */
export type KafkaTrouble = {
  readonly what:
    | 'consumer replaced'
    | 'consumer not closed'
    | 'offsets unknown'
    | 'partition sought again'
    | 'producer not closed'
    | 'log not closed';
  readonly reason: unknown;
};

/** Every limit of this adapter. Milliseconds, bytes and counts as the names say. */
export const kafkaLimits = {
  connectMs: 2_000,
  /** A request without an answer after so long has failed. */
  requestMs: 5_000,
  /** kafkajs may repeat connecting and looking up within so long, before the consumer is replaced or an error thrown. */
  retryMsMax: 500,
  metadataAgeMsMax: 5_000,
  sessionMs: 60_000,
  rebalanceMs: 5_000,
  heartbeatMs: 3_000,
  fetchWaitMs: 250,
  /** For reading without following: a seek waits for the fetch in flight. */
  readWaitMs: 20,
  fetchBytesPerPartition: 524_288,
  /** A consumer none of whose fetches has ended for so long is replaced. */
  silenceMsMax: 3_000,
  /** A consumer that has not begun to fetch after so long is replaced. */
  startMsMax: 15_000,
  watchMs: 500,
  /** How often what was read is compared with what the log holds. */
  auditMs: 5_000,
  replaceMsMin: 100,
  replaceMsMax: 1_000,
  /** A partition waits with fetching when so much has not been polled, until it is down to half. */
  queuedBytesMax: 4_194_304,
  consumersMax: 32,
  idleConsumerMs: 30_000,
  idleReadConsumerMs: 5_000,
  readMs: 10_000,
  closeMs: 10_000,
  /** For all brokers to have heard of a new topic. */
  topicMs: 10_000,
  /** max.message.bytes of every topic: bounds the records of one append in one partition. */
  messageBytesMax: 4_194_304,
} as const;

/** Stated in full: kafkajs has other defaults when NODE_ENV is `test`. */
export const retry = {
  maxRetryTime: kafkaLimits.retryMsMax,
  initialRetryTime: 100,
  factor: 0.2,
  multiplier: 2,
  retries: 5,
} as const;

/** An error of kafkajs's own log: its text and what it concerns. */
export type KafkajsLogEntry = { readonly message: string; readonly topic?: unknown; readonly partition?: unknown };

/** A kafkajs client. Its log goes to `heard`, errors only, instead of the console. */
export const clientFor = (address: KafkaAddress, heard: (entry: KafkajsLogEntry) => void = () => {}): Kafka => {
  repairRequestQueue();
  return new kafkajs.Kafka({
    brokers: [...address.brokers],
    clientId: address.clientId,
    connectionTimeout: kafkaLimits.connectMs,
    requestTimeout: kafkaLimits.requestMs,
    enforceRequestTimeout: true,
    retry,
    socketFactory,
    logLevel: kafkajs.logLevel.ERROR,
    logCreator: () => (entry) => heard(entry.log),
    ...(address.ssl === undefined ? {} : { ssl: address.ssl }),
    ...(address.sasl === undefined ? {} : { sasl: address.sasl }),
  });
};

/** As kafkajs's own, but without waiting for more bytes to send: that cost up to 40 ms a request. */
const socketFactory = ({ host, port, ssl, onConnect }: ISocketFactoryArgs): net.Socket => {
  const servername = net.isIP(host) === 0 ? { servername: host } : {};
  const socket = ssl
    ? tls.connect({ host, port, ...servername, ...ssl }, onConnect)
    : net.connect({ host, port }, onConnect);
  return socket.setNoDelay(true).setKeepAlive(true, 60_000);
};
