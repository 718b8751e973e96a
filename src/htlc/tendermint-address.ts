import { bech32 } from '@scure/base';
import { hash160 } from '../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex } from '../primitives/hex.ts';

const ACCOUNT_BYTES = 20;
const KEY_BYTES = 33;

/** The account of a compressed secp256k1 key, 40 lower-case hex digits; undefined for bytes of another length. */
export function tendermintAccount(key: Uint8Array): string | undefined {
  return key.length === KEY_BYTES ? bytesToHex(hash160(key)) : undefined;
}

/** An account of 40 hex digits as an address of the chain with this prefix. @throws RangeError for another count of digits */
export function tendermintAddress(prefix: string, account: string): string {
  if (account.length !== 2 * ACCOUNT_BYTES || !isHex(account))
    throw new RangeError(`an account is 40 hex digits, not ${account.length} characters`);
  return bech32.encode(prefix, bech32.toWords(hexToBytes(account)));
}

/** The account of an address of the chain with this prefix, 40 lower-case hex digits; undefined for any other text. */
export function accountOfAddress(prefix: string, address: string): string | undefined {
  const decoded = bech32.decodeUnsafe(address, false);
  if (decoded === undefined || decoded.prefix !== prefix) return undefined;
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  return bytes instanceof Uint8Array && bytes.length === ACCOUNT_BYTES ? bytesToHex(bytes) : undefined;
}
