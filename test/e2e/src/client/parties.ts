import { type ActionName, type ActionResult, type Done, Kungfu, KungfuAdministration } from '@kungfu/client';
import type { System } from '../index.ts';

export type Party = { readonly id: string; readonly secret: string; readonly kungfu: Kungfu };

export const administrationOf = (system: System): KungfuAdministration =>
  new KungfuAdministration({ url: system.administration.origin, token: system.adminToken });

/** An agent with a client of its own, made through the administration's client. */
export const makeParty = async (
  system: System,
  options: { readonly keys?: Map<string, string> } = {},
): Promise<Party> => {
  const { receipt, secret } = await accepted(administrationOf(system).agent.create());
  if (secret === undefined) throw new Error('a new agent comes with a key');
  return { id: receipt.object, secret, kungfu: new Kungfu({ url: system.anyone.origin, key: secret, ...options }) };
};

/** The success of an action; throws what it was refused for. */
export const accepted = async (result: Promise<ActionResult<ActionName>>): Promise<Done> => {
  const told = await result;
  if (!told.ok) throw new Error(`${told.refusal.code}: ${told.refusal.detail}`);
  return told;
};

/** What a read found; throws what it was refused for. */
export const found = async <Found>(
  result: Promise<
    { readonly ok: true; readonly found: Found } | { readonly ok: false; readonly refusal: { code: string } }
  >,
): Promise<Found> => {
  const told = await result;
  if (!told.ok) throw new Error(`refused: ${told.refusal.code}`);
  return told.found;
};

/** Every item of a list. */
export const all = async <Item>(list: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
};
