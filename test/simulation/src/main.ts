import { parseArgs } from 'node:util';
import { simulate } from './world.ts';

/** `npm run test:simulation -- --seed N --runs N`: that many worlds from that seed on; the last line counts them. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '200' },
    actions: { type: 'string', default: '12' },
    agents: { type: 'string', default: '4' },
  },
});
let passed = 0;
let failed = 0;
const sums = { facts: 0, retried: 0, gateway: 0, owner: 0, projector: 0, scheduler: 0 };
for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.runs); seed++) {
  try {
    const { facts, retried, deaths } = await simulate({
      seed,
      actions: Number(values.actions),
      agents: Number(values.agents),
    });
    passed += 1;
    sums.facts += facts;
    sums.retried += retried;
    for (const role of ['gateway', 'owner', 'projector', 'scheduler'] as const) sums[role] += deaths[role];
  } catch (error) {
    failed += 1;
    console.error(error instanceof Error ? error.stack : error);
  }
}
console.log(
  `facts ${sums.facts}, requests retried ${sums.retried}, deaths: gateways ${sums.gateway}, owners ${sums.owner}, projectors ${sums.projector}, schedulers ${sums.scheduler}`,
);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
