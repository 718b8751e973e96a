import { concatBytes } from '../../htlc/byte-writer.ts';
import { OP_EQUAL, OP_HASH160, p2pkhScript } from '../../htlc/script.ts';
import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { remembering } from '../../primitives/remember.ts';
import type { Prefixes } from '../params.ts';
import { decodeBase58Check, encodeBase58Check } from './base58check.ts';

/** The recipient of coins: the holder of a key (or of a crypto-condition, which is encoded alike), or a redeem script. */
export type Address = {
  readonly kind: 'key' | 'script';
  /** HASH160 of the key or the script, 20 bytes. */
  readonly hash: Uint8Array;
};

const HASH_BYTES = 20;

/**
 * The address as a network writes it. @throws RangeError when the hash has not 20 bytes.
 *
 * @example
 * ```ts
 * import { hash160, hexToBytes } from 'swapfold/htlc';
 * import { encodeAddress, PREFIXES } from 'swapfold/smartchain';
 *
 * const key = hexToBytes('03b22eeb6cf6408607fddd770abb2ba3bbb64b112a3c626a8e8ac5fb090287c710');
 * const address = { kind: 'key', hash: hash160(key) } as const;
 * encodeAddress(address, PREFIXES.main); // → 'RTCqmfQr3e5csyPpRNnLZLbzMcHmcngiSb'
 * encodeAddress({ kind: 'key', hash: key }, PREFIXES.main); // throws RangeError
 * ```
 */
export function encodeAddress(address: Address, prefixes: Prefixes): string {
  return written(bytesToHex(Uint8Array.of(prefixes[address.kind])) + bytesToHex(hashOf(address)));
}

/** Cache of addresses that are written and read repeatedly: base58 and two hashes cost more than everything else in an answer. */
const REMEMBERED = 4096;
const written = remembering((hex: string) => encodeBase58Check(hexToBytes(hex)), REMEMBERED);
/** Characters of an address without white space around it, at the most. */
const LONGEST = 35;

/** Text that is not an address is not cached: it may be a key, given by mistake. */
const readAgain = remembering(read, REMEMBERED);

function read(text: string): Uint8Array | undefined {
  const payload = decodeBase58Check(text);
  return payload?.length === 1 + HASH_BYTES ? payload : undefined;
}

/**
 * Reads an address of a key or a script; undefined for any other text, and for an address of a network with other prefixes. Ignores white space
 * around it, as the smart-chain node does.
 *
 * @example
 * ```ts
 * import { decodeAddress, PREFIXES } from 'swapfold/smartchain';
 *
 * decodeAddress('RTCqmfQr3e5csyPpRNnLZLbzMcHmcngiSb', PREFIXES.main)?.kind; // → 'key'
 * decodeAddress('bEP3HK73CboW8tGN8obyHUQteBzYjFzgNm', PREFIXES.main)?.kind; // → 'script'
 * decodeAddress('RTCqmfQr3e5csyPpRNnLZLbzMcHmcngiSb', PREFIXES.test); // → undefined
 * ```
 */
export function decodeAddress(text: string, prefixes: Prefixes): Address | undefined {
  const payload = text.length > LONGEST ? read(text) : readAgain(text);
  if (payload === undefined) return undefined;
  const hash = payload.slice(1);
  // In the node's order: a chain may use one prefix for both kinds.
  if (payload[0] === prefixes.key) return { kind: 'key', hash };
  return payload[0] === prefixes.script ? { kind: 'script', hash } : undefined;
}

/** The output script that pays to the address (BIP 16 for a script). @throws RangeError when the hash has not 20 bytes. */
export function addressScript(address: Address): Uint8Array {
  const hash = hashOf(address);
  if (address.kind === 'key') return p2pkhScript(hash);
  return concatBytes([Uint8Array.of(OP_HASH160, HASH_BYTES), hash, Uint8Array.of(OP_EQUAL)]);
}

/** The segment, 0 to 63, that the smart-chain node sorts an address into. It depends on the text as given, white space too. */
export function segid(text: string): number {
  return text.length > LONGEST ? segidOf(text) : segidAgain(text);
}

const segidAgain = remembering(segidOf, REMEMBERED);

function segidOf(text: string): number {
  return (sha256(new TextEncoder().encode(text))[0] as number) & 63;
}

function hashOf({ hash }: Address): Uint8Array {
  if (hash.length !== HASH_BYTES) throw new RangeError(`an address holds ${HASH_BYTES} bytes, not ${hash.length}`);
  return hash;
}
