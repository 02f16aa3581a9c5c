import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { nodeMac } from './testing/mac.ts';
import { secretOf, secretText, signedHeaders, verify, type WebhookKey } from './webhook.ts';
import { isTimely, type RawHeaders, readHeaders, type WebhookHeaders } from './webhook-headers.ts';

const at = 1_778_157_296_000;
const id = 'evt_01HX5S8ZQ9J6W9E5W4H8A2K7D3';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const body = bytes('{"spec": "akep.v1",  "sum": 2432232314, "name": "Zoë"}');
const secret = (n: number): Uint8Array => new Uint8Array(32).fill(n);
const key = (n: number, more: Partial<WebhookKey> = {}): WebhookKey => ({
  producer: `prod_${n}`,
  keyId: `2026-0${n}`,
  secret: secret(n),
  ...more,
});
const read = (raw: RawHeaders): WebhookHeaders => {
  const result = readHeaders(raw);
  if (result.kind === 'refused') throw new Error(`${result.header} is ${result.why}`);
  return result.headers;
};
const signed = (...secrets: [Uint8Array, ...Uint8Array[]]) => signedHeaders(nodeMac, { id, body, at }, secrets);
const verified = (
  raw: RawHeaders,
  keys: readonly WebhookKey[],
  over: Uint8Array = body,
  now = at,
): readonly string[] => {
  const result = verify(nodeMac, read(raw), over, keys, now);
  return result.kind === 'verified' ? result.keys.map(({ producer }) => producer) : [];
};

describe('the signature of a webhook', () => {
  it('[W-2] is that of the public test vector of Standard Webhooks', () => {
    const vector = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const vectorSecret = secretOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')!;
    const payload = bytes('{"test": 2432232314}');
    expect(verified(vector, [key(1, { secret: vectorSecret })], payload)).toEqual(['prod_1']);
    const ours = { id: vector['webhook-id'], body: payload, at: 1_614_265_330_999 };
    expect(signedHeaders(nodeMac, ours, [vectorSecret])).toEqual(vector);
  });
  it('[W-2] of the library of Standard Webhooks verifies here, and ours there', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 24, maxLength: 64 }),
        fc.json(),
        fc.integer({ min: 1, max: 2 ** 31 }),
        (key0, payload, seconds) => {
          const theirs = new Webhook(secretText(key0));
          const raw = {
            'webhook-id': id,
            'webhook-timestamp': String(seconds),
            'webhook-signature': theirs.sign(id, new Date(seconds * 1_000), payload),
          };
          expect(verified(raw, [key(1, { secret: key0 })], bytes(payload))).toEqual(['prod_1']);
          const now = signedHeaders(nodeMac, { id, body: bytes(payload), at: Date.now() }, [key0]);
          expect(theirs.verify(payload, { ...now })).toEqual(JSON.parse(payload));
        },
      ),
      { numRuns: 50 },
    );
  });
  it('[W-2] is over the exact bytes, also where they are no text', () => {
    const raw = new Uint8Array([0xff, 0xfe, 0x00, 0x7b]);
    const headers = signedHeaders(nodeMac, { id, body: raw, at }, [secret(1)]);
    expect(verified(headers, [key(1)], raw)).toEqual(['prod_1']);
    expect(verified(headers, [key(1)], new Uint8Array([0xfe, 0xff, 0x00, 0x7b]))).toEqual([]);
  });
  it('[W-2] fails for any other body, id, time or secret', () => {
    const headers = signed(secret(1));
    expect(verified(headers, [key(1)])).toEqual(['prod_1']);
    expect(verified(headers, [key(1)], bytes('{"spec":"akep.v1","sum":2432232314,"name":"Zoë"}'))).toEqual([]);
    expect(verified({ ...headers, 'webhook-id': `${id}x` }, [key(1)])).toEqual([]);
    expect(verified({ ...headers, 'webhook-timestamp': '1778157297' }, [key(1)])).toEqual([]);
    expect(verified(headers, [key(1, { secret: secret(2) })])).toEqual([]);
  });
  it('[W-2] may be one of several, and one that is valid suffices', () => {
    const headers = signed(secret(7), secret(1), secret(8));
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(3);
    expect(verified(headers, [key(1)])).toEqual(['prod_1']);
    expect(verified(headers, [key(2)])).toEqual([]);
  });
  it('[W-2] under another tag is passed over and grants nothing', () => {
    const good = signed(secret(1))['webhook-signature']!;
    const value = good.slice('v1,'.length);
    const withSignature = (signature: string) =>
      verified({ ...signed(secret(1)), 'webhook-signature': signature }, [key(1)]);
    expect(withSignature(`v1a,${value} v2,xyz ${good} nonsense`)).toEqual(['prod_1']);
    for (const other of [
      `v1a,${value}`,
      `v2,${value}`,
      `V1,${value}`,
      value,
      `v1 ${value}`,
      `v1,${value},x`,
      `v1=${value}`,
      'v1,',
      'v1,AAAA',
      `v1,${value.slice(0, -1)}`,
    ])
      expect(withSignature(other)).toEqual([]);
  });
  it('[W-2] is compared in constant time, with every candidate and every signature', () => {
    const compared: number[] = [];
    const counting = {
      ...nodeMac,
      equal: (one: Uint8Array, other: Uint8Array) => {
        compared.push(one.length);
        return nodeMac.equal(one, other);
      },
    };
    const result = verify(counting, read(signed(secret(1), secret(2))), body, [key(1), key(2), key(3)], at);
    expect(result.kind).toBe('verified');
    expect(compared).toEqual([32, 32, 32, 32, 32, 32]);
  });
  it('[W-2] of an unknown producer, of a bad key and of a retired one give the same value and the same work', () => {
    const work = (keys: readonly WebhookKey[]) => {
      let hmacs = 0;
      const counting = {
        ...nodeMac,
        hmacSha256: (...args: Parameters<typeof nodeMac.hmacSha256>) => {
          hmacs += 1;
          return nodeMac.hmacSha256(...args);
        },
      };
      return { result: verify(counting, read(signed(secret(1))), body, keys, at), hmacs };
    };
    expect(work([])).toEqual({ result: { kind: 'unverified' }, hmacs: 1 });
    expect(work([key(2)])).toEqual(work([]));
    expect(work([key(1, { until: at })])).toEqual(work([]));
    const byNobody = signedHeaders(nodeMac, { id, body, at }, [new Uint8Array(32)]);
    expect(verified(byNobody, [])).toEqual([]);
  });
});

