import { isoOrNull, type Page, pageOf, type Reader, statement } from './reader.ts';
import { visible } from './visible.ts';

export type AccountStatus = 'active' | 'deactivating' | 'deactivated' | 'activating';

/** Who a key belongs to. */
export type KeyHolder = { readonly agent: string; readonly key: string };

const holders = statement<KeyHolder & { readonly hash: string }>(
  'key-holder',
  `select k.hash, k.agent, k.id as key from read.agent_key k join read.agent a on a.id = k.agent
   where k.hash = any($1::text[]) and k.revoked_at is null`,
);

/** The agents that keys (by their sha256) belong to, deactivated ones too; unknown and revoked keys alike are left out. */
export const keyHolders = async (reader: Reader, hashes: readonly string[]): Promise<ReadonlyMap<string, KeyHolder>> =>
  new Map((await holders(reader, [hashes])).map(({ hash, ...holder }) => [hash, holder]));

type AccountRow = { id: string; status: AccountStatus; labels: string[]; created_at: Date; walk: number };
export type Account = {
  readonly ref: string;
  readonly agent: string;
  readonly state: AccountStatus;
  readonly labels: readonly string[];
  readonly createdAt: string | null;
};

const account = statement<AccountRow>(
  'account',
  'select id, status, labels, created_at, walk from read.agent where id = $1',
);

export const accountOf = async (reader: Reader, agent: string): Promise<Account | undefined> => {
  const [row] = await account(reader, [agent]);
  return row === undefined ? undefined : accountItem(row);
};

const accountItem = ({ id, status, labels, created_at }: AccountRow): Account => ({
  ref: id,
  agent: id,
  state: status,
  labels,
  createdAt: isoOrNull(created_at),
});

const accounts = statement<AccountRow>(
  'accounts',
  `select id, status, labels, created_at, walk from read.agent
   where id > $1 and ($2::text is null or status = $2) order by id limit $3`,
);

/** For the administration: every account, in the order of ids. */
export const accountsPage = async (
  reader: Reader,
  { after, status, limit }: { after: string; status: AccountStatus | undefined; limit: number },
): Promise<Page<Account, string>> =>
  pageOf(await accounts(reader, [after, status ?? null, limit + 1]), limit, accountItem, (row) => row.id);

type KeyRow = { id: string; issued_at: Date; revoked_at: Date | null };
export type Key = { readonly key: string; readonly issuedAt: string | null; readonly revokedAt: string | null };

const keys = statement<KeyRow>(
  'keys',
  'select id, issued_at, revoked_at from read.agent_key where agent = $1 order by revoked_at nulls first, issued_at desc, id limit $2',
);

/** The keys of an account, without their hashes: living ones first, newest first. */
export const keysOf = async (reader: Reader, agent: string, limit: number): Promise<readonly Key[]> =>
  (await keys(reader, [agent, limit])).map(({ id, issued_at, revoked_at }) => ({
    key: id,
    issuedAt: isoOrNull(issued_at),
    revokedAt: isoOrNull(revoked_at),
  }));

type ReceiptRow = { receipt: Buffer };
const receipt = statement<ReceiptRow>(
  'receipt',
  `select r.receipt from read.receipt r where r.binding = $1 and ${visible['V-12'].when('r', '$2')} and r.action = $3`,
);

/** The bytes of an agent's own receipt; undefined if there is none (V-12). */
export const ownReceipt = async (
  reader: Reader,
  { binding, agent, action }: { binding: string; agent: string; action: string },
): Promise<Uint8Array | undefined> => (await receipt(reader, [binding, agent, action]))[0]?.receipt;
