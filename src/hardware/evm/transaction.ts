import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatBytes } from '../../htlc/byte-writer.ts';
import { evmAddress } from '../../htlc/evm-transaction.ts';
import { bytesNumber, decodeRlpList, numberBytes, rlpList, rlpText } from '../../htlc/rlp.ts';
import type { DeviceTransaction } from '../../ports/hardware-wallet.ts';
import { keccak256 } from '../../primitives/hash.ts';
import { hexToBytes, sameBytes } from '../../primitives/hex.ts';

/** A signature of a transaction: r and s of 32 bytes each, and the recovery bit. */
export type EvmSignature = { readonly r: Uint8Array; readonly s: Uint8Array; readonly yParity: 0 | 1 };

const EIP1559_TYPE = 2;

/** The 32-byte hash that the account signs: by EIP-155 with the chain id, or by EIP-1559. */
export function signingHash(transaction: DeviceTransaction): Uint8Array {
  const { fee, chainId } = transaction;
  if (fee.kind === 'legacy') {
    return keccak256(rlpList([...body(transaction), numberBytes(BigInt(chainId)), EMPTY, EMPTY].map(rlpText)));
  }
  return keccak256(
    concatBytes([Uint8Array.of(EIP1559_TYPE), rlpList([...body(transaction).map(rlpText), rlpList([])])]),
  );
}

/** The signed transaction in the form that nodes accept. */
export function signedTransaction(transaction: DeviceTransaction, { r, s, yParity }: EvmSignature): Uint8Array {
  const { fee, chainId } = transaction;
  const numbers = [bytesNumber(r), bytesNumber(s)].map(numberBytes);
  if (fee.kind === 'legacy') {
    const v = BigInt(chainId) * 2n + 35n + BigInt(yParity);
    return rlpList([...body(transaction), numberBytes(v), ...numbers].map(rlpText));
  }
  const items = [
    ...body(transaction).map(rlpText),
    rlpList([]),
    ...[numberBytes(BigInt(yParity)), ...numbers].map(rlpText),
  ];
  return concatBytes([Uint8Array.of(EIP1559_TYPE), rlpList(items)]);
}

/**
 * The account that made a signature, 40 lower-case hex digits; undefined if there is none, and for a high S, which
 * nodes refuse.
 */
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

/**
 * The signature in bytes that encode exactly this transaction; undefined for all others, including another encoding of
 * it. Does not check who signed.
 */
export function signatureIn(raw: Uint8Array, transaction: DeviceTransaction): EvmSignature | undefined {
  const { fee, chainId } = transaction;
  const items = decodeRlpList(fee.kind === 'legacy' ? raw : raw.subarray(1)) ?? [];
  const [v, r, s] = items.slice(-3).map(({ content }) => content);
  if (v === undefined || r === undefined || s === undefined) return undefined;
  const parity = fee.kind === 'legacy' ? bytesNumber(v) - BigInt(chainId) * 2n - 35n : bytesNumber(v);
  if ((parity !== 0n && parity !== 1n) || r.length > 32 || s.length > 32) return undefined;
  const signature: EvmSignature = { r, s, yParity: parity === 0n ? 0 : 1 };
  return sameBytes(signedTransaction(transaction, signature), raw) ? signature : undefined;
}

/** The account of a public key of 33 bytes, 40 lower-case hex digits. @throws RangeError if the bytes are not a key */
export function addressOfKey(key: Uint8Array): string {
  const address = evmAddress(key);
  if (address === undefined) throw new RangeError('these bytes are not a public key');
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
  if (bytes.length > 32) throw new RangeError('a number in a signature has at most 32 bytes');
  const padded = new Uint8Array(32);
  padded.set(bytes, 32 - bytes.length);
  return padded;
}
