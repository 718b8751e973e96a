import { hexToBytes } from '../../primitives/hex.ts';
import { type BlockHeader, headerHash } from './block.ts';

/** Easiest target of a test network: every second hash meets it. */
export const EASIEST_BITS = 0x207f_ffff;

const TWO_256 = 1n << 256n;

/** The target of its compact form; undefined if negative, zero or overflowing. */
export function targetOf(bits: number): bigint | undefined {
  const size = bits >>> 24;
  const mantissa = BigInt(bits & 0x007f_ffff);
  if ((bits & 0x0080_0000) !== 0) return undefined;
  const target = size <= 3 ? mantissa >> BigInt(8 * (3 - size)) : mantissa << BigInt(8 * (size - 3));
  return target === 0n || target >= TWO_256 ? undefined : target;
}

/** Hashes that a block of this target takes on average, the measure by which chains are compared. */
export function workOf(bits: number): bigint {
  const target = targetOf(bits);
  return target === undefined ? 0n : TWO_256 / (target + 1n);
}

/** Whether a hash, in display order, meets the target. */
export function meetsTarget(hash: string, bits: number): boolean {
  const target = targetOf(bits);
  return target !== undefined && BigInt(`0x${hash}`) <= target;
}

/** Searches the nonce with which the header meets its target, from zero up; undefined if `attempts` were not enough. */
export function searchNonce(header: BlockHeader, attempts: number): BlockHeader | undefined {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const nonce = hexToBytes(attempt.toString(16).padStart(64, '0')).reverse();
    const candidate = { ...header, nonce };
    if (meetsTarget(headerHash(candidate), header.bits)) return candidate;
  }
  return undefined;
}
