import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** In wei. */
export const GWEI = 10n ** 9n;
/** Whoever creates contracts and gives tokens away, as anvil has it. */
export const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

export function hexOf(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** A number, or an address of 40 hex digits, as a contract takes it. */
export function word(value: bigint | string): string {
  return (typeof value === 'string' ? value : value.toString(16)).padStart(64, '0');
}

/** The account of a public key of 33 bytes, in hex. */
export function accountOf(key: Uint8Array): string {
  const long = secp256k1.Point.fromBytes(key).toBytes(false).subarray(1);
  return Buffer.from(keccak_256(long)).toString('hex').slice(24);
}

/** Where a contract keeps what a mapping has under these keys, the outermost first. */
export function mapped(keys: readonly string[], slot: bigint): string {
  return keys.reduce(
    (place, key) => Buffer.from(keccak_256(Buffer.from(word(key) + place, 'hex'))).toString('hex'),
    word(slot),
  );
}
