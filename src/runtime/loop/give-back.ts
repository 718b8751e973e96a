import type { PreparedTransaction, SignedTransaction } from '../../ports/chain.ts';
import { shortReason } from '../errors.ts';
import { isLogged, type Signed } from '../swap/signed.ts';
import { type Ask, type Drivable, isAtRest } from './drivable.ts';
import { about, type Loop, move } from './loop.ts';
import type { Loose, Slot } from './slot.ts';

/*
 * Returns to a wallet what it signed and no runner will broadcast, so its coins are not reserved in vain.
 *
 * - Y1: it returns nothing that a log holds, or that a runner may still put there.
 * - Y3: it does not return what belongs to another swap, even if a wallet gave it to both.
 * - Y2: after an append failed, it returns nothing: the log may still hold the records. The next successful append of
 *   the stream rules that out, and so does a log that holds something in their place: either those records, or others
 *   that exclude them.
 */

/** Returns what the slot's runner cannot use. */
export function giveBack(loop: Loop, slot: Slot): void {
  const { driven } = slot;
  const unused = driven?.signed?.unused() ?? [];
  if (driven !== null) for (const { purpose, tx } of unused) loosen(slot, coinOf(driven, purpose), tx);
  const { leftovers } = slot;
  const { loose } = leftovers;
  if (leftovers.uncertain !== null || loose === null) return;
  leftovers.loose = null;
  const current = loop.slots.get(slot.stream)?.driven ?? driven;
  for (const { coin, tx } of loose) if (!isInUse(current, tx)) release(loop, slot, { coin, tx });
}

/** An append failed: its records may be in the log from this place of the stream on (Y2). */
export function noteUncertain({ leftovers }: Slot, from: number): void {
  leftovers.uncertain ??= from;
}

/** The log holds this many records of the stream, which settles what was uncertain before the last of them. */
export function noteStored({ leftovers }: Slot, length: number): void {
  if (leftovers.uncertain !== null && length > leftovers.uncertain) leftovers.uncertain = null;
}

function loosen({ leftovers }: Slot, coin: string | null, tx: PreparedTransaction): void {
  if (coin !== null) leftovers.loose = [...(leftovers.loose ?? []), { coin, tx }];
}

function coinOf({ coins, look }: Drivable, purpose: Signed['purpose']): string | null {
  // Transactions signed for watchers take nothing from a wallet.
  if (purpose === 'claimPreimage' || purpose === 'refundPreimage') return null;
  return coins[look().legOf(purpose)];
}

function isInUse(driven: Drivable | null, { tx_hash }: SignedTransaction): boolean {
  if (driven === null) return false;
  if (isLogged(driven.look().journal, tx_hash)) return true;
  return driven.signed?.kept().some(({ tx }) => tx.tx_hash === tx_hash) === true;
}

function release({ gates, logger, claims }: Loop, slot: Slot, { coin, tx }: Loose): void {
  if (claims.of(slot.stream).transaction(tx.tx_hash) !== null) return;
  try {
    gates.get(coin)?.chain.release([tx]);
  } catch (error) {
    logger.error('release failed', about(slot, { coin, reason: shortReason(error) }));
  }
}

/** A wallet's answer that came too late for its question: it is used if it still fits, otherwise returned. */
export function takeLate(
  loop: Loop,
  slot: Slot,
  { command, coin, tx }: { readonly command: Ask; readonly coin: string; readonly tx: PreparedTransaction },
): void {
  const { question, key } = command;
  if (question.op !== 'prepare' || loop.claims.of(slot.stream).transaction(tx.tx_hash) !== null) return;
  const purpose = key.slice(key.lastIndexOf(':') + 1) as Signed['purpose'];
  const isGone = slot.state.doing.mode === 'gone';
  if (!isGone && slot.driven?.signed?.keep({ purpose, request: question.request, tx }) === true) {
    move(loop, slot, { type: 'wake' });
    return;
  }
  loosen(slot, coin, tx);
  giveBack(loop, slot);
}

/** A new runner takes over what the earlier one had signed, unless it may have caused that one's fault. */
export function carryOver(loop: Loop, slot: Slot, before: Drivable | null): void {
  const { driven } = slot;
  if (before === null || before.signed === undefined || driven === null) return;
  for (const { purpose, tx } of before.signed.unused()) loosen(slot, coinOf(before, purpose), tx);
  for (const signed of before.signed.kept()) {
    const coin = coinOf(before, signed.purpose);
    if (slot.state.counts.failures > 0 || driven.signed?.keep(signed) !== true) loosen(slot, coin, signed.tx);
    else if (coin !== null) loop.gates.get(coin)?.chain.reserve([signed.tx]);
  }
  giveBack(loop, slot);
}

/** The swap is over: what no node has accepted by now is returned too. */
export function giveBackAll(loop: Loop, slot: Slot): void {
  const { driven } = slot;
  if (driven === null || slot.leftovers.uncertain !== null) return;
  giveBack(loop, slot);
  for (const { purpose, tx } of driven.signed?.kept() ?? []) {
    const coin = coinOf(driven, purpose);
    if (coin !== null && !isLogged(driven.look().journal, tx.tx_hash)) release(loop, slot, { coin, tx });
  }
  releaseUntaken(loop, slot, driven);
}

/**
 * The swap is at rest: what no node has accepted by now will not be sent any more, and would block whatever the same
 * account pays later.
 */
export function giveBackUntaken(loop: Loop, slot: Slot): void {
  const { driven } = slot;
  if (driven !== null && slot.leftovers.uncertain === null && isAtRest(driven.look()))
    releaseUntaken(loop, slot, driven);
}

function releaseUntaken(loop: Loop, slot: Slot, { coins, look }: Drivable): void {
  const { journal, legOf } = look();
  for (const [purpose, records] of Object.entries(journal.prepared)) {
    const coin = coins[legOf(purpose as keyof typeof journal.prepared)];
    for (const { tx, acceptedAt } of records)
      if (coin !== null && acceptedAt === null) release(loop, slot, { coin, tx });
  }
}
