import type { Want } from '../../../../machines/definition.ts';
import { currentPrepared, type PreparedRecord } from '../../../../machines/journal/context.ts';
import type { DexFee } from '../../../htlc/dex-fee.ts';
import { messageMissing } from '../../../htlc/error-texts.ts';
import type { SwapMessage } from '../../../ports/peers.ts';
import { dearerForPrice, nextVariant } from '../fee-bumps.ts';
import {
  append,
  ask,
  broadcastOwn,
  latestClock,
  type Proposal,
  resend,
  shownNote,
  sign,
  type Turn,
  wakeAt,
  wakeIn,
} from '../turn.ts';
import { takenBeforePaying, takenFee } from './own-things.ts';
import { deadlineReached, lateText, transactionOf } from './pay.ts';
import { isDue, justTaken, shownVariant, variantToSend } from './variants.ts';
import { waitedTooLong } from './waiting.ts';

/** Sends the taker's fee, at most once: after a crash, it sends the transaction in the log. */
export function sendTakerFee(turn: Turn, want: Want): Proposal {
  const { swap, events, journal, facts } = turn;
  const fee = events.fee();
  if (fee.kind === 'none') return append({ type: 'TakerFeeSent', data: { tx_hex: '', tx_hash: '' } });
  // Before anything else: a fee that a node has is paid, whatever its time and the fate of its other variants.
  const paid = justTaken(turn, 'fee');
  if (paid !== null) return append(...paid.accepted, { type: 'TakerFeeSent', data: transactionOf(paid.record) });
  const record = currentPrepared(journal, 'fee');
  const taken = record === null ? takenBeforePaying(turn) : null;
  if (taken !== null) return append({ type: 'TakerFeeSendFailed', data: { error: taken } });
  if (want.until !== undefined && latestClock(turn) > want.until) {
    return append(deadlineReached(turn, want), { type: 'TakerFeeSendFailed', data: { error: lateText(turn, want) } });
  }
  if (want.until !== undefined) wakeAt(turn, want.until + 1);
  if (record === null) {
    const fault = facts.tries.get(`${swap.own}:prepare:fee`);
    if (fault !== undefined && (fault.kind === 'insufficientFunds' || fault.kind === 'unsupported')) {
      return append({ type: 'TakerFeeSendFailed', data: { error: fault.message } });
    }
  }
  if (record === null) return signFee(turn, fee, null);
  const variants = journal.prepared.fee.filter(({ dead }) => !dead);
  const shown = shownVariant(turn, swap.own, variants);
  if ('pending' in shown) return shown.pending;
  if (shown.value !== null) {
    const note = shownNote(turn, { purpose: 'fee', ...shown.value });
    return append(...note, { type: 'TakerFeeSent', data: transactionOf(shown.value.record) });
  }
  const chosen = variantToSend(turn, swap.own, variants) ?? record;
  if (chosen === record && isDue(turn, dearerForPrice(turn, record))) {
    const dearer = signFee(turn, fee, record);
    // A wallet that signs nothing more expensive now must not hold back what is already signed.
    if (dearer !== null) return dearer;
  }
  const sent = broadcastOwn(turn, swap.own, { purpose: 'fee', record: chosen });
  if ('pending' in sent) return sent.pending;
  return append(...sent.accepted, { type: 'TakerFeeSent', data: transactionOf(chosen) });
}

function signFee(turn: Turn, { feeSat, burnSat }: DexFee, replaced: PreparedRecord | null): Proposal {
  const urgency = replaced === null ? 0 : nextVariant(turn, 'fee', replaced).urgency;
  const request = { purpose: 'fee', feeSat, burnSat, urgency, replaces: replaced?.tx ?? null } as const;
  return sign(turn, { leg: turn.swap.own, purpose: 'fee', request, target: null, urgency });
}

/**
 * The maker waits for the taker's fee and checks it. A taker who pays none says so with an empty transaction, and there is nothing to ask a chain
 * about.
 */
export function waitForTakerFee(turn: Turn, want: Want): Proposal {
  const { swap, events, facts } = turn;
  const message = facts.inbox.get('takerFee');
  if (message?.kind === 'takerFee' && events.fee().kind === 'none')
    return feeValidated(turn, { ...message, tx: { tx_hex: '', tx_hash: '' } });
  if (message?.kind === 'takerFee') {
    const taken = takenFee(turn, message.tx.tx_hash);
    // Someone may have repeated another swap's message here: this swap's fee may still come.
    if (taken !== null && want.wait !== undefined) return deadline(turn, want, { taken }) ?? askForFee(turn);
    if (taken !== null) return append({ type: 'TakerFeeValidateFailed', data: { error: taken } });
    const verdict = checkFee(turn, message);
    if (verdict !== 'ask') return verdict ?? deadline(turn, want);
    const check = events.feeCheck(message.tx);
    return ask(turn, swap.other, { op: 'checkFee', check }) ?? deadline(turn, want);
  }
  return deadline(turn, want) ?? askForFee(turn);
}

/** A taker that knows that both agree reports its fee repeatedly. */
function askForFee(turn: Turn): Proposal {
  const { swap, policy } = turn;
  const message = { kind: 'negotiated', accepted: true } as const;
  return resend(turn, { topic: `swap/${swap.uuid}`, message, every: policy.resend.fee });
}

type FeeMessage = Extract<SwapMessage, { readonly kind: 'takerFee' }>;

function feeValidated({ swap }: Turn, { tx, instructions = null }: FeeMessage): Proposal {
  const told = { type: 'MakerPaymentInstructionsReceived', data: instructions };
  return append(...(swap.state === 'instructionsReceived' ? [] : [told]), { type: 'TakerFeeValidated', data: tx });
}

function checkFee(turn: Turn, message: FeeMessage): Proposal | 'ask' {
  const { facts, policy } = turn;
  const seen = facts.feeCheck;
  if (seen === null) return 'ask';
  if (seen.value === null) return feeValidated(turn, message);
  if (facts.feeChecks > policy.feeCheck.retries) {
    return append({ type: 'TakerFeeValidateFailed', data: { error: seen.value } });
  }
  return turn.now - seen.at >= policy.feeCheck.pause * 1000 ? 'ask' : wakeIn(turn, policy.feeCheck.pause);
}

/** `taken`: why the named fee is not valid, if one was named. */
function deadline(turn: Turn, want: Want, { taken }: { readonly taken?: string } = {}): Proposal {
  const { wait } = want;
  const elapsed = wait === undefined ? null : waitedTooLong(turn, wait);
  if (wait === undefined || elapsed === null) return null;
  const error = taken ?? messageMissing(elapsed, wait.limit);
  return append(deadlineReached(turn, want), { type: 'TakerFeeValidateFailed', data: { error } });
}
