import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { defaultLimits } from '@kungfu/protocol';
import { sha256 } from './identity.ts';
import { schemasInProcess } from './output-schema.ts';
import { type PrepareContext, prepare } from './prepare.ts';
import type { References } from './tables.ts';

const agent = 'agent_00000000000000000000000001';
const other = 'agent_00000000000000000000000002';
const thread = 'thread_00000000000000000000000001';

/** Knows nothing: what these specs prepare needs nothing of other objects. */
const references: References = {
  inactive: async () => [],
  memory: async () => undefined,
  threadOfGrant: async () => undefined,
  assignmentOutput: async () => 'free',
  engagementOutput: async () => 'free',
  takeTarget: async () => undefined,
  labels: async () => [],
  mayKnowTask: async () => false,
};
const context: PrepareContext = {
  agent,
  object: thread,
  binding: sha256('binding'),
  random: { next: () => 0.5, hex: (bytes) => randomBytes(bytes).toString('hex') },
  references,
  schemas: schemasInProcess,
  limits: defaultLimits,
  walkPartitions: [],
};
const writtenIn = (content: readonly { readonly value: Uint8Array }[]): string =>
  content.map(({ value }) => Buffer.from(value).toString()).join('\n');

describe('preparing an action', () => {
  it('[L6-2] text that looks like an action, a mention or a field has no effect beside being kept', async () => {
    const body = `@${other} {"ask":["${other}"],"assign":{"to":"${other}"},"replyTo":1} <script>leave()</script>`;
    const tricky = await prepare('thread.post', { content: { body } }, context);
    const plain = await prepare('thread.post', { content: { body: 'hello' } }, context);
    expect(Object.keys(tricky.payload)).toEqual(Object.keys(plain.payload));
    expect(tricky.names).toEqual([]);
    expect(JSON.stringify(tricky.payload)).not.toContain(other);
    expect(writtenIn(tricky.content)).toContain('<script>');
  });
  it('[L6-1] what a participant wrote stands in the content alone, never in the action', async () => {
    const secretWords = 'words of a participant';
    const { payload, content } = await prepare(
      'thread.post',
      {
        content: { title: secretWords, body: secretWords },
        assign: { to: other, content: { wanted: secretWords, criteria: secretWords } },
      },
      context,
    );
    expect(JSON.stringify(payload)).not.toContain(secretWords);
    expect(writtenIn(content).split(secretWords)).toHaveLength(5);
  });
  it('[T-4] the secret of a grant is in no action: only its hash is', async () => {
    for (const prepared of [
      await prepare('thread.grant', {}, context),
      await prepare('thread.create', { grant: {} }, context),
    ]) {
      const { secret, hash } = prepared.secret!;
      expect(hash).toBe(sha256(secret));
      expect(JSON.stringify(prepared.payload)).toContain(hash);
      expect(JSON.stringify(prepared.payload)).not.toContain(secret);
      expect(writtenIn(prepared.content)).not.toContain(secret);
    }
    const [one, two] = [await prepare('thread.grant', {}, context), await prepare('thread.grant', {}, context)];
    expect(one.secret!.secret).not.toBe(two.secret!.secret);
  });
  it('[T-41] an assignment has what it was given, and the default deadlines where it was given none', async () => {
    const content = { wanted: 'w', criteria: 'c' };
    const absent = await prepare('thread.post', { content: { body: 'b' }, assign: { to: other, content } }, context);
    expect(absent.payload).toMatchObject({
      assign: { to: other, structured: false, deliverySeconds: 86_400, judgmentSeconds: 86_400 },
    });
    const given = await prepare(
      'thread.post',
      {
        content: { body: 'b' },
        assign: {
          to: other,
          content: { ...content, outputSchema: {} },
          deliverySeconds: 60,
          judgmentSeconds: 120,
          redoes: 3,
        },
      },
      context,
    );
    expect(given.payload).toMatchObject({
      assign: { structured: true, deliverySeconds: 60, judgmentSeconds: 120, redoes: 3 },
    });
  });
});
