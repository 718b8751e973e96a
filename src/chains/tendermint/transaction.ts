import { secp256k1 } from '@noble/curves/secp256k1.js';
import { curve, hasLowS, type VerifyRequest } from '../../curve/index.ts';
import { tendermintAccount } from '../../htlc/tendermint-address.ts';
import { encodeTendermintMessage, type ModuleCoin, type TendermintMessage } from '../../htlc/tendermint-messages.ts';
import {
  decodeTendermintTransaction,
  encodeTendermintTransaction,
  type SigningContext,
  signingHash,
  type TendermintDraft,
  unsignedParts,
} from '../../htlc/tendermint-transaction.ts';
import type { Signer } from '../../ports/signer.ts';
import { bytesToHex, hexToBytes, isHex, sameBytes } from '../../primitives/hex.ts';

/** A signed transaction. The chain that includes it has checked its signature. */
export type Made = {
  /** SHA-256 of its bytes, 64 hex digits. */
  readonly id: string;
  readonly hex: string;
  /** Its signer's account, 40 hex digits. */
  readonly from: string;
  readonly sequence: number;
  readonly messages: readonly TendermintMessage[];
  readonly memo: string;
  /** The last block that may include it; 0 for any. */
  readonly timeout: number;
  readonly gas: bigint;
  readonly fee: readonly ModuleCoin[];
};

const LONGEST_HEX = 2_000_000;

/** Decodes a transaction with one signer; null for any other bytes. */
export function madeOf(hex: string): Made | null {
  if (hex === '' || hex.length > LONGEST_HEX || !isHex(hex)) return null;
  const read = decodeTendermintTransaction(hexToBytes(hex));
  const from = read === undefined ? undefined : tendermintAccount(read.key);
  if (read === undefined || from === undefined) return null;
  const { id, messages, memo, timeoutHeight, gas, fee, sequence } = read;
  const [number, timeout] = [Number(sequence), Number(timeoutHeight)];
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(timeout)) return null;
  return { id, hex: hex.toLowerCase(), from, sequence: number, messages, memo, timeout, gas, fee };
}

/** Whether bytes are a transaction that this key has signed. */
export function isSignedBy(
  hex: string,
  { key, context }: { readonly key: Uint8Array; readonly context: SigningContext },
): boolean {
  const read = hex.length > LONGEST_HEX || !isHex(hex) ? undefined : decodeTendermintTransaction(hexToBytes(hex));
  if (read === undefined || read.signature.length !== 64 || !sameBytes(read.key, key)) return false;
  return isGood({ hash: signingHash(read, context), signature: read.signature, publicKey: key });
}

/** @throws what the signer throws; Error if its signature does not fit its key. */
export async function signed(draft: TendermintDraft, { signer, context }: Signing): Promise<Made> {
  const parts = unsignedParts(draft);
  const hash = signingHash(parts, context);
  const signature = await (signer.signDirect?.({ ...parts, ...context }) ?? compactOf(signer, hash));
  if (!isGood({ hash, signature, publicKey: signer.key })) throw new Error('the signature does not match the key');
  const made = madeOf(bytesToHex(encodeTendermintTransaction(draft, signature)));
  if (made === null) throw new Error('the signed bytes cannot be read');
  return made;
}

async function compactOf(signer: Signer, hash: Uint8Array): Promise<Uint8Array> {
  return secp256k1.Signature.fromBytes(await signer.sign(hash), 'der').toBytes('compact');
}

function isGood(request: VerifyRequest): boolean {
  return hasLowS(request.signature) && curve.verify(request);
}

export type Signing = { readonly signer: Signer; readonly context: SigningContext };

/** Name of the sequence that a transaction takes, in the lists of what transactions take. */
export function slotOf({ from, sequence }: Pick<Made, 'from' | 'sequence'>): string {
  return `${from}:${sequence}`;
}

/** Whether no later block may include it. */
export function isOver({ timeout }: Pick<Made, 'timeout'>, height: number): boolean {
  return timeout !== 0 && height >= timeout;
}

/** What a transaction takes from its account of a denomination at most, in base units. */
export function takenBy({ messages, fee }: Made, denom: string): bigint {
  const spent = messages.flatMap((message) =>
    message.kind === 'send' || message.kind === 'create' ? message.coins : [],
  );
  return [...fee, ...spent].reduce((sum, coin) => sum + (coin.denom === denom ? coin.amount : 0n), 0n);
}

/** Whether two do the same, whatever they cost. */
export function doSame(left: Pick<Made, 'messages' | 'memo'>, right: Pick<Made, 'messages' | 'memo'>): boolean {
  const textOf = ({ messages, memo }: Pick<Made, 'messages' | 'memo'>) =>
    [memo, ...messages.map((message) => bytesToHex(encodeTendermintMessage(message)))].join(' ');
  return textOf(left) === textOf(right);
}
