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

type LimitName = keyof typeof defaultLimits;
const withDefault = ([name, value]: readonly [string, number]) => [name, z.int().min(0).default(value)] as const;

/** Limits of which some differ from the defaults; what is no limit is refused. */
export const limits = z.strictObject(
  Object.fromEntries(Object.entries(defaultLimits).map(withDefault)) as Record<LimitName, z.ZodDefault<z.ZodInt>>,
);
