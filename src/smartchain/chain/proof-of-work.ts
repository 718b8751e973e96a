import { hexToBytes } from '../../primitives/hex.ts';
import { type BlockHeader, headerHash } from './block.ts';

/** Easiest target that a network for tests uses: every second hash meets it. */
export const EASIEST_BITS = 0x207f_ffff;

const TWO_256 = 1n << 256n;

/** The target of a short form (Bitcoin's compact form); undefined for a negative, zero or overflowing one. */
export function targetOf(bits: number): bigint | undefined {
  const size = bits >>> 24;
  const mantissa = BigInt(bits & 0x007f_ffff);
  if ((bits & 0x0080_0000) !== 0) return undefined;
  const target = size <= 3 ? mantissa >> BigInt(8 * (3 - size)) : mantissa << BigInt(8 * (size - 3));
  return target === 0n || target >= TWO_256 ? undefined : target;
}

/** Hashes that a block of this target takes on average: what chains are compared by. */
export function workOf(bits: number): bigint {
  const target = targetOf(bits);
  return target === undefined ? 0n : TWO_256 / (target + 1n);
}

/** Whether a hash, in display order, meets the target. */
export function meetsTarget(hash: string, bits: number): boolean {
  const target = targetOf(bits);
  return target !== undefined && BigInt(`0x${hash}`) <= target;
}

/**
 * Searches the nonce that makes the header meet its target, from zero up; undefined when `attempts` were not enough.
 */
export function searchNonce(header: BlockHeader, attempts: number): BlockHeader | undefined {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const nonce = hexToBytes(attempt.toString(16).padStart(64, '0')).reverse();
    const candidate = { ...header, nonce };
    if (meetsTarget(headerHash(candidate), header.bits)) return candidate;
  }
  return undefined;
}
