import type { LogRecord } from '@kungfu/log-port';
import { decodeFactRecord, type Refused, validity } from '@kungfu/protocol';
import type { FactAdvance, PlacedFact, ProjectedPosition } from '../projection/port.ts';

/** The step over these records of one partition, as a projector would take it. */
export const advanceOver = (position: ProjectedPosition, records: readonly LogRecord[]): FactAdvance => {
  let to = position;
  const facts: PlacedFact[] = [];
  const refused: Refused[] = [];
  for (const record of records) {
    const decoded = decodeFactRecord(record);
    const verdict = validity(to, decoded);
    to = { ...to, next: record.offset + 1 };
    if (verdict.kind === 'gap') throw new Error('a gap in a test');
    if (verdict.kind === 'void') continue;
    to = { ...to, ...verdict.chain };
    if (decoded.type === 'fact') {
      facts.push({ offset: record.offset, fact: decoded.fact });
      to = { ...to, logAt: decoded.fact.at };
    } else if (decoded.type === 'decided') {
      const { upTo, at, generation } = decoded.decided;
      refused.push(...decoded.decided.refused);
      to = { ...to, logAt: at, decidedUpTo: upTo, generation };
    }
  }
  return { from: position.next, to, facts, refused };
};
