import type { Clock, Log, Random, Timers } from '@kungfu/log-port';
import {
  type ActionCatalogue,
  actionCatalogue,
  actionsTopic,
  type KindName,
  kindsWith,
  type Limits,
  type ReadCatalogue,
  readCatalogue,
  type WalkPartition,
} from '@kungfu/protocol';
import type { Config, Loop } from '@kungfu/service';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { WalkedPipeline } from './admin/walked-pipeline.ts';
import { Keys } from './auth/keys.ts';
import { OidcIssuer } from './auth/oidc.ts';
import { AdministrationToken, AgentSignIn } from './auth/principal.ts';
import { openApiDocument } from './docs/openapi.ts';
import { serveDocs } from './docs/page.ts';
import type { Routes } from './http/controllers.ts';
import { type Door, openDoor } from './http/door.ts';
import { createLimiter, unlimited } from './limits/limiter.ts';
import { serveMcp } from './mcp/routes.ts';
import { bindingOf } from './pipeline/identity.ts';
import { SchemaThreads } from './pipeline/output-schema.ts';
import { ActionPipeline } from './pipeline/pipeline.ts';
import { PostgresReferences } from './pipeline/postgres-references.ts';
import { PostgresGatewayTables } from './pipeline/postgres-tables.ts';
import { Cursors } from './reads/cursor.ts';
import { cursorSecret } from './reads/cursor-secret.ts';
import { ReadService } from './reads/read-service.ts';
import type { ReadLimiter } from './reads/reads.ts';
import { PostgresWakes } from './reads/wakes.ts';
import { version } from './version.ts';

/** What the gateway stands on; it closes none of it. */
export type GatewayPorts = {
  readonly log: Log;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
};

export type GatewayConfig = Pick<
  Config,
  | 'KUNGFU_HOST'
  | 'KUNGFU_PORT'
  | 'KUNGFU_ADMIN_HOST'
  | 'KUNGFU_ADMIN_PORT'
  | 'KUNGFU_ADMIN_TOKEN'
  | 'KUNGFU_CORS_ORIGINS'
  | 'KUNGFU_RATE_LIMITS'
  | 'KUNGFU_AKEP'
  | 'KUNGFU_OIDC_ISSUER'
  | 'KUNGFU_OIDC_AUDIENCE'
  | 'KUNGFU_OIDC_AGENT_CLAIM'
> & { readonly limits: Limits };

/**
 * The gateway: a door for agents and one for the administration, over one pipeline and the reads (engine.md §4).
 *
 * Whole interface: start(), stop(), url, adminUrl. Starting opens the doors last, when everything behind them is ready;
 * stopping closes them first, finishes the requests in flight, and only then ends what they stand on.
 */
export class Gateway implements Loop {
  #doors: readonly Door[] = [];
  #wakes: PostgresWakes | undefined;
  #pipeline: ActionPipeline | undefined;
  readonly #schemas: SchemaThreads;
  readonly #stopping = new AbortController();

  constructor(
    private readonly ports: GatewayPorts,
    private readonly config: GatewayConfig,
  ) {
    this.#schemas = new SchemaThreads(ports.timers);
  }

  /** Where agents ask, once started. */
  get url(): string | undefined {
    return this.#doors[0]?.url;
  }

  /** Where the administration asks; undefined if there is no token for it. */
  get adminUrl(): string | undefined {
    return this.#doors[1]?.url;
  }

  /** Throws Complaint when a port is taken. */
  async start(): Promise<void> {
    const { pool, timers, logger } = this.ports;
    const wakes = new PostgresWakes(pool, timers, logger);
    this.#wakes = wakes;
    try {
      wakes.start();
      await this.#open(wakes);
    } catch (error) {
      await this.stop();
      throw error;
    }
    logger.info({ url: this.url, adminUrl: this.adminUrl }, 'the gateway is open');
  }

  async stop(): Promise<void> {
    const doors = this.#doors;
    this.#doors = [];
    // Waiting reads end with what they have, so that closing does not wait for them; actions wait for their outcome.
    this.#stopping.abort();
    this.#wakes?.wake();
    await Promise.all(doors.map((door) => door.close()));
    await this.#pipeline?.stop();
    await this.#schemas.stop();
    await this.#wakes?.stop();
  }

