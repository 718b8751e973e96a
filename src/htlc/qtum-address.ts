import { bech32, createBase58check } from '@scure/base';
import { hash160, sha256 } from '../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex } from '../primitives/hex.ts';
import { concatBytes } from './byte-writer.ts';

/** How a Qtum network writes the addresses of keys. */
export type QtumAddressForm = {
  /** First byte of an address in base58: 58 on the main network, 120 on the test networks. */
  readonly keyPrefix: number;
  /** Human-readable part of addresses with a witness; null where none are read. */
  readonly bech32: string | null;
};

/** An account, 40 lower-case hex digits; or why a text is no address of it, by each way of reading it. */
export type QtumAccount =
  | { readonly ok: true; readonly account: string }
  | { readonly ok: false; readonly base58: string; readonly witness: string; readonly contract: string };

const base58check = createBase58check(sha256);
const ACCOUNT_BYTES = 20;
/** Reading base58 costs the square of the length. */
const LONGEST = 100;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;

/**
 * The account of a compressed key, 40 hex digits: the HASH160 that a payment to its address names too.
 *
 * @example
 * ```ts
 * import { hexToBytes, qtumAccount } from 'swapfold/htlc';
 *
 * const key = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
 * qtumAccount(key); // → '751e76e8199196d454941c45d1b3a323f1433bd6'
 * ```
 */
export function qtumAccount(key: Uint8Array): string {
  return bytesToHex(hash160(key));
}

/**
 * An account as contracts write it: 0x and lower-case hex.
 *
 * @example
 * ```ts
 * import { qtumContractAddress } from 'swapfold/htlc';
 *
 * const address = qtumContractAddress('A3C6B1EE4A49D9F2AF3B3802974744FBA924164A');
 * address; // → '0xa3c6b1ee4a49d9f2af3b3802974744fba924164a'
 * ```
 */
export function qtumContractAddress(account: string): string {
  return `0x${account.toLowerCase()}`;
}

/**
 * An account as wallets write it, in base58. @throws RangeError for another number of digits
 *
 * @example
 * ```ts
 * import { qtumWalletAddress } from 'swapfold/htlc';
 *
 * const account = 'a3c6b1ee4a49d9f2af3b3802974744fba924164a';
 * qtumWalletAddress(account, { keyPrefix: 120 }); // → 'qYVMKsboXuKZ7axua3DqhHnm67jWe4iseW'
 * qtumWalletAddress(account.slice(2), { keyPrefix: 120 }); // throws RangeError
 * ```
 */
export function qtumWalletAddress(account: string, { keyPrefix }: Pick<QtumAddressForm, 'keyPrefix'>): string {
  if (account.length !== 2 * ACCOUNT_BYTES || !isHex(account)) {
    throw new RangeError(`an account is 40 hex digits, not ${account.length} characters`);
  }
  return base58check.encode(concatBytes([Uint8Array.of(keyPrefix), hexToBytes(account)]));
}

/**
 * Reads an address in any of its forms: base58, witness, or contract. Refuses addresses of scripts. Never throws.
 *
 * @example
 * ```ts
 * import { readQtumAddress } from 'swapfold/htlc';
 *
 * const testnet = { keyPrefix: 120, bech32: 'tq' };
 * const read = readQtumAddress('qYVMKsboXuKZ7axua3DqhHnm67jWe4iseW', testnet);
 * read; // → { ok: true, account: 'a3c6b1ee4a49d9f2af3b3802974744fba924164a' }
 * const typo = readQtumAddress('qYVMKsboXuKZ7axua3DqhHnm67jWe4iseX', testnet);
 * typo.ok ? '' : typo.base58; // → 'wrong checksum'
 * ```
 */
export function readQtumAddress(text: string, form: QtumAddressForm): QtumAccount {
  const base58 = readBase58(text, form.keyPrefix);
  if ('account' in base58) return { ok: true, ...base58 };
  const witness = readWitness(text, form.bech32);
  if ('account' in witness) return { ok: true, ...witness };
  const contract = readContract(text);
  if ('account' in contract) return { ok: true, ...contract };
  return { ok: false, base58: base58.problem, witness: witness.problem, contract: contract.problem };
}

type Reading = { readonly account: string } | { readonly problem: string };

function readBase58(text: string, keyPrefix: number): Reading {
  if (text.length > LONGEST) return { problem: 'too long' };
  if (!BASE58.test(text)) return { problem: 'no base58' };
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    return { problem: 'wrong checksum' };
  }
  if (bytes.length !== 1 + ACCOUNT_BYTES) return { problem: `${bytes.length} bytes, not ${1 + ACCOUNT_BYTES}` };
  if (bytes[0] !== keyPrefix) return { problem: `prefix ${bytes[0]}, expected ${keyPrefix}` };
  return { account: bytesToHex(bytes.subarray(1)) };
}

function readWitness(text: string, prefix: string | null): Reading {
  if (prefix === null) return { problem: 'no witness addresses' };
  const decoded = text.length > LONGEST ? undefined : bech32.decodeUnsafe(text, false);
  if (decoded === undefined) return { problem: 'no bech32' };
  if (decoded.prefix !== prefix) return { problem: `prefix ${decoded.prefix}, expected ${prefix}` };
  const [version, ...words] = decoded.words;
  const program = bech32.fromWordsUnsafe(words);
  const isKey = version === 0 && program instanceof Uint8Array && program.length === ACCOUNT_BYTES;
  return isKey ? { account: bytesToHex(program) } : { problem: 'not the hash of a key' };
}

function readContract(text: string): Reading {
  if (!text.startsWith('0x')) return { problem: 'Address must be prefixed with 0x' };
  const digits = text.slice(2);
  if (digits.length !== 2 * ACCOUNT_BYTES) return { problem: `invalid length ${digits.length}, expected 40` };
  return isHex(digits) ? { account: digits.toLowerCase() } : { problem: 'invalid hex' };
}
