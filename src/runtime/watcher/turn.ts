import { variantWith } from '../../../machines/journal/context.ts';
import type { WatcherContext } from '../../../machines/watcher/context.ts';
import type { Purpose } from '../../events/journal.ts';
import type { StoredTransaction } from '../../events/payloads.ts';
import type { StopReason, Watch, WatchTiming } from '../../events/watcher.ts';
import type { Millis } from '../../primitives/time.ts';
import { type Leg, NEVER, type NewEvent } from '../command.ts';
import { withFinality } from '../finality.ts';
import { latestBy, shownNote, type Turn } from '../swap/turn.ts';
import { type WatcherInputs, type WatcherRunner, type WatcherView, watcherStateOf, watcherViewOf } from './runner.ts';

/** One decision of a watcher about a requested watch. */
export type WatcherTurn = Pick<Turn, 'now' | 'journal' | 'facts' | 'policy' | 'wakeAt' | 'spare'> & {
  readonly state: string;
  readonly context: WatcherContext;
  readonly watch: Watch;
  readonly timing: WatchTiming;
  /** For the looks at payments that swaps and watches share. */
  readonly swap: WatcherView;
  readonly inputs: WatcherInputs;
};

/** What a runner knows at a moment; null before the watch is requested. */
export function watcherTurn(runner: WatcherRunner, now: Millis): WatcherTurn | null {
  const { journal, facts, policy, position } = runner;
  const { context } = position;
  const swap = watcherViewOf(runner);
  const { timing } = context;
  if (swap === null || timing === null) return null;
  const { watch } = swap;
  const traits = withFinality(runner.inputs.traits, policy.finality, swap.amounts);
  const inputs = traits === runner.inputs.traits ? runner.inputs : { ...runner.inputs, traits };
  const state = watcherStateOf(runner);
  return { now, journal, facts, policy, wakeAt: NEVER, state, context, watch, timing, swap, inputs };
}

export function stopped(reason: StopReason, error: string | null = null): NewEvent {
  return { type: 'Stopped', data: { reason, error: error === null ? null : error.slice(0, 500) } };
}

/** A moment that has passed by the latest of the host's clock and both chains' clocks, and by which of them. */
export function deadlineReached(turn: WatcherTurn, moment: { readonly kind: string; readonly at: Millis }): NewEvent {
  return { type: 'DeadlineReached', data: { kind: moment.kind, deadline: moment.at, clock: latestBy(turn) } };
}

/** Whether this watcher may have broadcast the transaction. */
export function wasAttempted({ journal }: WatcherTurn, purpose: Purpose, hash: string): boolean {
  return journal.prepared[purpose].some(({ tx, attemptedAt }) => tx.tx_hash === hash && attemptedAt !== null);
}

/** The journal's record that a node accepted a transaction of this watcher, if the log does not hold that yet. */
export function knownNow(
  turn: WatcherTurn,
  {
    purpose,
    tx_hash,
    confirmations,
  }: { readonly purpose: Purpose; readonly tx_hash: string; readonly confirmations: number },
): readonly NewEvent[] {
  const record = variantWith(turn.journal.prepared[purpose], tx_hash);
  return shownNote(turn, { purpose, record, confirmations });
}

type Settling = {
  readonly how: 'claimed' | 'refunded';
  readonly by: 'self' | 'counterparty';
  readonly tx: Pick<StoredTransaction, 'tx_hash'> | null;
  readonly confirmations: number;
};

/** The final end of a payment; `counterparty` stands for either party of the swap. */
export function settled(payment: Leg, { how, by, tx, confirmations }: Settling): NewEvent {
  return { type: 'PaymentSettled', data: { payment, how, by, tx_hash: tx?.tx_hash ?? null, confirmations } };
}

export function plain({ tx_hex, tx_hash }: StoredTransaction): { tx_hex: string; tx_hash: string } {
  return { tx_hex, tx_hash };
}
