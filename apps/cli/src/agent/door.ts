import {
  type ActionResult,
  type Done,
  Kungfu,
  NoAnswer,
  type ReadResult,
  type Refusal,
  Refused,
  StrangeAnswer,
} from '@kungfu/client';
import { Complaint } from '@kungfu/service';
import type { Command } from 'commander';

/** Options that every command of an agent has. */
export type AgentOptions = {
  readonly url: string;
  readonly json?: boolean;
  readonly plain?: boolean;
  readonly idempotencyKey?: string;
};

/** Adds the options of an agent's command. */
export const forAgent = (command: Command): Command =>
  command
    .option('--url <url>', 'interface of the agents (KUNGFU_URL)', process.env['KUNGFU_URL'] ?? 'http://127.0.0.1:4600')
    .option('--json', 'as JSON');

/** As forAgent, for a command that acts. */
export const forActing = (command: Command): Command =>
  forAgent(command)
    .option('--plain', 'only the reference, and the secret if there is one')
    .option('--idempotency-key <key>', 'the same request under the same key is done once');

const attemptsMax = 3;

/** Kungfu as the agent whose key stands in KUNGFU_KEY. Throws Complaint. */
export const agentAt = ({ url }: Pick<AgentOptions, 'url'>): Kungfu => {
  const key = process.env['KUNGFU_KEY'];
  if (key === undefined) throw new Complaint('set KUNGFU_KEY to the key of the agent');
  return new Kungfu({ url, key, attemptsMax });
};

/** The idempotency key as the client takes it. */
export const under = ({ idempotencyKey }: AgentOptions): { readonly key?: string } =>
  idempotencyKey === undefined ? {} : { key: idempotencyKey };

/** What was done. Throws Complaint with what a refusal, or the silence of the service, says. */
export const done = async (acting: () => Promise<ActionResult>): Promise<Done> => {
  const result = await explained(acting);
  if (!result.ok) throw new Complaint(told(result.refusal));
  return result;
};

/** What was found. Throws Complaint likewise. */
export const found = async <Found>(reading: () => Promise<ReadResult<never, Found> | ReadResult>): Promise<Found> => {
  const result = await explained(reading);
  if (!result.ok) throw new Complaint(told(result.refusal));
  return result.found as Found;
};

/** What the client throws, in words for people. */
export const explained = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) throw new Complaint(told(error.refusal));
    if (error instanceof NoAnswer) throw new Complaint(`${error.message}: ${causeOf(error)}${again(error)}`);
    if (error instanceof StrangeAnswer || error instanceof TypeError) throw new Complaint(error.message);
    throw error;
  }
};

const causeOf = ({ cause, message }: Error): string => (cause instanceof Error ? causeOf(cause) : message);
const again = ({ key }: NoAnswer): string =>
  key === undefined ? '' : `; whether it was done is not known: send the same again with --idempotency-key ${key}`;

const told = ({ code, detail, nextStep, errors = [] }: Refusal): string => {
  const places = errors.map(({ pointer, detail: why }) => `\n  ${pointer === '' ? '/' : pointer}: ${why}`);
  return `${code}: ${detail} (next step: ${nextStep})${places.join('')}`;
};
