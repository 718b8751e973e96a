import { currentPrepared, type PreparedRecord } from '../../../machines/journal/context.ts';
import type { WatcherWant } from '../../../machines/watcher/wants.ts';
import { append, attempted, broadcast, freshness, latestClock, type Proposal, prepared, wakeAt } from '../swap/turn.ts';
import { actsByCalls, type Calling, pushCall, speedUpCall } from './by-calls.ts';
import { tellHelpers } from './helpers.ts';
import { completedClaim, type LookingForMaker, lookMakerPayment, type MakerPaymentSeen } from './maker-payment.ts';
import { knownNow, plain, settled, stopped, type WatcherTurn } from './turn.ts';

/**
 * Claims the maker payment in the taker's place, with what the taker signed in advance and the secret that the maker has revealed. Until the agreed
 * moment, the claim is left to the taker; from then on the watcher sends it unless a current look shows the payment taken.
 */
export function spendMakerPayment(turn: WatcherTurn, want: WatcherWant<string>): Proposal {
  const from = want.notBefore ?? 0;
  // How long the taker has priority: a host's clock that stands still must not make that forever.
  const early = latestClock(turn) < from;
  if (early) wakeAt(turn, from);
  const maxAge = early ? turn.timing.search_interval : turn.policy.confirmationPoll;
  return follow(turn, { maxAge, contestedFrom: want.contestedFrom, early });
}

/** The claim is on its way; it is repeated until the chain has settled it, or has shown another spend. */
export function confirmMakerPaymentSpend(turn: WatcherTurn, { contestedFrom }: WatcherWant<string>): Proposal {
  const told = tellHelpers(turn, 'claim');
  if (told !== null) return told;
  return follow(turn, { maxAge: turn.policy.confirmationPoll, contestedFrom, early: false });
}

function follow(turn: WatcherTurn, { early, ...looking }: LookingForMaker & { readonly early: boolean }): Proposal {
  const { contestedFrom } = looking;
  const look = lookMakerPayment(turn, looking);
  if ('pending' in look) return look.pending;
  const seen = look.value;
  if (seen.status === 'absent') return null;
  if (seen.status === 'open') return early ? null : pushClaim(turn, looking);
  const proposal = seen.status === 'claimed' ? claimSeen(turn, seen) : lost(turn, seen);
  if (proposal !== null) return proposal;
  // Not yet settled: from now on the watcher follows it closely.
  const close = lookMakerPayment(turn, { maxAge: turn.policy.confirmationPoll, contestedFrom });
  return 'pending' in close ? close.pending : null;
}

type Seen<S extends MakerPaymentSeen['status']> = Extract<MakerPaymentSeen, { readonly status: S }>;

function claimSeen(turn: WatcherTurn, { own, tx, confirmations }: Seen<'claimed'>): Proposal {
  if (own && tx !== null && turn.state !== 'claimSent') {
    return append(...knownNow(turn, { purpose: 'claim', tx_hash: tx.tx_hash, confirmations }), {
      type: 'MakerPaymentSpent',
      data: plain(tx),
    });
  }
  if (confirmations < turn.inputs.traits.maker.finality) return own && confirmations === 0 ? speedUp(turn) : null;
  const done = settled('maker', { how: 'claimed', by: own ? 'self' : 'counterparty', tx, confirmations });
  if (own) return append(done, stopped('MakerPaymentSpent'));
  return append(done, { type: 'MakerPaymentSpentByTaker', data: tx === null ? null : plain(tx) });
}

/** Only the chain can show that a claim is lost for good. */
function lost(turn: WatcherTurn, { tx, confirmations }: Seen<'lost'>): Proposal {
  if (confirmations < turn.inputs.traits.maker.finality) return null;
  const done = settled('maker', { how: 'refunded', by: 'counterparty', tx, confirmations });
  const by = tx === null ? 'another transaction' : `transaction ${tx.tx_hash}`;
  return append(done, stopped('MakerPaymentSpendFailed', `the maker payment was taken back by ${by}`));
}

/** The fee of what somebody signed in advance is fixed. */
function speedUp(turn: WatcherTurn): Proposal {
  const calling = claimCall(turn);
  return calling === null ? null : speedUpCall(turn, calling);
}

/** How to make the claim if it is a call of this watcher; null if it is what the taker signed. */
function claimCall(turn: WatcherTurn): Calling | null {
  const { watch, swap, context, state } = turn;
  const { secret } = context;
  if (!actsByCalls(turn, 'claim') || swap.otherTerms === null || secret === null) return null;
  return {
    purpose: 'claim',
    terms: swap.otherTerms,
    funding: { tx_hex: watch.maker_payment_spend_preimage, tx_hash: watch.maker_payment_hash },
    secret,
    opening: [],
    taken: (tx) => (state === 'claimSent' ? [] : [{ type: 'MakerPaymentSpent', data: plain(tx) }]),
  };
}

function pushClaim(turn: WatcherTurn, looking: LookingForMaker): Proposal {
  const calling = claimCall(turn);
  return calling === null ? pushSigned(turn, looking) : acting(turn, looking, pushCall(turn, calling));
}

/** What acts on the chain rests on a look of this moment. */
function acting(turn: WatcherTurn, looking: LookingForMaker, next: Proposal): Proposal {
  const acts = next?.kind === 'ask' && (next.question.op === 'prepare' || next.question.op === 'broadcast');
  if (!acts) return next;
  const fresh = lookMakerPayment(turn, { ...looking, maxAge: freshness(turn, null) });
  return 'pending' in fresh ? fresh.pending : next;
}

function pushSigned(turn: WatcherTurn, looking: LookingForMaker): Proposal {
  const record = currentPrepared(turn.journal, 'claim');
  const next = record === null ? firstClaim(turn) : sendAgain(turn, record);
  const acts = next !== null && (next.kind === 'append') === (record === null);
  if (!acts) return next;
  // What acts on the chain rests on a look of this moment.
  const fresh = lookMakerPayment(turn, { ...looking, maxAge: freshness(turn, null) });
  return 'pending' in fresh ? fresh.pending : next;
}

function firstClaim(turn: WatcherTurn): Proposal {
  const completed = completedClaim(turn);
  if ('pending' in completed) return completed.pending;
  const { value: tx } = completed;
  const record = prepared('claim', tx, { target: turn.watch.maker_payment_hash, urgency: 0 });
  return append(record, attempted('claim', tx.tx_hash));
}

function sendAgain(turn: WatcherTurn, record: PreparedRecord): Proposal {
  const sent = broadcast(turn, 'maker', { purpose: 'claim', record });
  if ('pending' in sent) return sent.pending;
  if (turn.state === 'claimSent') return append(...sent.accepted);
  return append(...sent.accepted, { type: 'MakerPaymentSpent', data: plain(record.tx) });
}
