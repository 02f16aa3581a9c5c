import type { LogRecord, Position, Reader, TopicPartition } from '@kungfu/log-port';
import { type Chain, decodeFactRecord, emptyChain, validity } from '@kungfu/protocol';
import type { Batch } from './batch.ts';
import type { OwnerPorts } from './owner.ts';
import { BrokenInvariant, type ErasedKind, PartitionState } from './partition-state.ts';

/** Version of everything that folds: a store written by another version is dropped (O7). */
const foldVersion = 1;
const pollBytes = 4_194_304;
const pollRecords = 2_000;

/**
 * The fact partition as its reader sees it: position, chain of validity and folded state, kept together in the local store.
 * Opening checks the store against the log and drops what does not match (O7).
 */
export class Facts {
  readonly #kind: ErasedKind;
  readonly #at: TopicPartition;
  readonly #ports: OwnerPorts;
  #reader: Reader | undefined;
  #state: PartitionState;
  #next = 0;
  #chain: Chain = emptyChain;
  #last: { offset: number; hash: string } | undefined;
  #following = -1;

  constructor(kind: ErasedKind, at: TopicPartition, ports: OwnerPorts) {
    this.#kind = kind;
    this.#at = at;
    this.#ports = ports;
    this.#state = new PartitionState(kind, ports.store);
  }

  get state(): PartitionState {
    return this.#state;
  }
  /** The offset after the last record known. */
  get next(): number {
    return this.#next;
  }
  get chain(): Chain {
    return this.#chain;
  }

  async open(): Promise<void> {
    if (!(await this.#fits())) this.#ports.store.clear();
    this.#state = new PartitionState(this.#kind, this.#ports.store);
    const head = this.#ports.store.head();
    this.#next = head?.next ?? 0;
    this.#chain = head?.chain ?? emptyChain;
    this.#last = head?.last;
    this.#reader = await this.#ports.log.reader();
  }

  async close(): Promise<void> {
    await this.#reader?.close();
  }

  /** Folds what waits, or what comes within `waitMs`. */
  async followOnce(waitMs: number): Promise<void> {
    this.#fold(await this.#poll(waitMs));
  }

  /** Folds all records up to the end as it stands now; ends early when stopped. */
  async readToEnd(stopping: AbortSignal): Promise<void> {
    await this.readTo(await this.#ports.log.end(this.#at), stopping);
  }

  /** Folds all records before `end`; ends early when stopped. */
  async readTo(end: number, stopping: AbortSignal): Promise<void> {
    while (this.#next < end && !stopping.aborted) this.#fold(await this.#poll(50), end);
  }

  /** While this owner runs it knows its own records: nothing is followed. */
  rest(): void {
    this.#reader!.unfollow(this.#at);
    this.#following = -1;
  }

  /** The batch has landed undisturbed right after the last record known: the draft is what the log says. */
  commitDraft(batch: Batch): void {
    this.#next += batch.records.length;
    this.#chain = batch.chain;
    const last = batch.records.at(-1)!;
    this.#last = { offset: this.#next - 1, hash: this.#ports.hash(last.value) };
    this.#commit();
  }

  async #poll(waitMs: number): Promise<readonly LogRecord[]> {
    if (this.#following !== this.#next) this.#reader!.follow({ ...this.#at, offset: this.#next });
    const records = await this.#reader!.poll({ records: pollRecords, bytes: pollBytes, waitMs });
    this.#following = this.#next + records.length;
    return records;
  }

  #fold(records: readonly LogRecord[], before = Number.POSITIVE_INFINITY): void {
    const wanted = records.filter(({ offset }) => offset < before);
    for (const record of wanted) this.#foldOne(record);
    if (wanted.length > 0) this.#commit();
    this.#following = wanted.length === records.length ? this.#next : -1;
  }

  #foldOne(record: LogRecord): void {
    if (record.offset !== this.#next) throw new BrokenInvariant(`offset ${record.offset} where ${this.#next} was due`);
    const decoded = decodeFactRecord(record);
    const verdict = validity(this.#chain, decoded);
    if (verdict.kind === 'gap')
      throw new BrokenInvariant(`record ${verdict.found} of the epoch where ${verdict.expected} was due`);
    this.#next = record.offset + 1;
    if (verdict.kind === 'void') return;
    this.#state.fold(decoded);
    this.#chain = verdict.chain;
    this.#last = { offset: record.offset, hash: this.#ports.hash(record.value ?? new Uint8Array()) };
  }

  #commit(): void {
    this.#state.commit({
      next: this.#next,
      chain: this.#chain,
      version: foldVersion,
      ...(this.#last === undefined ? {} : { last: this.#last }),
    });
  }

  /** Whether the store says what the log says, up to where it stands. */
  async #fits(): Promise<boolean> {
    const head = this.#ports.store.head();
    if (head === undefined) return true;
    if (head.version !== foldVersion || head.next > (await this.#ports.log.end(this.#at))) return false;
    if (head.last === undefined) return true;
    const position: Position = { ...this.#at, offset: head.last.offset };
    const [record] = await this.#ports.log.read(position, 1);
    return record?.offset === head.last.offset && this.#ports.hash(record.value ?? new Uint8Array()) === head.last.hash;
  }
}
