/** The order of the curve, 32 bytes (SEC 2, §2.4.1). */
const ORDER = Uint8Array.from(
  [0xffffffff, 0xffffffff, 0xffffffff, 0xfffffffe, 0xbaaedce6, 0xaf48a03b, 0xbfd25e8c, 0xd0364141].flatMap((word) =>
    [24, 16, 8, 0].map((shift) => (word >>> shift) & 0xff),
  ),
);
/** Half the order, rounded down: the highest low S (BIP 62, rule 5; EIP-2). */
const HALF = ORDER.map((byte, index) => ((((ORDER[index - 1] ?? 0) & 1) << 7) | (byte >> 1)) & 0xff);

/** Whether 32 bytes encode less than the order. */
export function isBelowOrder(bytes: Uint8Array): boolean {
  return compare(bytes, ORDER) < 0;
}

/** Whether the S of a 64-byte signature is low. From a signature with a high S, anyone can make a second valid one. */
export function hasLowS(signature: Uint8Array): boolean {
  return compare(signature, HALF, 32) <= 0;
}

/** Compares the 32 bytes from `start` with those of the other. */
function compare(bytes: Uint8Array, other: Uint8Array, start = 0): number {
  for (let at = 0; at < other.length; at++) {
    const difference = (bytes[start + at] as number) - (other[at] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
