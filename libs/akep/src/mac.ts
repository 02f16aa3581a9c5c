/**
 * What these rules need of cryptography; whoever uses them hands in Node's own. The core imports nothing of Node, and a
 * comparison in constant time cannot be written in JavaScript.
 */
export type Mac = {
  /** HMAC-SHA-256 over the parts, one after another. */
  readonly hmacSha256: (secret: Uint8Array, parts: readonly Uint8Array[]) => Uint8Array;
  /** Whether two values of the same length are equal, in a time that does not tell where they differ. */
  readonly equal: (one: Uint8Array, other: Uint8Array) => boolean;
};
