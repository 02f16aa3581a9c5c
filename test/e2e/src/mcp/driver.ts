import { randomUUID } from 'node:crypto';
import type { Client, Tool } from '@modelcontextprotocol/client';

/**
 * An agent that has forgotten everything. It has a key, and the tools that it is shown; it knows no object, no action and no tool but the
 * one that a session begins with. Everything else it does is what it is handed: `ref`, `nextStep`, `available`, the tools'
 * schemas, and what a refusal says is missing.
 */
export class Driver {
  /** What it did: next step, tool and reference. */
  readonly done: string[] = [];
  readonly #client: Client;
  #tools: readonly Tool[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  /** Until nothing is owed. Throws when it gets nowhere. */
  async recover(stepsMax: number): Promise<void> {
    this.#tools = (await this.#client.listTools()).tools;
    for (let step = 0; step < stepsMax; step++) {
      const { items } = await this.#ask('kungfu_turn', {});
      if (items.length === 0) return;
      await this.#finish(items[0]);
    }
    throw new Error(`after ${stepsMax} steps something is owed still: ${this.done.join('; ')}`);
  }

  // biome-ignore lint/suspicious/noExplicitAny: what is handed out is what it looks into
  async #finish({ ref, nextStep }: any): Promise<void> {
    const opened = await this.#ask('kungfu_open', { ref });
    const next = opened.available[0];
    if (next === undefined) throw new Error(`${nextStep} of ${ref}: nothing is available`);
    const tool = this.#toolOf(next.action);
    await this.#act(tool, next.action, { ref: next.ref, key: randomUUID() });
    this.done.push(`${nextStep}: ${tool.name} ${next.ref}`);
  }

  /** The tool whose description names the action. */
  #toolOf(action: string): Tool {
    const tool = this.#tools.find(({ description }) => new RegExp(`Does [^.]*${action}\\b`).test(description ?? ''));
    const named = this.#tools.find(({ description }) => description?.includes(action));
    if (tool === undefined && named === undefined) throw new Error(`no tool says that it does ${action}`);
    return (tool ?? named)!;
  }

  /** Calls with what the schema requires, then with what the refusal says is missing. */
  async #act(tool: Tool, action: string, given: Record<string, unknown>): Promise<void> {
    const args = { ...this.#required(tool, action), ...given };
    for (let attempt = 0; attempt < 5; attempt++) {
      const result = await this.#client.callTool({ name: tool.name, arguments: args });
      if (!result.isError) return;
      // biome-ignore lint/suspicious/noExplicitAny: a problem document
      const { code, detail, errors = [] } = result.structuredContent as any;
      if (code !== 'invalid' || errors.length === 0) throw new Error(`${tool.name} ${JSON.stringify(args)}: ${detail}`);
      for (const { pointer, alternatives = [pointer] } of errors) {
        const name = String(alternatives[0]).split('/')[1] ?? '';
        args[name] = this.#value(tool, name, action);
      }
    }
    throw new Error(`${tool.name} is refused for its arguments: ${JSON.stringify(args)}`);
  }

  #required(tool: Tool, action: string): Record<string, unknown> {
    const names = tool.inputSchema.required ?? [];
    return Object.fromEntries(names.map((name) => [name, this.#value(tool, name, action)]));
  }

  /** A value of the type that the schema asks for; of a choice, that which the action is named after. */
  #value(tool: Tool, name: string, action: string): unknown {
    const schema = (tool.inputSchema.properties?.[name] ?? {}) as { type?: string; enum?: string[] };
    if (schema.enum !== undefined) return schema.enum.find((word) => action.endsWith(word)) ?? schema.enum[0];
    return schema.type === 'string' || schema.type === undefined ? 'Done.' : schema.type === 'boolean' ? true : 1;
  }

  // biome-ignore lint/suspicious/noExplicitAny: what is handed out is what it looks into
  async #ask(name: string, args: Record<string, unknown>): Promise<any> {
    const result = await this.#client.callTool({ name, arguments: args });
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.structuredContent)}`);
    return result.structuredContent;
  }
}
