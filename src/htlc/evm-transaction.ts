import { keccak256 } from '../primitives/hash.ts';
import { bytesToHex } from '../primitives/hex.ts';
import { pointOfKey } from './curve-point.ts';
import { bytesNumber, decodeRlpList } from './rlp.ts';

/** The part of an EVM transaction that a swap's terms determine. */
export type EvmTransaction = {
  /** Address of the callee, 40 lower-case hex digits; undefined for a contract creation. */
  readonly to: string | undefined;
  /** In wei. */
  readonly value: bigint;
  readonly data: Uint8Array;
};

/** The index of `to`, by the type byte of EIP-2718; `value` and `data` follow it. Undefined denotes a legacy transaction. */
const POSITION_OF_TO: Readonly<Record<string, number>> = { legacy: 3, '1': 4, '2': 5 };

/**
 * Reads the callee, value and call data of a signed transaction: legacy, or of type 1 (EIP-2930) or 2 (EIP-1559). Undefined for
 * other bytes. Never throws.
 *
 * @example
 * ```ts
 * import { decodeEvmTransaction, hexToBytes } from 'swapfold/htlc';
 *
 * // The example of EIP-155.
 * const raw = hexToBytes(
 *   'f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025' +
 *     'a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb7' +
 *     '03304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
 * );
 * const { to, value } = decodeEvmTransaction(raw) ?? {};
 * [to, value]; // → ['35'.repeat(20), 10n ** 18n]
 * decodeEvmTransaction(raw.subarray(1)); // → undefined
 * ```
 */
export function decodeEvmTransaction(raw: Uint8Array): EvmTransaction | undefined {
  const type = raw[0] ?? 0;
  const typed = type >= 1 && type <= 4;
  const position = POSITION_OF_TO[typed ? String(type) : 'legacy'];
  if (position === undefined) return undefined;
  const items = decodeRlpList(typed ? raw.subarray(1) : raw);
  if (items === undefined) return undefined;
  const [to, value, data] = [items[position], items[position + 1], items[position + 2]];
  if (to === undefined || value === undefined || data === undefined) return undefined;
  if (items.slice(0, position + 3).some(({ isList }) => isList)) return undefined;
  if ((to.content.length !== 0 && to.content.length !== 20) || value.content.length > 32) return undefined;
  const callee = to.content.length === 0 ? undefined : bytesToHex(to.content);
  return { to: callee, value: bytesNumber(value.content), data: data.content };
}

/** A contract call: its selector as 8 hex digits, and the words of its arguments. */
export type EvmCall = { readonly selector: string; readonly words: readonly Uint8Array[] };

const WORD = 32;
const MAX_WORDS = 32;

/**
 * The call in a transaction; undefined if its data is not a whole number of words after four bytes.
 *
 * @example
 * ```ts
 * import { balanceCall, evmCall, hexToBytes } from 'swapfold/htlc';
 *
 * const data = hexToBytes(balanceCall('22'.repeat(20)));
 * const call = evmCall({ to: '44'.repeat(20), value: 0n, data });
 * call?.selector; // → '70a08231'
 * call?.words; // → [hexToBytes('22'.repeat(20).padStart(64, '0'))]
 * ```
 */
export function evmCall({ data }: EvmTransaction): EvmCall | undefined {
  const count = (data.length - 4) / WORD;
  if (!Number.isInteger(count) || count < 0 || count > MAX_WORDS) return undefined;
  const words = Array.from({ length: count }, (_, index) => data.subarray(4 + index * WORD, 4 + (index + 1) * WORD));
  return { selector: bytesToHex(data.subarray(0, 4)), words };
}

/**
 * The account of a compressed secp256k1 key, 40 lower-case hex digits; undefined if the key is not a point of the curve.
 *
 * @example
 * ```ts
 * import { evmAddress, hexToBytes } from 'swapfold/htlc';
 *
 * const key = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
 * evmAddress(key); // → '7e5f4552091a69125d5dfcb7b8c2659029395bdf'
 * evmAddress(key.subarray(1)); // → undefined
 * ```
 */
export function evmAddress(key: Uint8Array): string | undefined {
  const point = pointOfKey(key);
  return point === undefined ? undefined : bytesToHex(keccak256(point)).slice(24);
}
