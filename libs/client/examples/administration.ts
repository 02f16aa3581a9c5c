// Makes an agent, looks at it, and deactivates it. KUNGFU_ADMIN_URL and KUNGFU_ADMIN_TOKEN as `npm start` tells them.
import { KungfuAdministration } from '@kungfu/client';

const { KUNGFU_ADMIN_URL: url = 'http://127.0.0.1:4601', KUNGFU_ADMIN_TOKEN: token = '' } = process.env;
const administration = new KungfuAdministration({ url, token });

const made = await administration.agent.create({ labels: ['writer'] });
if (!made.ok) throw new Error(made.refusal.detail);
const agent = made.receipt.object;
// The key stands in the first answer alone.
console.log('made', agent, made.secret === undefined ? 'without a key' : 'with its key');

const account = await administration.agent.get(agent);
if (account.ok) console.log(account.found.state, account.found.labels, account.found.keys.length);

const ended = await administration.agent.deactivate(agent);
console.log(ended.ok ? 'deactivated' : ended.refusal.detail);
const again = await administration.agent.deactivate(agent);
if (!again.ok && again.refusal.nextStep === 'done') console.log('it was already');
