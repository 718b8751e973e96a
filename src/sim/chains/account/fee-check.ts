import {
  feeDiffersFromNode,
  feeExpired,
  feeOfAnotherSender,
  feeScriptWrong,
  feeTooLow,
  feeTooOld,
} from '../../../htlc/error-texts.ts';
import type { FeeCheck } from '../../../ports/chain.ts';
import { type ChainView, isTooOld } from '../blocks.ts';
import { type AccountState, depthIn } from './state.ts';

/** Why a transaction is not the requested trading fee, in KDF's words; null if it is. */
export function feeProblem(state: AccountState, check: FeeCheck, view: ChainView): string | null {
  const { codec, entries } = state;
  const { tx, hash } = check;
  const given = tx === null ? null : codec.decode(tx);
  if (tx !== null && given?.id !== hash) return feeDiffersFromNode(hash, given?.id ?? 'unreadable bytes');
  const entry = entries.get(hash);
  const depth = entry === undefined ? -1 : depthIn(view, entry);
  if (entry === undefined || depth < 0) return `Provided dex fee tx ${hash} is not found`;
  const { from, call, value } = entry.tx;
  if (from !== codec.addressOf(check.payer)) return feeOfAnotherSender();
  if (depth > 0 && entry.height < check.minHeight) return feeTooOld(hash, check.minHeight);
  if (depth > 0 && isTooOld(state.list, entry.height, check)) return feeExpired(hash);
  if (depth > 0 && !entry.succeeded) return `Provided dex fee tx ${hash} is reverted`;
  if (call.kind !== 'transfer' || call.party !== codec.feeAddress) return feeScriptWrong(call.party, codec.feeAddress);
  const least = check.feeSat ?? 0n;
  return value < least ? feeTooLow(value, least) : null;
}
