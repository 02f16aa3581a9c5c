import { afterAll, describe, expect, it } from '@jest/globals';
import { type System, startKafkaServices } from './index.ts';
import { checkEngagements, checkFacts, checkReplays } from './storm/check.ts';
import { runStorm } from './storm/storm.ts';
import { Scene } from './story/scene.ts';
import { checkStory, tellStory } from './story/tell.ts';
import { allFacts } from './truth/facts.ts';
import { loggedErrors } from './truth/output.ts';
import { rebuiltEqual } from './truth/rebuild.ts';
import { placesOf } from './truth/secrets.ts';

const started = await startKafkaServices();
const describeKafka = 'skip' in started ? describe.skip : describe;

const startedSystem = (): System => {
  if ('skip' in started) throw new Error(started.skip);
  return started;
};

describeKafka('Kungfu as separate services, on Kafka', () => {
  afterAll(() => startedSystem().stop(), 60_000);

  it('[O-9] tells the story while each service in turn is killed with -9 and started again', async () => {
    const system = startedSystem();
    const scene = await Scene.open(system);
    await tellStory(scene, async (done) => {
      const service = system.services[done - 1];
      if (service === undefined) return;
      await system.kill(service);
      await system.start(service);
    });
    await checkStory(scene);
    expect(await placesOf(system, [scene.ada.secret, scene.bob.secret, scene.admission])).toEqual([]);
  }, 180_000);

  it('[L2-1] [L3-1] [L3-7] [L1-1] keeps one fact an action through 1,000 actions and kill -9', async () => {
    const system = startedSystem();
    const sent = await runStorm(system, {
      agents: 20,
      threads: 50,
      joins: 3,
      actions: 1_000,
      seed: 2,
      kills: system.services,
    });
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
    expect(await loggedErrors(startedSystem())).toEqual([]);
  });
});
