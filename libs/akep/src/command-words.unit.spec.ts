import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commandsIn, commandWords, isCommandWord } from './command-words.ts';
import { fullEvent, leastEvent, subscription, withAt } from './testing/examples.ts';

describe('a command', () => {
  it.each([
    'command',
    'commands',
    'tool_call',
    'tool_calls',
    'execute',
    'exec',
    'instruction',
    'instructions',
    'run',
    'invoke',
    'function_call',
  ])('[E-8] is a field named %s, at every place but knowledge.content', (word) => {
    for (const place of [
      '',
      '/source',
      '/subject',
      '/knowledge',
      '/routing',
      '/links',
      '/extensions',
      '/extensions/a/b/c',
    ])
      expect(commandsIn(withAt(fullEvent, `${place}/${word}`, 'x'))).toEqual([`${place}/${word}`]);
    expect(commandsIn(withAt(fullEvent, `/knowledge/content/${word}`, { [word]: 1 }))).toEqual([]);
  });
  it.each([
    'toolCall',
    'TOOL_CALL',
    'tool-call',
    'tool.call',
    'tool call',
    ' tool_call ',
    'ｔｏｏｌ_ｃａｌｌ',
    'tool\u200bcall',
    'töol_call',
    '_tool_call_',
  ])('[E-8] is one in whatever way it is written: %j', (name) => {
    expect(isCommandWord(name)).toBe(true);
  });
  it.each([
    'run_id',
    'command_center',
    'tool',
    'prompted',
    'rerun',
    'description',
    'invoker',
    '',
    '__proto__',
    'constructor',
  ])('[E-8] is not: %j', (name) => {
    expect(isCommandWord(name)).toBe(false);
  });
  it('[E-8] is found in lists', () => {
    expect(commandsIn(withAt(fullEvent, '/extensions/steps', [{ ok: 1 }, [{ run: 'x' }]]))).toEqual([
      '/extensions/steps/1/0/run',
    ]);
  });
  it('[E-8] is a name, not a value', () => {
    expect(commandsIn(withAt(fullEvent, '/knowledge/summary', 'command: execute'))).toEqual([]);
    expect(commandsIn(withAt(fullEvent, '/extensions/list', ['command', 'run']))).toEqual([]);
  });
  it('[E-8] may stand in the content of knowledge alone, not in what is called so elsewhere', () => {
    expect(commandsIn(withAt(fullEvent, '/extensions/content/run', 1))).toEqual(['/extensions/content/run']);
    expect(commandsIn(withAt(fullEvent, '/extensions/knowledge/content/run', 1))).toEqual([
      '/extensions/knowledge/content/run',
    ]);
    expect(commandsIn({ content: { run: 1 } })).toEqual(['/content/run']);
  });
  it('[E-8] is none of the words that AKEP uses itself', () => {
    for (const value of [fullEvent, leastEvent, subscription]) expect(commandsIn(value)).toEqual([]);
  });
  it('[E-8] is found however deep, and up to twenty are told', () => {
    let deep: unknown = { run: 1 };
    for (let level = 0; level < 50_000; level++) deep = level % 2 === 0 ? [deep] : { x: deep };
    expect(commandsIn({ extensions: deep })).toHaveLength(1);
    const many = { extensions: Array.from({ length: 100 }, () => ({ run: 1 })) };
    expect(commandsIn(many)).toHaveLength(20);
  });
  it('[E-8] is found wherever it is put', () => {
    const word = fc.constantFrom(...commandWords);
    const around = fc
      .object({ maxDepth: 4, key: fc.stringMatching(/^[a-z]{1,3}$/) })
      .filter((value) => commandsIn(value).length === 0);
    const wrappers = fc.array(fc.constantFrom('a', 'b', 'content', 'knowledge', '[]'), { maxLength: 6 });
    fc.assert(
      fc.property(word, around, wrappers, fc.func(fc.boolean()), (name, beside, path, isUpper) => {
        const written = [...name].map((letter) => (isUpper(letter) ? letter.toUpperCase() : letter)).join('_');
        const put = path.reduceRight<unknown>(
          (inner, step) => (step === '[]' ? [inner] : { ...beside, [step]: inner }),
          { ...beside, [written]: beside },
        );
        const isExempt = path[0] === 'knowledge' && path[1] === 'content';
        expect(commandsIn(put).length > 0).toBe(!isExempt);
      }),
    );
  });
});
