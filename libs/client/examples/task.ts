// Ada offers a Task that needs a Memory; Bob takes, delivers and is adopted. His key store lets him go on after a crash.
// KUNGFU_URL, and the keys of two agents in ADA and BOB.
import { Kungfu, NoAnswer } from '@kungfu/client';

const { KUNGFU_URL: url = 'http://127.0.0.1:4600', ADA = '', BOB = '' } = process.env;
const ada = new Kungfu({ url, key: ADA });
// In earnest: something that outlives the program, with the same three methods.
const kept = new Map<string, string>();
const bob = new Kungfu({ url, key: BOB, keys: kept });

const draft = await ada.memory.create({ content: { title: 'Draft', body: 'Tasks are new.' } });
if (!draft.ok) throw new Error(draft.refusal.detail);
const who = await bob.me();
if (!who.ok) throw new Error(who.refusal.detail);
const offered = await ada.task.create({
  content: { wanted: 'A title for the release.', criteria: 'It names what is new.' },
  requiredInputs: [draft.receipt.ref],
  audience: { restricted: [who.found.agent] },
  maxAdoptions: 1,
});
if (!offered.ok) throw new Error(offered.refusal.detail);
const task = offered.receipt.object;

const taken = await bob.task.take(task, {}, { intent: `take ${task}` });
if (!taken.ok) throw new Error(taken.refusal.detail);
const engagement = taken.receipt.ref;

// Required inputs can be read once the Task is taken.
for (const input of taken.receipt.inputs ?? []) {
  const text = await bob.content(input).text();
  console.log('input:', text.ok ? text.found : text.refusal.detail);
}

try {
  const delivery = { content: { payload: 'Kungfu 3.0: Tasks' } };
  const delivered = await bob.engagement.deliver(engagement, { delivery }, { intent: `deliver ${engagement}` });
  if (!delivered.ok) throw new Error(delivered.refusal.detail);
} catch (error) {
  // The key is kept: the same call after a restart is the same request, and does nothing twice.
  if (error instanceof NoAnswer) console.log('to be asked again:', [...kept.keys()]);
  throw error;
}

const open = await ada.open(engagement);
if (!open.ok) throw new Error(open.refusal.detail);
const judged = await ada.engagement.adopt(engagement);
console.log(judged.ok ? `adopted ${judged.receipt.ref}` : judged.refusal.detail);
