import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type System, startStandalone } from './index.ts';
import { checkEngagements, checkFacts, checkReplays } from './storm/check.ts';
import { runStorm } from './storm/storm.ts';
import { Scene } from './story/scene.ts';
import { checkStory, tellStory } from './story/tell.ts';
import { allFacts } from './truth/facts.ts';
import { loggedErrors } from './truth/output.ts';
import { rebuiltEqual } from './truth/rebuild.ts';
import { placesOf } from './truth/secrets.ts';

const startMsMax = 120_000;

describe('Kungfu in one process, on the Postgres log', () => {
  let system: System;
  beforeAll(async () => {
    system = await startStandalone();
  }, startMsMax);
  afterAll(() => system?.stop(), startMsMax);

  it('[O-9] tells the story, and all of it survives kill -9', async () => {
    const scene = await Scene.open(system);
    await tellStory(scene);
    await system.kill('standalone');
    await system.start('standalone');
    await checkStory(scene);
    expect(await placesOf(system, [scene.ada.secret, scene.bob.secret, scene.admission])).toEqual([]);
  }, 120_000);

  it('[O-9] tells the story over kill -9 in the middle of it', async () => {
    const scene = await Scene.open(system);
    await tellStory(scene, async (done) => {
      if (![4, 7, 18].includes(done)) return;
      await system.kill('standalone');
      await system.start('standalone');
    });
    await checkStory(scene);
  }, 120_000);

  it('[L2-1] [L3-1] [L3-7] [L1-1] [L5-2] [K-15] keeps one fact an action through 1,000 actions and kill -9', async () => {
    const kills = ['standalone', 'standalone', 'standalone'];
    const sent = await runStorm(system, { agents: 20, threads: 50, joins: 3, actions: 1_000, seed: 1, kills });
    expect(sent.length).toBeGreaterThanOrEqual(1_000);
    const log = await system.openLog();
    const facts = await allFacts(log);
    checkFacts(facts, sent);
    checkEngagements(facts, 2);
    await log.close();
    await checkReplays(sent);
    await rebuiltEqual(system);
  }, 180_000);

  it('logs no error in all of this', async () => {
    expect(await loggedErrors(system)).toEqual([]);
  });
});
