import { describe, it } from '@jest/globals';
import { ada, bob, contentNumber, memoryNumber, specFor, threadNumber } from '../testing/index.ts';
import { memoryKind } from './memory.ts';

const id = memoryNumber(1);
const { given } = specFor(memoryKind, id);
const created = { type: 'memory.created', memory: id, author: ada, content: contentNumber(1) } as const;
const updated = { type: 'memory.updated', version: 2, content: contentNumber(2) } as const;
const published = { type: 'memory.published' } as const;
const unpublished = { type: 'memory.unpublished' } as const;
const withdrawn = { type: 'memory.withdrawn' } as const;
const genesis = { author: ada, content: contentNumber(1), thread: threadNumber(1), entry: 3 };
const update = { type: 'memory.update', content: contentNumber(2) } as const;
const others = [update, { type: 'memory.publish' }, { type: 'memory.unpublish' }, { type: 'memory.withdraw' }] as const;

describe('a Memory', () => {
  it('[M-1] is created by any active agent, with version 1, private', () => {
    given()
      .when(ada, { type: 'memory.create', content: contentNumber(1) })
      .then(created);
    given(created).when(ada, { type: 'memory.unpublish' }).thenRefused('no_effect');
    given(created)
      .when(ada, { type: 'memory.create', content: contentNumber(1) })
      .thenRefused('wrong_state');
  });
  it('[A-1] takes no action of an agent that is not active', () => {
    given()
      .when(ada, { type: 'memory.create', content: contentNumber(1) }, { inactive: [ada] })
      .thenRefused('agent_inactive');
    for (const action of others)
      given(created, published)
        .when(ada, action, { inactive: [ada] })
        .thenRefused('agent_inactive');
  });
  it('[M-2] is updated, published, unpublished and withdrawn by its author', () => {
    given(created).when(ada, update).then(updated);
    given(created, updated)
      .when(ada, update)
      .then({ ...updated, version: 3 });
    given(created).when(ada, { type: 'memory.publish' }).then(published);
    given(created, published).when(ada, { type: 'memory.unpublish' }).then(unpublished);
    given(created, published).when(ada, { type: 'memory.withdraw' }).then(withdrawn);
  });
  it('[M-2] is nobody else’s to change', () => {
    for (const action of others) given(created, published).when(bob, action).thenRefused('not_permitted');
  });
  it('[M-3] takes nothing after withdrawal', () => {
    for (const action of others) given(created, published, withdrawn).when(ada, action).thenRefused('memory_withdrawn');
  });
  it('[M-5] keeps its visibility when it is updated', () => {
    given(created, published, updated).when(ada, { type: 'memory.publish' }).thenRefused('no_effect');
    given(created, updated).when(ada, { type: 'memory.unpublish' }).thenRefused('no_effect');
  });
  it('[L2-4] refuses what would change nothing', () => {
    given(created, published).when(ada, { type: 'memory.publish' }).thenRefused('no_effect');
    given(created, published, unpublished).when(ada, { type: 'memory.unpublish' }).thenRefused('no_effect');
  });
  it('[V-14] does not exist for a stranger unless it is valid and public', () => {
    for (const action of others) {
      given().when(bob, action).thenRefused('not_found');
      given(created).when(bob, action).thenRefused('not_found');
      given(created, published, unpublished).when(bob, action).thenRefused('not_found');
      given(created, published, withdrawn).when(bob, action).thenRefused('not_found');
    }
  });
  it('[M-8] born in an entry records where it came from with the first action on it', () => {
    given()
      .when(ada, { ...update, genesis })
      .then({ type: 'memory.born', genesis }, updated);
    given().when(ada, { type: 'memory.publish', genesis }).then({ type: 'memory.born', genesis }, published);
    given().when(ada, { type: 'memory.unpublish', genesis }).thenRefused('no_effect');
    given().when(bob, { type: 'memory.withdraw', genesis }).thenRefused('not_found');
    given({ type: 'memory.born', genesis }, published)
      .when(ada, { type: 'memory.publish', genesis })
      .thenRefused('no_effect');
    given({ type: 'memory.born', genesis })
      .when(ada, { ...update, genesis })
      .then(updated);
  });
  it('[A-3] is left as it is when its author is deactivated', () => {
    given(created, published).whenDeactivated(ada).then();
    given(created).dueAt(Number.MAX_SAFE_INTEGER).then();
  });
});
