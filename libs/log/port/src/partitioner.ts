/** The partition of a key: Kafka's default partitioner, so that any Kafka client agrees (engine.md §2). */
export const partitionOf = (key: string, partitions: number): number =>
  (murmur2(new TextEncoder().encode(key)) & 0x7fffffff) % partitions;

/** murmur2 as Kafka's Java client computes it: seed 0x9747b28c, 32 bits, signed result. */
export const murmur2 = (data: Uint8Array): number => {
  const m = 0x5bd1e995;
  let h = 0x9747b28c ^ data.length;
  const whole = data.length & ~3;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let i = 0; i < whole; i += 4) {
    let k = Math.imul(view.getUint32(i, true), m);
    k = Math.imul(k ^ (k >>> 24), m);
    h = Math.imul(h, m) ^ k;
  }
  for (let i = data.length - 1; i >= whole; i--) h ^= data[i]! << ((i - whole) * 8);
  if (whole < data.length) h = Math.imul(h, m);
  h = Math.imul(h ^ (h >>> 13), m);
  return h ^ (h >>> 15);
};
