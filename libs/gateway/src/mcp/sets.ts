import { type ActionCatalogue, actionCatalogue, type ReadCatalogue, readCatalogue } from '@kungfu/protocol';
import { generatedActionTools, mergedActionTools } from './action-tools.ts';
import { generatedReadTools, mergedReadTools } from './read-tools.ts';
import type { Tool } from './tool.ts';

/** The sets of tools, each under a path of its own, so that a model's context holds only what it needs. */
export type ToolSet = { readonly path: string; readonly about: string; readonly tools: readonly Tool[] };

/** Every set: the default, governance and the rest, all, and reads alone (contract.md, MCP). */
export const toolSets = (
  actions: ActionCatalogue = actionCatalogue(),
  reads: ReadCatalogue = readCatalogue(),
): readonly ToolSet[] => {
  const [reading, acting] = [mergedReadTools(reads), mergedActionTools(actions)];
  const [otherReads, otherActions] = [generatedReadTools(reads), generatedActionTools(actions)];
  return [
    { path: '/mcp', about: 'What an agent works with every day.', tools: [...reading, ...acting] },
    { path: '/mcp/x/govern', about: 'Governance and the rest.', tools: [...otherActions, ...otherReads] },
    { path: '/mcp/x/all', about: 'Everything.', tools: [...reading, ...acting, ...otherActions, ...otherReads] },
    { path: '/mcp/readonly', about: 'Reads alone.', tools: [...reading, ...otherReads] },
  ];
};