describe('keys', () => {
  it('[W-5] old and new verify side by side until the old one is retired', () => {
    const old = key(1, { until: at + 1 });
    expect(verified(signed(secret(1)), [old, key(2)])).toEqual(['prod_1']);
    expect(verified(signed(secret(2)), [old, key(2)])).toEqual(['prod_2']);
    expect(verified(signed(secret(1)), [old, key(2)], body, at + 1)).toEqual([]);
    expect(verified(signed(secret(2)), [old, key(2)], body, at + 1)).toEqual(['prod_2']);
  });
  it('[W-5] all that verify are told: a secret is one of a producer and a subscriber', () => {
    const same = { secret: secret(1) };
    expect(verified(signed(secret(1)), [key(1), key(2, same), key(3)])).toEqual(['prod_1', 'prod_2']);
  });
  it('[W-1] of another id than the request names verify nothing', () => {
    const named = (keyId: string) => ({ ...signed(secret(1)), 'webhook-signature-key-id': keyId });
    expect(verified(named('2026-01'), [key(1)])).toEqual(['prod_1']);
    expect(verified(named('2026-02'), [key(1)])).toEqual([]);
    expect(read(signedHeaders(nodeMac, { id, body, at, keyId: '2026-01' }, [secret(1)])).keyId).toBe('2026-01');
  });
  it('[S-3] are shown as text and read back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (random) => {
        expect(secretOf(secretText(random))).toEqual(random);
      }),
    );
    for (const text of [
      '',
      'whsec_',
      'whsec_AAAA',
      `whsec_${'A'.repeat(88)}`,
      `whsec_${'*'.repeat(32)}`,
      'A'.repeat(32),
    ])
      expect(secretOf(text)).toBeUndefined();
  });
});

describe('the headers of a webhook', () => {
  const good: RawHeaders = { ...signed(secret(1)), 'webhook-signature-key-id': '2026-01' };
  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('[W-1] have %s', (header) => {
    expect(readHeaders({ ...good, [header]: undefined })).toEqual({ kind: 'refused', header, why: 'missing' });
  });
  it('[W-1] may be without a key id', () => {
    const { 'webhook-signature-key-id': _, ...others } = good;
    expect(read(others)).not.toHaveProperty('keyId');
    expect(read(good).keyId).toBe('2026-01');
  });
  it.each([
    ['webhook-id', 'evt.0000001'],
    ['webhook-id', 'short'],
    ['webhook-id', ''],
    ['webhook-id', `${id}, ${id}`],
    ['webhook-timestamp', '1778157296.5'],
    ['webhook-timestamp', '-1'],
    ['webhook-timestamp', '1e9'],
    ['webhook-timestamp', '01778157296'],
    ['webhook-timestamp', '1778157296000000'],
    ['webhook-timestamp', '2026-05-17T03:00:00Z'],
    ['webhook-signature', ''],
    ['webhook-signature', ' '],
    ['webhook-signature', Array.from({ length: 17 }, () => 'v1,x').join(' ')],
    ['webhook-signature', 'x'.repeat(101)],
    ['webhook-signature-key-id', ''],
    ['webhook-signature-key-id', 'a b'],
    ['webhook-signature-key-id', 'x'.repeat(129)],
  ])('[W-3] are refused as malformed: %s %j', (header, value) => {
    expect(readHeaders({ ...good, [header]: value })).toEqual({ kind: 'refused', header, why: 'malformed' });
    expect(readHeaders({ ...good, [header]: [good[header] as string, 'x'] })).toEqual({
      kind: 'refused',
      header,
      why: 'malformed',
    });
  });
  it('[W-4] are of now, as far as clocks agree', () => {
    const now = read(good);
    for (const off of [0, 300_000, -300_000]) expect(isTimely(now, at + off)).toBe(true);
    for (const off of [300_001, -300_001]) expect(isTimely(now, at + off)).toBe(false);
    expect(isTimely(now, at + 10_001, 10)).toBe(false);
    expect(isTimely(read({ ...good, 'webhook-timestamp': '0' }), at)).toBe(false);
  });
});
