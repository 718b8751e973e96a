import {
  feeDiffersFromNode,
  feeExpired,
  feeOfAnotherSender,
  feeOfAnotherSwap,
  feeOutputMissing,
  feeScriptWrong,
  feeTooLow,
  feeTooOld,
} from '../../../htlc/error-texts.ts';
import type { FeeCheck } from '../../../ports/chain.ts';
import { isTooOld } from '../blocks.ts';
import type { Asked } from '../chain-model.ts';
import { depthIn, type UtxoState } from './state.ts';
import type { UtxoOutput, UtxoTransaction } from './transaction.ts';

/**
 * Why a transaction is not the requested trading fee, in KDF's words; null if it is. The payer's key must sign all inputs, or the fee must name its
 * swap; a fee that names another swap never counts.
 */
export function feeProblem(state: UtxoState, check: FeeCheck, { swap, view }: Asked): string | null {
  const { tx, hash } = check;
  const given = tx === null ? null : state.codec.decode(tx);
  if (tx !== null && given?.id !== hash) return feeDiffersFromNode(hash, given?.id ?? 'unreadable bytes');
  const entry = state.entries.get(hash);
  const depth = entry === undefined ? -1 : depthIn(view, entry);
  if (entry === undefined || depth < 0) return `Provided dex fee tx ${hash} is not found`;
  const named = entry.tx.outputs.find(({ kind, lock }) => kind === 'data' && lock !== '')?.lock;
  if (named !== undefined && named !== state.codec.nameOf(swap ?? '')) return feeOfAnotherSwap(hash);
  if (named === undefined && !isSignedBy(state, entry.tx, check.payer)) return feeOfAnotherSender();
  if (depth > 0 && entry.height < check.minHeight) return feeTooOld(hash, check.minHeight);
  if (depth > 0 && isTooOld(state.list, entry.height, check)) return feeExpired(hash);
  return (
    outputProblem(entry.tx, { place: 0, kind: 'dexFee', least: check.feeSat ?? 0n }) ?? burnProblem(entry.tx, check)
  );
}

function isSignedBy({ codec }: UtxoState, { inputs }: UtxoTransaction, payer: string): boolean {
  const address = codec.addressOf(payer);
  return inputs.every(({ unlock: { by, signer } }) => by === 'key' && signer === address);
}

function burnProblem(tx: UtxoTransaction, { feeSat, burnSat }: FeeCheck): string | null {
  return feeSat === null || burnSat === 0n ? null : outputProblem(tx, { place: 1, kind: 'burn', least: burnSat });
}

type Expected = { readonly place: number; readonly kind: UtxoOutput['kind']; readonly least: bigint };

function outputProblem({ id, outputs }: UtxoTransaction, { place, kind, least }: Expected): string | null {
  const output = outputs[place];
  if (output === undefined) return feeOutputMissing(id, place);
  if (output.kind !== kind) return feeScriptWrong(output.kind, kind);
  return output.value < least ? feeTooLow(output.value, least) : null;
}
