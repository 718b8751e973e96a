import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Hex, parseTransaction, type Signature, serializeTransaction, type TransactionSerializable } from 'viem';
import { curve } from '../../curve/index.ts';
import type { DeviceTransaction } from '../../ports/hardware-wallet.ts';
import type { Signer } from '../../ports/signer.ts';
import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex, sameBytes } from '../../primitives/hex.ts';

/** Wei per unit of gas. */
export type Price = {
  /** The most to pay, including the base fee. */
  readonly most: bigint;
  /** The most to offer above the base fee; for a legacy transaction, everything. */
  readonly tip: bigint;
};

/** What a transaction does, before it is signed. Hex without 0x. */
export type Draft = {
  readonly chainId: number;
  readonly nonce: number;
  /** Account or contract, 40 digits. */
  readonly to: string;
  /** Wei. */
  readonly value: bigint;
  readonly data: string;
  /** The most that it may use. */
  readonly gas: bigint;
  readonly price: Price;
  /** Whether it has the form from before EIP-1559, bound to its chain by EIP-155. */
  readonly legacy: boolean;
};

/** A signed transaction. */
export type Made = Omit<Draft, 'chainId' | 'to'> & {
  /** Keccak-256 of its bytes. */
  readonly id: string;
  readonly hex: string;
  /** The account that signed it. */
  readonly from: string;
  /** Null for one that any chain would accept. */
  readonly chainId: number | null;
  /** Null for the creation of a contract. */
  readonly to: string | null;
};

/** The type is written out: declarations that others read need no viem. */
export function hex0(text: string): `0x${string}` {
  return `0x${text}`;
}

function unhex(hex: string | null | undefined): string {
  return (hex ?? '0x').slice(2).toLowerCase();
}

const LONGEST_HEX = 2_000_000;

/** Finding the signer of bytes costs more than the rest of a look, and what waits is looked at again and again: so many are remembered, none longer. */
const MOST_KNOWN = 4096;
const LONGEST_KNOWN = 4096;
const known = new Map<string, Made | null>();

/** What bytes say that one account signed; null for any others, and for another spelling of the same. */
export function madeOf(hex: string): Made | null {
  if (hex.length > LONGEST_KNOWN) return read(hex);
  const before = known.get(hex);
  if (before !== undefined) return before;
  const made = read(hex);
  if (known.size === MOST_KNOWN) for (const oldest of [...known.keys()].slice(0, MOST_KNOWN / 2)) known.delete(oldest);
  known.set(hex, made);
  return made;
}

function read(hex: string): Made | null {
  if (hex === '' || hex.length > LONGEST_HEX || !isHex(hex)) return null;
  try {
    const parsed = parseTransaction(hex0(hex.toLowerCase())) as TransactionSerializable & Partial<Signature>;
    const { r, s, v, yParity, ...unsigned } = parsed;
    if (r === undefined || s === undefined) return null;
    const signature = {
      r,
      s,
      yParity: yParity ?? (v === undefined ? 0 : parityOf(v)),
      ...(v === undefined ? {} : { v }),
    };
    if (serializeTransaction(unsigned, signature as Signature) !== hex0(hex.toLowerCase())) return null;
    const from = signerOf(serializeTransaction(unsigned), signature);
    return { ...partsOf(unsigned), id: bytesToHex(keccak256(hexToBytes(hex))), hex: hex.toLowerCase(), from };
  } catch {
    return null;
  }
}

/** Of a legacy signature: 27 or 28, or 35 and 36 with twice the chain's id. */
function parityOf(v: bigint): number {
  return Number(v >= 35n ? (v - 35n) % 2n : v - 27n);
}

