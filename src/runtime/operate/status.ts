import type { FeesAllowed } from '../../../machines/journal/context.ts';
import type { NextStep, SwapFunds } from '../../../machines/swap-verdict.ts';
import { isOnOtherChain, PURPOSES, type Purpose } from '../../events/journal.ts';
import type { FaultKind } from '../../ports/chain.ts';
import type { SwapfoldError } from '../../primitives/error.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Leg } from '../command.ts';
import type { DearFee } from '../facts.ts';
import type { RunnerStatus } from '../host/metrics.ts';
import type { Drivable, DrivableView } from '../loop/drivable.ts';
import type { Slot } from '../loop/slot.ts';
import { type Doing, errorOf, statusOf, untilOf } from '../loop/slot-state.ts';

/** A question to a chain that failed last time. */
export type QuestionFault = {
  readonly leg: Leg;
  readonly coin: string | null;
  /** What was asked, such as `payment` or `broadcast`. */
  readonly op: string;
  readonly kind: FaultKind;
  /** In the adapter's words, without possible secrets. */
  readonly message: string;
  /** Consecutive faults. */
  readonly count: number;
  /** When it is asked again. */
  readonly nextTry: Millis;
  /** Why a transaction is not signed: no fee within its limit is enough. */
  readonly fee?: FeeAbove;
};

/**
 * A fee above the limit, in units of the coin that pays it: its transaction waits until prices fall or the limit rises.
 */
export type FeeAbove = DearFee & { readonly purpose: Purpose };

/** A signed transaction that may still confirm. Only the log holds its bytes. */
export type PendingTransaction = {
  readonly purpose: Purpose;
  readonly coin: string | null;
  readonly tx_hash: string;
  /** 0 for the first try, higher for each fee bump. */
  readonly urgency: number;
  readonly preparedAt: Millis;
  /** Since when someone else may have it; null while that is impossible. */
  readonly attemptedAt: Millis | null;
  readonly acceptedAt: Millis | null;
  /** Classification of the last refusal. */
  readonly refused: string | null;
};

/** Why nothing happens at present, and until when. */
export type Waiting = {
  readonly for: 'coin' | 'funds' | 'log' | 'answer' | 'network' | 'retry' | 'operator' | 'nextStep';
  /** One plain sentence. */
  readonly text: string;
  /** The latest time of the next look, in milliseconds since 1970; null if only an event ends the wait. */
  readonly until: Millis | null;
  /** The fault behind a wait for a fee within its limit. */
  readonly fee?: FeeAbove & Pick<QuestionFault, 'leg' | 'coin'>;
};

/** The status of a stream, and what its runner is doing. */
export type SwapStatus = {
  readonly stream: string;
  readonly uuid: string;
  readonly role: DrivableView['role'] | null;
  readonly coins: Readonly<Record<Leg, string | null>>;
  /** Null for a log that cannot be read. */
  readonly state: string | null;
  readonly outcome: string | null;
  readonly funds: SwapFunds | null;
  readonly next: NextStep | null;
  /** `none` for a stream that needs no runner. */
  readonly runner: RunnerStatus | 'none';
  readonly paused: boolean;
  /** When an operator ordered the recovery of its funds, in milliseconds since 1970; null without an order. */
  readonly recoverSince: Millis | null;
  /** The maximum that an operator allows for each fee on a chain, beyond the policy's limit. */
  readonly feesAllowed: Readonly<Record<Leg, FeesAllowed>>;
  readonly waiting: Waiting | null;
  readonly faults: readonly QuestionFault[];
  readonly transactions: readonly PendingTransaction[];
  /** Why the runner stopped, or why the log cannot be read. */
  readonly error: SwapfoldError | null;
};

/** Status of a stream from its drivable, with the slot that drives it, if any. */
export function statusOfDriven(driven: Drivable, slot: Slot | null): SwapStatus {
  const view = driven.look();
  const { role, state, outcome, funds, next, journal } = view;
  const faults = faultsOf(view, driven.coins);
  return {
    stream: driven.stream,
    uuid: uuidOf(driven.stream),
    role,
    coins: driven.coins,
    state,
    outcome,
    funds,
    next,
    runner: (slot === null ? null : statusOf(slot.state.doing)) ?? 'none',
    paused: journal.paused,
    recoverSince: journal.recoverSince,
    feesAllowed: journal.feesAllowed,
    waiting: slot === null ? null : waitingOf(slot, { driven, view, faults }),
    faults,
    transactions: pendingOf(view, driven.coins),
    error: slot === null ? null : errorOf(slot.state.doing),
  };
}

/** Status of a stream that could not be read. */
export function statusOfUnread(stream: string, given: Pick<SwapStatus, 'runner' | 'error' | 'waiting'>): SwapStatus {
  return {
    stream,
    uuid: uuidOf(stream),
    role: null,
    coins: { maker: null, taker: null },
    state: null,
    outcome: null,
    funds: null,
    next: null,
    paused: false,
    recoverSince: null,
    feesAllowed: { maker: null, taker: null },
    faults: [],
    transactions: [],
    ...given,
  };
}

function uuidOf(stream: string): string {
  return stream.slice(stream.indexOf('/') + 1);
}

