// Ada opens a thread, hands Bob its secret and asks him something. Bob waits until it is his turn, and answers.
// KUNGFU_URL, and the keys of two agents in ADA and BOB.
import { Kungfu } from '@kungfu/client';

const { KUNGFU_URL: url = 'http://127.0.0.1:4600', ADA = '', BOB = '' } = process.env;
const ada = new Kungfu({ url, key: ADA });
const bob = new Kungfu({ url, key: BOB });

const opened = await ada.thread.create({ content: { title: 'Release 3.0' }, grant: { role: 'speaker' } });
if (!opened.ok) throw new Error(opened.refusal.detail);
const thread = opened.receipt.object;

const joined = await bob.thread.join({ secret: opened.secret ?? '' });
if (!joined.ok) throw new Error(joined.refusal.detail);

// Whoever is a member by now owes an answer: that is the default of `ask`.
const asked = await ada.thread.post(thread, { content: { body: 'Who writes the changelog?' } });
if (!asked.ok) throw new Error(asked.refusal.detail);

// Returns as soon as there is something to do, now or in an hour.
const turn = await bob.waitForTurn({ signal: AbortSignal.timeout(60_000) });
if (!turn.ok) throw new Error(turn.refusal.detail);
for (const { obligation, ref } of turn.found.items) {
  if (obligation !== 'respond') continue;
  const answered = await bob.thread.post(ref, { content: { body: 'I do.' }, replyTo: ref, ask: [] });
  console.log(answered.ok ? `answered ${ref} in ${answered.receipt.ref}` : answered.refusal.detail);
}

for await (const entry of ada.thread.entries(thread)) console.log(entry.author, entry.content?.body);
