import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  decodeFactRecord,
  type Encoded,
  encodeClaim,
  encodeDecided,
  encodeFact,
  type FactRecord,
  type Place,
} from './codec.ts';
import { type Fact, fact } from './facts.ts';
import { receiptOf } from './receipt.ts';

/**
 * A record as it was once written. Storage format is frozen: a golden file is never changed, and a new effect type brings
 * its own (L1-2, L3-1).
 */
type Golden = {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: string;
  readonly receipt?: string;
};

const folder = new URL('../golden/', import.meta.url);
const names = readdirSync(folder)
  .map((file) => file.replace(/[.]json$/, ''))
  .sort();
const golden = (name: string): Golden => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Golden;
const decoded = (name: string): FactRecord => {
  const { value, headers } = golden(name);
  return decodeFactRecord({ value: new TextEncoder().encode(value), headers });
};

const text = ({ key, headers, value }: Encoded): Golden => ({ key, headers, value: new TextDecoder().decode(value) });
const encodedAgain = (record: FactRecord, place: Omit<Place, 'epoch' | 'n'>, at: number): Encoded => {
  switch (record.type) {
    case 'claim':
      return encodeClaim(record.claim, { ...place, at });
    case 'decided':
      return encodeDecided(record.decided, { ...place, epoch: record.epoch, n: record.n });
    case 'fact':
      return encodeFact(record.fact, { ...place, epoch: record.epoch, n: record.n });
  }
};

type EffectSchema = { readonly shape: { readonly type: { readonly value: string } } };
const effectTypes = (fact.shape.effects.element.options as unknown as readonly EffectSchema[]).map(
  ({ shape }) => shape.type.value,
);

describe('the golden records', () => {
  it('[L1-2] are one for each type of effect, and a few more', () => {
    expect(names).toEqual(
      [
        ...effectTypes,
        'control-claim',
        'control-decided',
        'engagement-adopted-by-deadline',
        'inbox-event-by-the-bridge',
        'memory-born-in-an-entry',
        'task-created-with-its-contract',
        'without-effects',
        'without-effects-engaged',
      ].sort(),
    );
  });

  it.each(names)('[L1-2] %s is read, and written again as the same bytes', (name) => {
    const { receipt: _, ...written } = golden(name);
    const source = written.headers['ce_source']!;
    const [, , kind, partition] = source.split('/');
    const again = encodedAgain(
      decoded(name),
      { kind: kind!, partition: Number(partition) },
      Date.parse(written.headers['ce_time']!),
    );
    expect(text(again)).toEqual(written);
  });

  it.each(names)('[L3-1] %s gives the same receipt, byte for byte, or none', (name) => {
    const record = decoded(name);
    const receipt = record.type === 'fact' ? receiptOf(record.fact) : undefined;
    expect(receipt === undefined ? undefined : new TextDecoder().decode(receipt)).toBe(golden(name).receipt);
  });

  it.each(effectTypes)('%s tells an effect of that type', (type) => {
    const record = decoded(type);
    expect(
      record.type === 'fact' ? record.fact.effects.map((effect: Fact['effects'][number]) => effect.type) : [],
    ).toEqual([type]);
  });

  it('[L6-1] hold structure only: content stands elsewhere, referred to by id, length and hash', () => {
    for (const name of names) {
      const value = golden(name).value;
      for (const match of value.matchAll(/"(?:content|note)":(\{[^}]*\})/g))
        expect(Object.keys(JSON.parse(match[1]!) as object)).toEqual(['id', 'bytes', 'sha256']);
      expect(value).not.toMatch(/"(?:title|body|reason|criteria|wanted|payload)"/);
    }
  });
});