function faultsOf({ tries }: DrivableView, coins: Drivable['coins']): readonly QuestionFault[] {
  const faults: QuestionFault[] = [];
  for (const [key, { count, next, kind, message, fee }] of tries) {
    if (count === 0) continue;
    const [leg, op = '', about] = key.split(':') as [Leg, string?, string?];
    const above = fee === undefined ? {} : { fee: { purpose: about as Purpose, ...fee } };
    faults.push({ leg, coin: coins[leg], op, kind: kind as FaultKind, message, count, nextTry: next, ...above });
  }
  return faults;
}

function pendingOf(view: DrivableView, coins: Drivable['coins']): readonly PendingTransaction[] {
  const { journal, legOf } = view;
  const pending: PendingTransaction[] = [];
  for (const purpose of PURPOSES) {
    if (isOver(view, purpose)) continue;
    const coin = coins[legOf(purpose)];
    for (const { tx, urgency, preparedAt, attemptedAt, acceptedAt, refused, dead } of journal.prepared[purpose]) {
      const { tx_hash } = tx;
      if (!dead) pending.push({ purpose, coin, tx_hash, urgency, preparedAt, attemptedAt, acceptedAt, refused });
    }
  }
  return pending;
}

/** Whether no transaction of this purpose can confirm any more, or matters if it does. */
function isOver({ journal, legOf, state, funds }: DrivableView, purpose: Purpose): boolean {
  const leg = legOf(purpose);
  if (journal.settled[leg] !== null) return true;
  if (purpose === 'fee') return state === 'finished';
  // A claim counts as spent from its broadcast on.
  if (isOnOtherChain(purpose) || funds === null) return false;
  const { status } = leg === 'maker' ? funds.makerPayment : funds.takerPayment;
  return status === 'spent' || status === 'refunded';
}

type Reasons = { readonly driven: Drivable; readonly view: DrivableView; readonly faults: readonly QuestionFault[] };

/** Why a slot does nothing at present. */
export function waitingOf({ state }: Pick<Slot, 'state'>, reasons: Reasons | null): Waiting | null {
  const { doing } = state;
  const until = untilOf(doing) as Millis | null;
  switch (doing.mode) {
    case 'dormant': {
      const coins = reasons?.driven.missing.join(' and ') ?? 'its coins';
      return { for: 'coin', text: `Waits until ${coins} can be asked again.`, until };
    }
    case 'loading':
    case 'appending':
      return { for: 'log', text: 'Waits for the event log.', until };
    case 'reloading':
      return { for: 'log', text: 'The event log returned an error; it is read again later.', until };
    case 'failed':
      return until === null
        ? null
        : { for: 'retry', text: 'Stopped because of a bug; it restarts from its log.', until };
    case 'asking':
      return { for: 'answer', text: `Waits for the answer of ${doing.gate.coin}${tookOf(doing, reasons)}.`, until };
    case 'queued':
      return { for: 'answer', text: `Waits for its turn to ask ${doing.gate.coin}.`, until };
    case 'sending':
      return { for: 'network', text: 'Sends a message to the network.', until };
    case 'waiting':
      return reasons === null ? null : restingOf(reasons, until);
    default:
      return null;
  }
}

/** A chain that takes this long to answer delays a swap's next step, in milliseconds. */
const SLOW_ANSWER = 3000;

/** How long the asked chain takes to answer, if that explains why nothing else happens. */
function tookOf({ asked }: Extract<Doing, { mode: 'asking' }>, reasons: Reasons | null): string {
  const took = reasons?.view.answering?.[asked.leg] ?? 0;
  if (took < SLOW_ANSWER) return '';
  return (
    `, which takes some ${Math.round(took / 1000)} s to answer; the node pays and claims nothing before it has ` +
    'seen both chains'
  );
}

/** What waits for a fee within its limit: still wanted, and not ended meanwhile. */
function dearIn({ view, faults }: Reasons, until: Millis | null): QuestionFault | undefined {
  return faults.find(({ fee, nextTry }) => {
    return fee !== undefined && until !== null && nextTry >= until && !isOver(view, fee.purpose);
  });
}

function dearText(place: string, { purpose, most, least }: FeeAbove): string {
  const price = least === null ? 'a higher fee' : `a fee of ${least}`;
  const rest =
    'Signed transactions are sent again, and a claim may pay more as its time runs out. An operator may allow ' +
    'more (allowFees).';
  return `${place} requires ${price} for the ${purpose}, but at most ${most} may be paid. ${rest}`;
}

function restingOf(reasons: Reasons, until: Millis | null): Waiting {
  const { view, faults } = reasons;
  const dear = dearIn(reasons, until);
  if (dear?.fee !== undefined) {
    const { leg, coin, fee } = dear;
    return { for: 'retry', text: dearText(coin ?? `the ${leg} chain`, fee), until, fee: { leg, coin, ...fee } };
  }
  const fault = faults.find(({ nextTry }) => until !== null && nextTry <= until && nextTry + 1000 > until);
  if (fault !== undefined) {
    const { op, coin, leg, kind, count } = fault;
    const text = `${coin ?? `the ${leg} chain`} gave no useful answer to ${op} (${kind}, ${count} in a row); it is asked again.`;
    return { for: 'retry', text, until };
  }
  if (view.journal.paused && view.next !== null) {
    return { for: 'operator', text: `Paused by an operator before this: ${view.next.text}`, until };
  }
  const promised = view.promised?.join(' and ') ?? '';
  if (promised !== '')
    return {
      for: 'funds',
      text: `Waits briefly for ${promised}: other swaps hold what the start still needs.`,
      until,
    };
  return { for: 'nextStep', text: view.next?.text ?? 'Watches whether its end stays final.', until };
}
