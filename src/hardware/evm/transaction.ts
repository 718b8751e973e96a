import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatBytes } from '../../htlc/byte-writer.ts';
import { evmAddress } from '../../htlc/evm-transaction.ts';
import type { DeviceTransaction } from '../../ports/hardware-wallet.ts';
import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes, sameBytes } from '../../primitives/hex.ts';

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

/** A number, most significant byte first, without leading zeros. */
export function numberBytes(value: bigint): Uint8Array {
  if (value === 0n) return EMPTY;
  const digits = value.toString(16);
  return hexToBytes(digits.length % 2 === 1 ? `0${digits}` : digits);
}

export function bytesNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

/**
 * The signature in bytes that are this transaction and nothing else; undefined for all others, another spelling of the same among them. It says nothing
 * of who signed.
 */
export function signatureIn(raw: Uint8Array, transaction: DeviceTransaction): EvmSignature | undefined {
  const { fee, chainId } = transaction;
  const [v, r, s, ...rest] = shortTexts(raw.subarray(raw.length - tailLength(raw, transaction)));
  if (v === undefined || r === undefined || s === undefined || rest.length > 0) return undefined;
  const parity = fee.kind === 'legacy' ? bytesNumber(v) - BigInt(chainId) * 2n - 35n : bytesNumber(v);
  if ((parity !== 0n && parity !== 1n) || r.length > 32 || s.length > 32) return undefined;
  const signature: EvmSignature = { r, s, yParity: parity === 0n ? 0 : 1 };
  return sameBytes(signedTransaction(transaction, signature), raw) ? signature : undefined;
}

/** How many bytes follow what the transaction itself is, where it is that. */
function tailLength(raw: Uint8Array, transaction: DeviceTransaction): number {
  const isTyped = transaction.fee.kind === 'eip1559';
  const own = concatBytes(body(transaction).map(text)).length + (isTyped ? 1 : 0);
  for (let headLength = 1; headLength <= 5; headLength += 1) {
    const inner = raw.length - headLength - (isTyped ? 1 : 0);
    if (inner > 0 && head(0xc0, inner).length === headLength) return Math.max(0, inner - own);
  }
  return 0;
}

/** Texts of at most 55 bytes, one after the other; those before the first that is none. */
function shortTexts(bytes: Uint8Array): readonly Uint8Array[] {
  const texts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const length = first < 0x80 ? 1 : first - 0x80;
    const start = first < 0x80 ? at : at + 1;
    if (length > 55 || start + length > bytes.length) break;
    texts.push(bytes.slice(start, start + length));
    at = start + length;
  }
  return texts;
}

/** The account of a public key of 33 bytes, 40 lower-case hex digits. @throws RangeError for bytes that are no key */
export function addressOfKey(key: Uint8Array): string {
  const address = evmAddress(key);
  if (address === undefined) throw new RangeError('these bytes are no public key');
  return address;
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