function partsOf(parsed: TransactionSerializable): Omit<Made, 'id' | 'hex' | 'from'> {
  const { chainId, nonce = 0, to, value = 0n, data, gas = 0n, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = parsed;
  const most = maxFeePerGas ?? gasPrice ?? 0n;
  return {
    chainId: chainId ?? null,
    nonce,
    to: to === null || to === undefined ? null : unhex(to),
    value,
    data: unhex(data),
    gas,
    price: { most, tip: gasPrice ?? maxPriorityFeePerGas ?? 0n },
    legacy: gasPrice !== undefined,
  };
}

function signerOf(unsigned: Hex, { r, s, yParity }: Pick<Signature, 'r' | 's'> & { readonly yParity: number }): string {
  const signature = hexToBytes(unhex(word(BigInt(r))) + unhex(word(BigInt(s))));
  const hash = keccak256(hexToBytes(unhex(unsigned)));
  const key = curve.recover({ hash, signature, recovery: yParity, compressed: false });
  if (key === undefined) throw new Error('the signature belongs to no key');
  return accountOf(key);
}

/**
 * The account of a public key of 65 bytes, or of 33.
 *
 * @example
 * ```ts
 * import { accountOf } from 'swapfold/chains/evm';
 * import { hexToBytes } from 'swapfold/htlc';
 *
 * const key = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
 * accountOf(key); // → '7e5f4552091a69125d5dfcb7b8c2659029395bdf'
 * accountOf(key.subarray(1)); // throws Error
 * ```
 */
export function accountOf(key: Uint8Array): string {
  const long = key.length === 65 ? key : secp256k1.Point.fromBytes(key).toBytes(false);
  return bytesToHex(keccak256(long.subarray(1))).slice(24);
}

/**
 * A public key of 33 bytes without compression, 130 hex digits.
 *
 * @example
 * ```ts
 * import { longKey } from 'swapfold/chains/evm';
 * import { hexToBytes } from 'swapfold/htlc';
 *
 * const x = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
 * const y = '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';
 * longKey(hexToBytes(`02${x}`)); // → `04${x}${y}`
 * ```
 */
export function longKey(key: Uint8Array): string {
  return bytesToHex(secp256k1.Point.fromBytes(key).toBytes(false));
}

/** @throws what the signer throws; Error if its signature does not fit its key. */
export async function signed(draft: Draft, signer: Signer): Promise<Made> {
  if (signer.signTransaction !== undefined) return checked(draft, await signer.signTransaction(wholeOf(draft)), signer);
  const unsigned = unsignedOf(draft);
  const hash = keccak256(hexToBytes(unhex(serializeTransaction(unsigned))));
  const parts = secp256k1.Signature.fromBytes(await signer.sign(hash), 'der');
  const { r, s } = parts;
  const compact = parts.toBytes('compact');
  for (const yParity of [0, 1]) {
    const found = curve.recover({ hash, signature: compact, recovery: yParity, compressed: true });
    if (found === undefined || !sameBytes(found, signer.key)) continue;
    const v = BigInt(draft.chainId) * 2n + 35n + BigInt(yParity);
    const signature = { r: word(r), s: word(s), yParity, ...(draft.legacy ? { v } : {}) } as Signature;
    const made = madeOf(unhex(serializeTransaction(unsigned, signature)));
    if (made !== null) return made;
  }
  throw new Error('the signature does not match the key');
}

/** In the form for keys that sign only whole transactions. */
function wholeOf({ chainId, nonce, to, value, data, gas, price, legacy }: Draft): DeviceTransaction {
  return {
    ...{ chainId, nonce: BigInt(nonce), gasLimit: gas, to: hex0(to), value, data: hexToBytes(data) },
    fee: legacy
      ? { kind: 'legacy', gasPrice: price.most }
      : { kind: 'eip1559', maxFeePerGas: price.most, maxPriorityFeePerGas: price.tip },
  };
}

/** A transaction from elsewhere is used only if it is this one, signed by the key. */
function checked(draft: Draft, raw: Uint8Array, { key }: Pick<Signer, 'key'>): Made {
  const made = madeOf(bytesToHex(raw));
  const bytes = made === null ? '' : serializeTransaction(unsignedOf(draftIn(made)));
  if (made === null || made.from !== accountOf(key) || bytes !== serializeTransaction(unsignedOf(draft))) {
    throw new Error('the signed transaction differs from the requested one, or another key signed it');
  }
  return made;
}

/** The draft of a signed transaction; a missing chain or receiver becomes one that no draft has. */
function draftIn({ chainId, to, nonce, value, data, gas, price, legacy }: Made): Draft {
  return { ...{ nonce, value, data, gas, price, legacy }, chainId: chainId ?? -1, to: to ?? '' };
}

/**
 * Whether the same can be signed at another price: what its owner signed elsewhere may create a contract, or use members that a draft does not have, such
 * as a list of authorizations, so that a draft of it would do something else.
 */
export function canBeDearer(made: Made): boolean {
  if (made.to === null || made.chainId === null) return false;
  const { r, s, v, yParity, ...unsigned } = parseTransaction(hex0(made.hex)) as TransactionSerializable &
    Partial<Signature>;
  return serializeTransaction(unsigned) === serializeTransaction(unsignedOf(draftIn(made)));
}

/** Whether it makes accounts run code by a list of authorizations (EIP-7702), which may move all that they have later. */
export function delegates({ hex }: Pick<Made, 'hex'>): boolean {
  return hex.startsWith('04');
}

/** Whether it pays for blobs beside its gas (EIP-4844). */
export function hasBlobs(hex: string): boolean {
  return hex.startsWith('03');
}

function unsignedOf({ chainId, nonce, to, value, data, gas, price, legacy }: Draft): TransactionSerializable {
  const common = { chainId, nonce, to: hex0(to), value, data: hex0(data), gas };
  if (legacy) return { ...common, type: 'legacy', gasPrice: price.most };
  return { ...common, type: 'eip1559', maxFeePerGas: price.most, maxPriorityFeePerGas: price.tip };
}

function word(value: bigint): Hex {
  return hex0(value.toString(16).padStart(64, '0'));
}

/** Name of the nonce that a transaction uses, in the lists of what transactions spend. */
export function slotOf({ from, nonce }: Pick<Made, 'from' | 'nonce'>): string {
  return `${from}:${nonce}`;
}

/** The most that its gas costs, in wei. */
export function feeOf({ gas, price }: Pick<Draft, 'gas' | 'price'>): bigint {
  return gas * price.most;
}
