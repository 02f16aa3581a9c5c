import { z } from 'zod';

/** Every limit of the service (contract.md, Limits). Sizes in bytes unless the name says characters; configurable, and served at /v1. */
export const defaultLimits = {
  contentBytesMax: 102_400,
  titleCharactersMax: 200,
  noteCharactersMax: 1_000,
  reasonCharactersMax: 4_000,
  wantedBytesMax: 16_384,
  criteriaBytesMax: 16_384,
  schemaBytesMax: 32_768,
  schemaDepthMax: 32,
  payloadBytesMax: 262_144,
  deliveredMemoriesMax: 10,
  requiredInputsMax: 20,
  askMax: 50,
  membersMax: 50,
  openResponsesMax: 5_000,
  liveAssignmentsMax: 1_000,
  audienceMax: 100,
  openEngagementsMax: 1_000,
  deadlineSecondsMin: 60,
  deadlineSecondsMax: 2_592_000,
  deadlineSecondsDefault: 86_400,
  pageItemsMax: 100,
  pageItemsDefault: 50,
  pageBytesMax: 262_144,
  waitSecondsMax: 50,
  requestBytesMax: 1_048_576,
  labelsMax: 50,
  labelCharactersMax: 64,
  actionsPerMinute: 240,
  creationsPerHour: 60,
  readsPerMinute: 1_200,
  failedJoinsPerQuarterHour: 20,
} as const;
export type Limits = { readonly [K in keyof typeof defaultLimits]: number };

/**
 * The limits of AKEP; configurable, and served beside the others where AKEP is on. The days that an unacknowledged event is
 * kept are none of them: seven, always.
 */
export const defaultAkepLimits = {
  /** Active ones of an inbox. */
  akepSubscriptionsMax: 100,
  /** Live ones of one producer in an inbox, retiring ones included. */
  akepSecretsMax: 10,
  /** Live ones of all producers in an inbox. */
  akepInboxSecretsMax: 1_000,
  akepOverlapSecondsMax: 2_592_000,
  akepOverlapSecondsDefault: 86_400,
  akepWaitsMax: 1_000,
  /** Subjects, event types and interrupts of a wait, of each. */
  akepWaitTermsMax: 100,
  /** Resumes of an inbox that are queued or leased. */
  akepOpenResumesMax: 10_000,
  akepLeaseSecondsMin: 60,
  akepLeaseSecondsMax: 3_600,
  akepLeaseSecondsDefault: 300,
  akepRetentionSecondsMin: 86_400,
  akepRetentionSecondsMax: 2_592_000,
  akepRetentionSecondsDefault: 604_800,
  akepEventBytesMax: 1_048_576,
} as const;
export type AkepLimits = { readonly [K in keyof typeof defaultAkepLimits]: number };

const withDefault = ([name, value]: readonly [string, number]) => [name, z.int().min(0).default(value)] as const;
const withDefaults = <N extends string>(defaults: { readonly [K in N]: number }) =>
  z.strictObject(
    Object.fromEntries(Object.entries<number>(defaults).map(withDefault)) as Record<N, z.ZodDefault<z.ZodInt>>,
  );

/** Limits of which some differ from the defaults; what is no limit is refused. */
export const limits = withDefaults(defaultLimits);
export const akepLimits = withDefaults(defaultAkepLimits);
