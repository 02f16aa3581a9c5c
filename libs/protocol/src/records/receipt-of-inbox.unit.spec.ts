import { describe, expect, it } from '@jest/globals';
import type { InboxEffect } from '../inbox/effects.ts';
import { ada, begin, contentNumber, hashNumber, subscriptionNumber } from '../testing/index.ts';
import { receiptOf } from './receipt.ts';

const subscription = subscriptionNumber(1);
const secret = { producer: 'prod_1', key: '2026-05' };
const resume = { resume: 3, event: 'event_07', sequence: 7, task: 'task_1' };

const text = (action: string, ...effects: readonly InboxEffect[]): string =>
  new TextDecoder().decode(
    receiptOf({
      object: { kind: 'akep.inbox', id: ada },
      revision: 1,
      at: begin,
      cause: {
        kind: 'action',
        id: 'action_00000000000000000000000001',
        attempt: 1,
        agent: ada,
        action,
        binding: hashNumber(1),
        fingerprint: 'v1:x',
      },
      effects: [...effects],
    }),
  );
const read = (action: string, ...effects: readonly InboxEffect[]): unknown => JSON.parse(text(action, ...effects));

describe('a receipt of an action on an inbox', () => {
  it('[S-3] tells of a new secret by its fingerprint, and of those in whose place it comes', () => {
    const issued: InboxEffect = {
      type: 'inbox.secret-issued',
      ...secret,
      content: contentNumber(7),
      hash: hashNumber(9),
    };
    const retiring: InboxEffect = { type: 'inbox.secret-retiring', ...secret, key: '2026-04', until: begin + 1 };
    expect(read('akep.rotate-secret', issued, retiring)).toMatchObject({
      producer: 'prod_1',
      key: '2026-05',
      secretFingerprint: hashNumber(9),
      transitions: [
        { ref: '2026-05', became: 'secret-issued' },
        { ref: '2026-04', became: 'secret-retiring' },
      ],
    });
    expect(text('akep.rotate-secret', issued, retiring)).not.toContain(contentNumber(7).id);
  });

  it('[W-5] is about the new secret where the old ones are retired at once, and about the old one where that alone is', () => {
    const issued: InboxEffect = {
      type: 'inbox.secret-issued',
      ...secret,
      content: contentNumber(7),
      hash: hashNumber(9),
    };
    const retired: InboxEffect = {
      type: 'inbox.secret-retired',
      producer: 'prod_1',
      key: '2026-04',
      content: contentNumber(6),
    };
    expect(read('akep.rotate-secret', issued, retired)).toMatchObject({ key: '2026-05' });
    expect(read('akep.retire-secret', retired)).toMatchObject({ producer: 'prod_1', key: '2026-04' });
    expect(read('akep.unsubscribe', { type: 'inbox.unsubscribed', subscription }, retired)).not.toHaveProperty('key');
  });

  it('[P-2] tells a runtime what it holds: the resume, its event and task, the lease and until when', () => {
    expect(
      read('akep.claim', { type: 'inbox.resume-leased', ...resume, lease: 2, until: begin + 60_000 }),
    ).toMatchObject({ ...resume, ref: 'resumes/3', lease: 2, until: '2030-01-01T00:01:00.000Z' });
  });

  it('[P-1] tells of a wait by its task, also when an event that came first has ended it', () => {
    expect(
      read(
        'akep.wait',
        {
          type: 'inbox.wait-declared',
          task: 'task_1',
          eventTypes: ['a.b'],
          subjects: [],
          interrupts: [],
          after: 0,
        },
        { type: 'inbox.resume-queued', ...resume, how: 'waited' },
      ),
    ).toMatchObject({
      ref: 'task_1',
      task: 'task_1',
      transitions: [
        { ref: 'task_1', became: 'wait-declared' },
        { ref: 'resumes/3', became: 'resume-queued', how: 'waited' },
      ],
    });
  });

  it('[R-4] tells how far the receiver is with an event', () => {
    expect(
      read('akep.ack', { type: 'inbox.event-acknowledged', event: 'event_07', sequence: 7, status: 'applied' }),
    ).toMatchObject({ ref: 'event_07', event: 'event_07', sequence: 7, status: 'applied' });
  });
});
