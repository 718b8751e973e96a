import { currentPrepared } from '../../../machines/journal/context.ts';
import type { StoredTransaction } from '../../events/payloads.ts';
import type { PaymentView, PreparedTransaction, TransactionView } from '../../ports/chain.ts';
import type { Millis, Seconds } from '../../primitives/time.ts';
import { ask, chainClock, type Look, latestClock, lookPayment, lookTransaction } from '../swap/turn.ts';
import { type WatcherTurn, wasAttempted } from './turn.ts';

/** The state of the maker payment, as far as a watcher can see. */
export type MakerPaymentSeen =
  | { readonly status: 'absent' }
  | { readonly status: 'open' }
  /** Taken with the secret, which always pays the taker: by this watcher's transaction or by another one. */
  | {
      readonly status: 'claimed';
      readonly own: boolean;
      readonly tx: StoredTransaction | null;
      readonly confirmations: number;
    }
  /** Gone elsewhere: refunded to the maker, as far as a watcher can tell. */
  | { readonly status: 'lost'; readonly tx: StoredTransaction | null; readonly confirmations: number };

export type LookingForMaker = {
  readonly maxAge: Seconds;
  /** From when the maker may have refunded its payment, as the want says. @defaultValue at any time */
  readonly contestedFrom: Millis | undefined;
};

const ABSENT = { status: 'absent' } as const;
const OPEN = { status: 'open' } as const;

/**
 * Looks at the maker payment: by its terms if the claim that the taker signed shows them, else by the fate of that claim, because whatever takes the
 * payment voids the claim.
 */
export function lookMakerPayment(turn: WatcherTurn, looking: LookingForMaker): Look<MakerPaymentSeen> {
  if (turn.swap.amounts.maker === null) {
    const there = lookByFunding(turn);
    if ('pending' in there || there.value.status === 'absent') return there;
  }
  if (turn.swap.otherTerms === null) return lookByClaim(turn, looking);
  const look = lookPayment(turn, 'maker', looking.maxAge);
  return 'pending' in look ? look : { value: byTerms(turn, look.value) };
}

/** The claim with the secret filled in: made again after a restart, so that the chain's adapter knows it too. */
export function completedClaim(turn: WatcherTurn): Look<PreparedTransaction> {
  const made = turn.facts.prepared.get('claimPreimage');
  if (made !== undefined) return { value: made };
  const { secret } = turn.context;
  if (secret === null) return { pending: null };
  const preimage = turn.watch.maker_payment_spend_preimage;
  const request = { purpose: 'completePreimage', preimage, secret } as const;
  return { pending: ask(turn, 'maker', { op: 'prepare', request, key: 'prepare:claimPreimage' }) };
}

function byTerms(turn: WatcherTurn, { funding, spend }: PaymentView): MakerPaymentSeen {
  if (spend === null) return funding === null ? ABSENT : OPEN;
  const { how, tx, confirmations } = spend;
  if (how === 'refund') return { status: 'lost', tx, confirmations };
  const own = tx !== null && wasAttempted(turn, 'claim', tx.tx_hash);
  return { status: 'claimed', own, tx, confirmations };
}

function lookByClaim(turn: WatcherTurn, { maxAge, contestedFrom }: LookingForMaker): Look<MakerPaymentSeen> {
  const completed = completedClaim(turn);
  const claim = 'value' in completed ? completed.value : currentPrepared(turn.journal, 'claim')?.tx;
  if ('pending' in completed && completed.pending !== null) return completed;
  if (claim === undefined) return lookByFunding(turn);
  const look = lookTransaction(turn, 'maker', { hash: claim.tx_hash, maxAge });
  return 'pending' in look ? look : { value: byClaim(turn, { claim, contestedFrom }, look.value) };
}

/** The claim cannot be made, perhaps because what it spends is not there. */
function lookByFunding(turn: WatcherTurn): Look<MakerPaymentSeen> {
  const { watch, timing } = turn;
  const look = lookTransaction(turn, 'maker', { hash: watch.maker_payment_hash, maxAge: timing.search_interval });
  if ('pending' in look) return look;
  return { value: look.value.status === 'unknown' ? ABSENT : OPEN };
}

type Claimed = Partial<Pick<LookingForMaker, 'contestedFrom'>> & { readonly claim: StoredTransaction };

function byClaim(
  turn: WatcherTurn,
  { claim, contestedFrom = 0 as Millis }: Claimed,
  { status, confirmations }: TransactionView,
): MakerPaymentSeen {
  if (status === 'mempool' || status === 'confirmed') {
    const { tx_hex, tx_hash } = claim;
    return { status: 'claimed', own: wasAttempted(turn, 'claim', tx_hash), tx: { tx_hex, tx_hash }, confirmations };
  }
  if (status !== 'conflicted') return OPEN;
  // Before the maker's lock, only the taker can have taken it. If the maker chain has not reported its clock, the
  // latest known clock stands in for it.
  const clock = chainClock(turn, 'maker') ?? latestClock(turn);
  if (clock < contestedFrom) return { status: 'claimed', own: false, tx: null, confirmations };
  return { status: 'lost', tx: null, confirmations };
}
