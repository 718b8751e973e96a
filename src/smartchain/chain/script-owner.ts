import { bytesToHex } from '../../primitives/hex.ts';
import { ownerHash } from '../encoding/owner-hash.ts';
import { classifyScript } from '../script/classify.ts';

/**
 * The owner of an output in the indexes of the chain. Addresses of conditions look like those of keys, so they are kept apart, as the node does with
 * another index type.
 */
export type ScriptOwner = {
  readonly kind: 'key' | 'script' | 'condition';
  /** 20 bytes. */
  readonly hash: Uint8Array;
};

/**
 * The owner of an output script; undefined for scripts without an address, and for those with several keys.
 *
 * @example
 * ```ts
 * import { bytesToHex, hexToBytes } from 'swapfold/htlc';
 * import { payToKeyScript, scriptOwner } from 'swapfold/smartchain';
 *
 * const key = hexToBytes('03b22eeb6cf6408607fddd770abb2ba3bbb64b112a3c626a8e8ac5fb090287c710');
 * const owner = scriptOwner(payToKeyScript(key));
 * owner?.kind; // → 'key'
 * owner && bytesToHex(owner.hash); // → 'c49fa5ed772bedf0e7c2d0cb43cfc8086f60555c'
 * scriptOwner(hexToBytes('6a')); // → undefined
 * ```
 */
export function scriptOwner(script: Uint8Array): ScriptOwner | undefined {
  const { type, solutions } = classifyScript(script);
  const [first] = solutions;
  if (first === undefined) return undefined;
  if (type === 'pubkey') return { kind: 'key', hash: ownerHash(first) };
  if (type === 'pubkeyhash') return { kind: 'key', hash: first };
  if (type === 'scripthash') return { kind: 'script', hash: first };
  return type === 'cryptocondition' ? { kind: 'condition', hash: first } : undefined;
}

/**
 * An owner as a comparable text.
 *
 * @example
 * ```ts
 * import { decodeAddress, ownerKey, PREFIXES } from 'swapfold/smartchain';
 *
 * const address = decodeAddress('RTCqmfQr3e5csyPpRNnLZLbzMcHmcngiSb', PREFIXES.main);
 * address && ownerKey(address); // → 'key:c49fa5ed772bedf0e7c2d0cb43cfc8086f60555c'
 * ```
 */
export function ownerKey({ kind, hash }: ScriptOwner): string {
  return `${kind}:${bytesToHex(hash)}`;
}
