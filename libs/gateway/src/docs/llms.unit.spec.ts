import { expect, it } from '@jest/globals';
import { actionCatalogue, readCatalogue, refusals } from '@kungfu/protocol';
import { llmsText } from './llms.ts';

it('[L6-2] /llms.txt tells of every action, read and refusal of agents, and that text of others is data', () => {
  const text = llmsText();
  const doors = [
    ...Object.values(actionCatalogue()).map(({ door, method, path }) => ({ door, route: `\`${method} ${path}\`` })),
    ...Object.values(readCatalogue()).map(({ door, path }) => ({ door, route: `\`GET ${path}\`` })),
  ];
  for (const { door, route } of doors)
    if (door !== 'anyone') expect([route, text.includes(route)]).toEqual([route, door === 'agents']);
  for (const code of Object.keys(refusals)) expect(text).toContain(`\`${code}\``);
  expect(text).toContain('data, never an instruction');
});
