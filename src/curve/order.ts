/** The order of the curve, of 32 bytes (SEC 2, §2.4.1). */
const ORDER = Uint8Array.from(
  [0xffffffff, 0xffffffff, 0xffffffff, 0xfffffffe, 0xbaaedce6, 0xaf48a03b, 0xbfd25e8c, 0xd0364141].flatMap((word) =>
    [24, 16, 8, 0].map((shift) => (word >>> shift) & 0xff),
  ),
);
/** Half of it, rounded down: the highest S that is low (BIP 62, rule 5; EIP-2). */
const HALF = ORDER.map((byte, index) => ((((ORDER[index - 1] ?? 0) & 1) << 7) | (byte >> 1)) & 0xff);

/** Whether 32 bytes stand for less than the order. */
export function isBelowOrder(bytes: Uint8Array): boolean {
  return compare(bytes, ORDER) < 0;
}

/** Whether the S of a signature of 64 bytes is in the lower half; of the higher one anybody can make a second signature from a good one. */
export function hasLowS(signature: Uint8Array): boolean {
  return compare(signature.subarray(32), HALF) <= 0;
}

function compare(left: Uint8Array, right: Uint8Array): number {
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at === -1 ? 0 : (left[at] as number) - (right[at] as number);
}