  async #open(wakes: PostgresWakes): Promise<void> {
    const { ports, config } = this;
    const { limits } = config;
    const actions = actionCatalogue(limits);
    const reads = readCatalogue(limits);
    const limiter = config.KUNGFU_RATE_LIMITS
      ? await createLimiter(ports.pool, limits)
      : { ...unlimited, ...unlimitedReads };
    const pipeline = new ActionPipeline({
      ...ports,
      catalogue: actions,
      limits,
      limiter,
      schemas: this.#schemas,
      tables: new PostgresGatewayTables(ports.pool),
      references: new PostgresReferences(ports.pool),
      wakes,
      walkPartitions: () => walkPartitions(ports.log, kindsWith({ akep: config.KUNGFU_AKEP })),
      onTrouble: (error) => ports.logger.warn({ err: error }, 'an action is pending'),
    });
    this.#pipeline = pipeline;
    const keys = new Keys(ports.pool, ports.clock);
    const answering = new ReadService({
      ...ports,
      limits,
      limiter,
      wakes,
      version,
      binding: bindingOf,
      stopping: this.#stopping.signal,
      cursors: new Cursors(await cursorSecret(ports.pool, ports.random)),
    });
    const shared = { pipeline, reads: answering, logger: ports.logger, requestBytesMax: limits.requestBytesMax };
    const agents = await openDoor({
      ...shared,
      host: config.KUNGFU_HOST,
      port: config.KUNGFU_PORT,
      routes: routesOf(actions, reads, false),
      authentication: new AgentSignIn(keys, issuerOf(config, ports)),
      origins: config.KUNGFU_CORS_ORIGINS,
      extend: (app) => {
        serveDocs(app, openApiDocument(limits));
        serveMcp(app, {
          actions,
          reads,
          version,
          authorizationServers: issuersOf(config),
          origins: config.KUNGFU_CORS_ORIGINS,
          logger: ports.logger,
        });
      },
    });
    this.#doors = [agents];
    if (config.KUNGFU_ADMIN_TOKEN === undefined) return;
    const administration = await openDoor({
      ...shared,
      host: config.KUNGFU_ADMIN_HOST,
      port: config.KUNGFU_ADMIN_PORT,
      routes: routesOf(actions, reads, true),
      authentication: new AdministrationToken(config.KUNGFU_ADMIN_TOKEN),
      pipeline: new WalkedPipeline({ pipeline, reader: ports.pool, keys, wakes, clock: ports.clock }),
    });
    this.#doors = [agents, administration];
  }
}

/** Who issues the tokens that agents may sign in with. */
const issuersOf = ({ KUNGFU_OIDC_ISSUER: issuer }: GatewayConfig): readonly string[] =>
  issuer === undefined ? [] : [issuer];

const unlimitedReads: ReadLimiter = { read: async () => undefined, use: async () => ({}) };

const issuerOf = (config: GatewayConfig, { pool, clock, logger }: GatewayPorts): OidcIssuer | undefined =>
  config.KUNGFU_OIDC_ISSUER === undefined
    ? undefined
    : new OidcIssuer({
        issuer: config.KUNGFU_OIDC_ISSUER,
        audience: config.KUNGFU_OIDC_AUDIENCE,
        agentClaim: config.KUNGFU_OIDC_AGENT_CLAIM,
        reader: pool,
        clock,
        onTrouble: (error) => logger.warn({ err: error }, 'the issuer of JWTs cannot be asked'),
      });

/** What each door offers. */
const routesOf = (actions: ActionCatalogue, reads: ReadCatalogue, administration: boolean): Routes => ({
  actions: Object.values(actions).filter(({ door }) => (door === 'administration') === administration),
  reads: Object.values(reads).filter(({ door }) => (door === 'administration') === administration),
});

/** Every partition that an account walk has to pass (engine.md §6). */
const walkPartitions = async (log: Log, kinds: readonly KindName[]): Promise<readonly WalkPartition[]> => {
  const walked = kinds.filter((kind): kind is WalkPartition['kind'] => kind !== 'agent');
  const counts = await Promise.all(walked.map((kind) => log.partitions(actionsTopic(kind))));
  return walked.flatMap((kind, i) => Array.from({ length: counts[i]! }, (_, partition) => ({ kind, partition })));
};
