// Ada gives Bob work in a thread; he takes and delivers it, misses the structure once, and she adopts it.
// KUNGFU_URL, and the keys of two agents in ADA and BOB.
import { type ActionName, type ActionResult, type Done, Kungfu } from '@kungfu/client';

const { KUNGFU_URL: url = 'http://127.0.0.1:4600', ADA = '', BOB = '' } = process.env;
const ada = new Kungfu({ url, key: ADA });
const bob = new Kungfu({ url, key: BOB });

/** Where a refusal is a mistake of the program. */
const accepted = async (result: Promise<ActionResult<ActionName>>): Promise<Done> => {
  const told = await result;
  if (!told.ok) throw new Error(`${told.refusal.code}: ${told.refusal.detail}`);
  return told;
};

const opened = await accepted(ada.thread.create({ grant: {} }));
const thread = opened.receipt.object;
await accepted(bob.thread.join({ secret: opened.secret ?? '' }));

const me = await bob.me();
if (!me.ok) throw new Error(me.refusal.detail);
const outputSchema = {
  type: 'object',
  required: ['lines'],
  properties: { lines: { type: 'array', minItems: 1, items: { type: 'string' } } },
};
const assign = {
  to: me.found.agent,
  content: { wanted: 'A changelog, one line a change.', criteria: 'Every change has its line.', outputSchema },
  deliverySeconds: 3_600,
};
await accepted(ada.thread.post(thread, { content: { body: 'Here it is.' }, ask: [], assign }));

for await (const { ref } of bob.opportunities()) {
  if (!ref.startsWith(thread)) continue;
  await accepted(bob.assignment.take(ref));
  const missed = await bob.assignment.deliver(ref, { delivery: { content: { payload: { lines: [] } } } });
  // The refusal says where, in the payload that was sent.
  if (!missed.ok && missed.refusal.code === 'schema_mismatch') console.log('missed at', missed.refusal.errors);
  await accepted(bob.assignment.deliver(ref, { delivery: { content: { payload: { lines: ['Threads close.'] } } } }));
}

for await (const { obligation, ref } of ada.turn()) {
  if (obligation !== 'judge' || !ref.startsWith(thread)) continue;
  const payload = await ada.content(ref, { part: 'payload' }).text();
  console.log('to judge:', payload.ok ? payload.found : payload.refusal.detail);
  const judged = await accepted(ada.assignment.adopt(ref));
  console.log('adopted', judged.receipt.ref);
}
