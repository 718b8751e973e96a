import { contractCallsOf, type PlacedCall } from '../../../htlc/contract-output.ts';
import { decodeSwapCall, decodeTransfer, RECEIVER_SPEND, type SwapCall } from '../../../htlc/evm-calls.ts';
import { inputKey } from '../../../htlc/key-input.ts';
import { qtumAccount } from '../../../htlc/qtum-address.ts';
import { p2pkhScript } from '../../../htlc/script.ts';
import { bytesToHex, hexToBytes } from '../../../primitives/hex.ts';
import { type Made, madeOf } from '../made.ts';
import type { ChainIndex, Seen } from '../reader.ts';

/** A call of the swap contract that a transaction makes. */
export type MadeCall = {
  readonly txid: string;
  readonly hex: string;
  /** Place of the output that calls. */
  readonly vout: number;
  /** The account that calls; undefined where the bytes alone do not tell. */
  readonly from: string | undefined;
  readonly call: SwapCall;
  /** The secret that a claim shows, 32 bytes in hex; null for any other call. */
  readonly secret: string | null;
};

const SELECTOR_AND_TWO_WORDS = 8 + 2 * 64;

/** The calls of one swap contract that a transaction makes, in the order of its outputs. */
export function swapCallsOf(made: Pick<Made, 'txid' | 'hex' | 'tx'>, contract: string): readonly MadeCall[] {
  return placedCalls(made.tx).flatMap((placed) => {
    if (placed.contract !== contract) return [];
    const call = decodeSwapCall({ to: contract, value: placed.value, data: placed.data });
    if (call === undefined) return [];
    const data = bytesToHex(placed.data);
    const isClaim = data.startsWith(RECEIVER_SPEND);
    const secret = isClaim ? data.slice(SELECTOR_AND_TWO_WORDS, SELECTOR_AND_TWO_WORDS + 64) : null;
    const { txid, hex } = made;
    return [{ txid, hex, vout: placed.vout, from: callerOf(made.tx, placed), call, secret }];
  });
}

const known = new WeakMap<Made['tx'], readonly PlacedCall[]>();

/** Cached: some transactions are read again and again. */
export function placedCalls(tx: Made['tx']): readonly PlacedCall[] {
  const found = known.get(tx) ?? contractCallsOf(tx.outputs);
  known.set(tx, found);
  return found;
}

/** The account that the output names, or else that of the key in the first input. */
export function callerOf(tx: Made['tx'], { sender }: Pick<PlacedCall, 'sender'>): string | undefined {
  if (sender !== undefined) return sender;
  const key = tx.inputs[0] === undefined ? undefined : inputKey(tx.inputs[0]);
  return key === undefined ? undefined : qtumAccount(key);
}

/** Place of the main call of a transaction, the last one: approvals precede it. Undefined if there is no call. */
export function mainCall(tx: Made['tx']): number | undefined {
  return placedCalls(tx).at(-1)?.vout;
}

/** The transfer of a token by an output, with its sender. */
export type MadeTransfer = { readonly to: string; readonly amount: bigint; readonly from: string | undefined };

/** Null if the output does not transfer this token. */
export function transferAt(
  tx: Made['tx'],
  { vout, token }: { readonly vout: number; readonly token: string },
): MadeTransfer | null {
  const placed = placedCalls(tx).find((one) => one.vout === vout);
  if (placed?.contract !== token) return null;
  const transfer = decodeTransfer({ to: token, value: placed.value, data: placed.data });
  if (transfer?.token !== true) return null;
  return { to: transfer.to, amount: transfer.amount, from: callerOf(tx, placed) };
}

/** The script of the ordinary address of an account, in hex. */
export function scriptOfAccount(account: string): string {
  return bytesToHex(p2pkhScript(hexToBytes(account)));
}

/**
 * Everything that pays to or spends from the ordinary address of an account. This includes every call that it makes, except those that someone else
 * pays for.
 */
export function seenOfAccount(index: ChainIndex, account: string): readonly Seen[] {
  const script = scriptOfAccount(account);
  const found = new Set<Seen>();
  for (const seen of index.paying(script)) {
    found.add(seen);
    for (const [vout, output] of seen.tx.outputs.entries()) {
      if (bytesToHex(output.script) !== script) continue;
      for (const taker of index.takers(seen.txid, vout)) found.add(taker);
    }
  }
  return [...found];
}

/** The bytes of a transaction that someone shows; null if they are not a transaction. */
export function shownOf(hex: string | undefined): Made | null | undefined {
  return hex === undefined ? undefined : madeOf(hex.toLowerCase());
}
