import { bech32 } from '@scure/base';
import { hash160 } from '../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex } from '../primitives/hex.ts';

const ACCOUNT_BYTES = 20;
const KEY_BYTES = 33;

/**
 * The account of a compressed secp256k1 key, 40 lower-case hex digits; undefined for bytes of another length.
 *
 * @example
 * ```ts
 * import { hexToBytes, tendermintAccount } from 'swapfold/htlc';
 *
 * const key = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
 * tendermintAccount(key); // → '751e76e8199196d454941c45d1b3a323f1433bd6'
 * tendermintAccount(key.subarray(1)); // → undefined
 * ```
 */
export function tendermintAccount(key: Uint8Array): string | undefined {
  return key.length === KEY_BYTES ? bytesToHex(hash160(key)) : undefined;
}

/**
 * An account of 40 hex digits as an address of the chain with this prefix. @throws RangeError for another count of digits
 *
 * @example
 * ```ts
 * import { tendermintAddress } from 'swapfold/htlc';
 *
 * const account = '751e76e8199196d454941c45d1b3a323f1433bd6';
 * tendermintAddress('iaa', account); // → 'iaa1w508d6qejxtdg4y5r3zarvary0c5xw7k0lhtdf'
 * tendermintAddress('iaa', account.slice(2)); // throws RangeError
 * ```
 */
export function tendermintAddress(prefix: string, account: string): string {
  if (account.length !== 2 * ACCOUNT_BYTES || !isHex(account))
    throw new RangeError(`an account is 40 hex digits, not ${account.length} characters`);
  return bech32.encode(prefix, bech32.toWords(hexToBytes(account)));
}

/**
 * The account of an address of the chain with this prefix, 40 lower-case hex digits; undefined for any other text.
 *
 * @example
 * ```ts
 * import { accountOfAddress } from 'swapfold/htlc';
 *
 * const address = 'cosmos1w508d6qejxtdg4y5r3zarvary0c5xw7k6ah60c';
 * accountOfAddress('cosmos', address); // → '751e76e8199196d454941c45d1b3a323f1433bd6'
 * accountOfAddress('iaa', address); // → undefined
 * ```
 */
export function accountOfAddress(prefix: string, address: string): string | undefined {
  const decoded = bech32.decodeUnsafe(address, false);
  if (decoded === undefined || decoded.prefix !== prefix) return undefined;
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  return bytes instanceof Uint8Array && bytes.length === ACCOUNT_BYTES ? bytesToHex(bytes) : undefined;
}
