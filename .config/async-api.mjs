import { z } from 'zod';
import {
  akepKinds,
  actionsTopic,
  claim,
  contentTopic,
  decided,
  fact,
  factsTopic,
  input,
  kinds,
  topicSettings,
} from '../libs/protocol/dist/index.js';

const settings = new Map(topicSettings({ partitions: 1, akep: true }).map((setting) => [setting.topic, setting]));

const schema = (type, description) => {
  const { $schema: _, ...rest } = z.toJSONSchema(type, { unrepresentable: 'any' });
  return { description, ...rest };
};

const channel = (topic, description, messages) => {
  const { time, retentionMs, compacted } = settings.get(topic);
  const topicConfiguration = { 'cleanup.policy': [compacted ? 'compact' : 'delete'], 'retention.ms': retentionMs };
  return [
    topic,
    {
      address: topic,
      description: `${description} Record time: ${time}.`,
      messages: Object.fromEntries(messages.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      bindings: { kafka: { topic, topicConfiguration, bindingVersion: '0.5.0' } },
    },
  ];
};

const message = (name, payload, key, headers) => ({
  name,
  contentType: 'application/json',
  payload: { $ref: `#/components/schemas/${payload}` },
  ...(headers === undefined ? {} : { headers: { $ref: `#/components/schemas/${headers}` } }),
  bindings: { kafka: { key: { type: 'string', description: key }, bindingVersion: '0.5.0' } },
});

const headers = {
  type: 'object',
  description:
    'CloudEvents 1.0 in Kafka binary mode, and what tells whether a record counts: it does if kf_epoch is the nonce of the latest claim and kf_n follows the last that counted.',
  properties: Object.fromEntries(
    [
      'ce_specversion',
      'ce_id',
      'ce_source',
      'ce_type',
      'ce_subject',
      'ce_time',
      'content-type',
      'kf_epoch',
      'kf_n',
    ].map((name) => [name, { type: 'string' }]),
  ),
  required: ['ce_specversion', 'ce_id', 'ce_source', 'ce_type', 'ce_time', 'content-type', 'kf_epoch'],
};

const content = {
  description: 'What a participant wrote. A null value: erased.',
  type: 'object',
  properties: { salt: { type: 'string' }, content: {} },
  required: ['salt', 'content'],
};

/** The topics and the JSON Schemas of all their records as an AsyncAPI 3.0 document (engine.md §2). */
export const asyncApiDocument = () => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Kungfu',
    version: '1.0',
    description:
      'The topics of Kungfu: actions to be decided, the facts that are the only truth, and what participants wrote. Those of AKEP are there only where it is on.',
  },
  defaultContentType: 'application/json',
  channels: Object.fromEntries([
    ...[...kinds, ...akepKinds].flatMap((kind) => [
      channel(actionsTopic(kind), `What is to be decided on objects of the kind ${kind}.`, ['input']),
      channel(factsTopic(kind), `What was decided on objects of the kind ${kind}: kept for ever.`, [
        'fact',
        'claim',
        'decided',
      ]),
    ]),
    channel(contentTopic, 'What participants wrote; facts refer to it by id, length and salted hash.', ['content']),
  ]),
  components: {
    messages: {
      input: message('input', 'input', 'object id'),
      fact: message('fact', 'fact', 'object id', 'headers'),
      claim: message('claim', 'claim', '-', 'headers'),
      decided: message('decided', 'decided', '-', 'headers'),
      content: message('content', 'content', 'content id'),
    },
    schemas: {
      headers,
      input: schema(input, 'An action, a deadline, a step of an account walk or a fence, to be decided.'),
      fact: schema(
        fact,
        'One accepted action, deadline or account change with all its effects. Times: milliseconds since the epoch.',
      ),
      claim: schema(claim, 'The first record of an owner; its nonce is the epoch of all that follow.'),
      decided: schema(decided, 'The last record of a batch: how far the inputs are decided, and which were refused.'),
      content,
    },
  },
});
