import { type Limits, limits } from '@kungfu/protocol';
import { z } from 'zod';

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
/** Origins as browsers send them, comma-separated. */
const origins = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  )
  .refine((all) => all.every((one) => URL.parse(one)?.origin === one), 'is a list of origins: https://app.example');
const port = z.coerce.number().int().min(0).max(65_535);

const told = ({ path, message }: z.core.$ZodIssue): string => [...path.map(String), message].join(' ');
/** Not JSON is no set of limits. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Every setting, read from the environment once, at start. A wrong one is refused by name. */
const environment = z.object({
  /** Which log holds the truth. */
  KUNGFU_LOG: z.enum(['postgres', 'kafka']).default('postgres'),
  /** Comma-separated host:port. */
  KAFKA_BROKERS: z.string().default('localhost:9092'),
  DATABASE_URL: z.string().default('postgres://kungfu:kungfu@localhost:5432/kungfu'),
  KUNGFU_POOL_MAX: z.coerce.number().int().min(1).default(10),
  /** Partitions of the topics of each kind; fixed for ever once the topics exist. */
  KUNGFU_PARTITIONS: z.coerce.number().int().min(1).max(1024).default(8),
  /** Replicas of each Kafka topic. */
  KUNGFU_REPLICATION: z.coerce.number().int().min(1).default(1),
  KUNGFU_HOST: z.string().default('127.0.0.1'),
  KUNGFU_PORT: port.default(4600),
  /** Pages of these origins may ask the interface of the agents from a browser. */
  KUNGFU_CORS_ORIGINS: origins,
  KUNGFU_ADMIN_HOST: z.string().default('127.0.0.1'),
  KUNGFU_ADMIN_PORT: port.default(4601),
  /** Bearer token of the administration interface; without one it does not start. */
  KUNGFU_ADMIN_TOKEN: z.string().min(16).optional(),
  /** Where each service answers /health/live and /health/ready; 0 takes any free port. */
  KUNGFU_HEALTH_PORT: port.default(4610),
  /** Folder of the owners' local stores; absent: they are kept in memory and rebuilt at start. */
  KUNGFU_STORE_DIR: z.string().optional(),
  /** Issuer of JWTs that agents may sign in with besides their keys (OpenID Connect); absent: keys only. */
  KUNGFU_OIDC_ISSUER: z.url().optional(),
  /** The audience that a JWT has to name. */
  KUNGFU_OIDC_AUDIENCE: z.string().min(1).default('kungfu'),
  /** The claim of a JWT that holds the id of the agent. */
  KUNGFU_OIDC_AGENT_CLAIM: z.string().min(1).default('kungfu_agent'),
  KUNGFU_RATE_LIMITS: flag.default(true),
  /** Limits that differ from the defaults, as JSON: {"membersMax": 1000}. The same for every service of an installation. */
  KUNGFU_LIMITS: z
    .string()
    .default('{}')
    .transform((text, context): Limits => {
      const found = limits.safeParse(jsonOf(text));
      if (found.success) return found.data;
      context.issues.push({ code: 'custom', input: text, message: found.error.issues.map(told).join('; ') });
      return z.NEVER;
    }),
  /** Whether the service takes in and hands out AKEP events. Nothing but `off` is taken until it has doors. */
  KUNGFU_AKEP: z
    .literal('off')
    .default('off')
    .transform((): boolean => false),
  KUNGFU_LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
});
export type Config = Readonly<z.infer<typeof environment>>;

/** A setting is missing or wrong; the message names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the configuration. Throws ConfigError. */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const result = environment.safeParse(env);
  if (!result.success)
    throw new ConfigError(result.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '));
  return result.data;
};
