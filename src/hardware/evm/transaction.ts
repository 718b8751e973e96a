import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatBytes } from '../../htlc/byte-writer.ts';
import { evmAddress } from '../../htlc/evm-transaction.ts';
import type { DeviceTransaction } from '../../ports/hardware-wallet.ts';
import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';

/** A signature over a transaction: two numbers of 32 bytes, and which of two keys made it. */
export type EvmSignature = { readonly r: Uint8Array; readonly s: Uint8Array; readonly yParity: 0 | 1 };

const EIP1559_TYPE = 2;

/** What the account signs, 32 bytes: by EIP-155 with the chain in it, or by EIP-1559. */
export function signingHash(transaction: DeviceTransaction): Uint8Array {
  const { fee, chainId } = transaction;
  if (fee.kind === 'legacy') {
    return keccak256(list([...body(transaction), numberBytes(BigInt(chainId)), EMPTY, EMPTY].map(text)));
  }
  return keccak256(concatBytes([Uint8Array.of(EIP1559_TYPE), list([...body(transaction).map(text), list([])])]));
}

/** The transaction with its signature, as nodes take it. */
export function signedTransaction(transaction: DeviceTransaction, { r, s, yParity }: EvmSignature): Uint8Array {
  const { fee, chainId } = transaction;
  const numbers = [bytesNumber(r), bytesNumber(s)].map(numberBytes);
  if (fee.kind === 'legacy') {
    const v = BigInt(chainId) * 2n + 35n + BigInt(yParity);
    return list([...body(transaction), numberBytes(v), ...numbers].map(text));
  }
  const items = [...body(transaction).map(text), list([]), ...[numberBytes(BigInt(yParity)), ...numbers].map(text)];
  return concatBytes([Uint8Array.of(EIP1559_TYPE), list(items)]);
}

/** The account that made a signature, 40 lower-case hex digits; undefined for none, or one in the form with a high S, which nodes refuse. */
export function signerOf(hash: Uint8Array, { r, s, yParity }: EvmSignature): string | undefined {
  try {
    const bytes = concatBytes([Uint8Array.of(yParity), pad(r), pad(s)]);
    const signature = secp256k1.Signature.fromBytes(bytes, 'recovered');
    if (signature.hasHighS()) return undefined;
    return evmAddress(signature.recoverPublicKey(hash).toBytes(true));
  } catch {
    return undefined;
  }
}

/** An address of 40 hex digits of whatever case in the mixed case of EIP-55, with 0x. */
export function checksumAddress(address: string): string {
  const digits = address.toLowerCase();
  const hash = bytesToHex(keccak256(new TextEncoder().encode(digits)));
  const mixed = [...digits].map((digit, index) => ((hash[index] ?? '0') >= '8' ? digit.toUpperCase() : digit));
  return `0x${mixed.join('')}`;
}

/** A number, most significant byte first, without leading zeros. */
export function numberBytes(value: bigint): Uint8Array {
  if (value === 0n) return EMPTY;
  const digits = value.toString(16);
  return hexToBytes(digits.length % 2 === 1 ? `0${digits}` : digits);
}

export function bytesNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

const EMPTY = new Uint8Array(0);

function body({ chainId, nonce, gasLimit, to, value, data, fee }: DeviceTransaction): readonly Uint8Array[] {
  const callee = to === null ? EMPTY : hexToBytes(to.slice(2).toLowerCase());
  if (fee.kind === 'legacy') {
    return [numberBytes(nonce), numberBytes(fee.gasPrice), numberBytes(gasLimit), callee, numberBytes(value), data];
  }
  const head = [BigInt(chainId), nonce, fee.maxPriorityFeePerGas, fee.maxFeePerGas, gasLimit].map(numberBytes);
  return [...head, callee, numberBytes(value), data];
}

function pad(bytes: Uint8Array): Uint8Array {
  if (bytes.length > 32) throw new RangeError('a number of a signature has at most 32 bytes');
  const padded = new Uint8Array(32);
  padded.set(bytes, 32 - bytes.length);
  return padded;
}

/** Ethereum's encoding of bytes (RLP). */
function text(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] ?? 0) < 0x80) return bytes;
  return concatBytes([head(0x80, bytes.length), bytes]);
}

/** The same of a list of what is encoded already. */
function list(items: readonly Uint8Array[]): Uint8Array {
  const inner = concatBytes(items);
  return concatBytes([head(0xc0, inner.length), inner]);
}

function head(base: number, length: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(base + length);
  const size = numberBytes(BigInt(length));
  return concatBytes([Uint8Array.of(base + 55 + size.length), size]);
}
