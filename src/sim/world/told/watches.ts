import type { JournalPayloads } from '../../../events/journal.ts';
import type { StopReason } from '../../../events/watcher.ts';
import type { Seconds, UnixSeconds } from '../../../primitives/time.ts';
import type { PaymentState } from '../../chains/types.ts';
import type { Agreement } from '../judge/agreement.ts';
import { secondsOf } from '../judge/truth.ts';
import { EPOCH } from '../scenario.ts';
import type { Watching } from '../watcher-node.ts';
import { KEYS, type World } from '../world.ts';
import type { Stored } from './story.ts';
import { asksProblem } from './watch-asks.ts';

// Rule R17: what a watch's log says and when it acts, by the published times and by the ledgers. A watcher's own clock is the true one; it
// acts by the latest of that and of both chains' own, as its nodes last told them before it wrote down that it acts.

/** How long a watcher leaves a taker's payment alone after it found the fee. */
const BEFORE_LOOK: Seconds = 60;
/** How long after the maker's lock a watcher gives up. */
const GIVE_UP: Seconds = 21_600;
/** Largest difference between the clocks of both parties, which a watcher subtracts from the maker's lock. */
const CLOCKS: Seconds = 60;
/** What a watcher may need to see that its time has come. */
const SLACK: Seconds = 900;

type Times = Readonly<Record<'confirmBy' | 'claimFrom' | 'refundAfter' | 'expiresAt', number>>;

function timesOf(agreement: Agreement, lockDuration: Seconds): Times {
  const start = agreement.started.taker;
  return {
    confirmBy: start + Math.floor((4 * lockDuration) / 5),
    claimFrom: start + lockDuration,
    refundAfter: start + Math.floor((3 * lockDuration) / 2),
    expiresAt: start + 2 * lockDuration + GIVE_UP,
  };
}

const ENDS: Readonly<Record<string, keyof Times>> = {
  takerPaymentConfirmation: 'confirmBy',
  watcherRefund: 'refundAfter',
  expiry: 'expiresAt',
};

type Watched = {
  readonly world: World;
  readonly times: Times;
  readonly records: readonly Stored[];
  readonly clocks: readonly UnixSeconds[];
  readonly maker: PaymentState;
  readonly taker: PaymentState;
};

/** What is wrong with the watch of a taker that follows the protocol, as texts. */
export function watchProblems(world: World, agreement: Agreement): readonly string[] {
  const { watcher, scenario, nodes, chains } = world;
  if (watcher === null || nodes.taker.plan.conduct.kind !== 'honest') return [];
  const times = timesOf(agreement, scenario.lockDuration);
  const maker = chains.maker.ledger.payment(agreement.maker.terms);
  const taker = chains.taker.ledger.payment(agreement.taker.terms);
  return [...watcher.watches].flatMap(([key, { records, clocks, asks }]: [string, Watching]) => {
    if (key === KEYS.maker) return [];
    const watched = { world, times, records, clocks, maker, taker };
    const problems = [
      momentProblem(watched),
      paceProblem(watched),
      truthProblem(watched),
      asksProblem(asks, agreement),
    ];
    return problems.filter((text) => text !== null);
  });
}

/** Moments that the log names, and the figures in its texts. */
function momentProblem({ records, clocks, times }: Watched): string | null {
  for (const [index, { type, at, data }] of records.entries()) {
    if (type === 'DeadlineReached') {
      const { kind, deadline } = data as JournalPayloads['DeadlineReached'];
      const end = ENDS[kind];
      if (end === undefined || deadline !== times[end] * 1000) return `a watch tells that ${kind} ended at ${deadline}`;
      const early = times[end] - latest(at, clocks[index]);
      if (early > 0) return `a watch tells ${early} s too early that ${kind} ended`;
    }
    const { error } = (data ?? {}) as { readonly error?: string | null };
    const until = /Waited too long until (\d+)/.exec(error ?? '')?.[1];
    if (until !== undefined && Number(until) !== times.confirmBy) return `a watch tells that it waited until ${until}`;
  }
  return null;
}

function firstAt(records: readonly Stored[], is: (record: Stored) => boolean): number | null {
  const found = records.find(is);
  return found === undefined ? null : found.at / 1000;
}

/** The latest of the host's clock, in milliseconds, and the chains' reported clocks; in seconds. */
function latest(at: number, clock: UnixSeconds | undefined): number {
  return Math.max(at / 1000, clock ?? 0);
}

/** When it first tried, by the latest clock; null if never. */
function triedAt({ records, clocks }: Watched, purpose: string): number | null {
  const index = records.findIndex(attempted(purpose));
  return index === -1 ? null : latest(records[index]?.at ?? 0, clocks[index]);
}

const attempted = (purpose: string) => (record: Stored) =>
  record.type === 'BroadcastAttempted' && (record.data as JournalPayloads['BroadcastAttempted']).purpose === purpose;

const is = (type: string) => (record: Stored) => record.type === type;

/** Nothing is done before its time. */
function paceProblem(watched: Watched): string | null {
  const { records, times } = watched;
  const fee = firstAt(records, is('TakerFeeValidated'));
  const payment = firstAt(records, is('TakerPaymentValidated'));
  if (fee !== null && payment !== null && payment < fee + BEFORE_LOOK) {
    return `a watch looks at the taker payment ${payment - fee} s after the fee`;
  }
  const claim = triedAt(watched, 'claim');
  if (claim !== null && claim < times.claimFrom) return `a watch claims ${times.claimFrom - claim} s too early`;
  const refund = triedAt(watched, 'refund');
  if (refund !== null && refund <= times.refundAfter)
    return `a watch refunds ${times.refundAfter - refund} s too early`;
  return triesProblem(records);
}

/** Fee bumps are counted from none. */
function triesProblem(records: readonly Stored[]): string | null {
  const first = records.find(is('TransactionPrepared'));
  const { purpose = '', urgency = 0 } = (first?.data ?? {}) as Partial<JournalPayloads['TransactionPrepared']>;
  return urgency === 0 ? null : `the first ${purpose} of a watch is told as bump ${urgency}`;
}

const CLAIMED: ReadonlySet<StopReason> = new Set(['MakerPaymentSpent', 'MakerPaymentSpentByTaker']);
const REFUNDED: ReadonlySet<StopReason> = new Set(['TakerPaymentRefunded', 'TakerPaymentRefundedByTaker']);
const REFUSED: ReadonlySet<StopReason> = new Set(['InvalidTakerPayment', 'TakerPaymentNotConfirmed']);

/** What a watch says about its end, and whether it did its task: judged if its nodes told it the truth and it was always online. */
function truthProblem(watched: Watched): string | null {
  const { world, records, maker, taker } = watched;
  if (isMisled(world)) return null;
  const stop = records.find(is('Stopped'));
  if (stop === undefined) return idleProblem(watched);
  const { reason } = stop.data as { readonly reason: StopReason };
  const said = (is: boolean) => (is ? null : `a watch ends with ${reason}, which the chains do not show`);
  if (CLAIMED.has(reason)) return said(maker.spend?.how === 'secret');
  if (REFUNDED.has(reason)) return said(taker.spend?.how === 'refund');
  if (reason === 'InvalidTakerFee') return said(!hasPaidFee(world, stop.at));
  if (REFUSED.has(reason)) return said(!wasPaid(watched, stop.at));
  return idleProblem(watched);
}

/** Also if a mempool was emptied or blocks were replaced: what was seen once may have been missing when the watcher looked. */
function isMisled({ scenario: { watcher, chains, chainEvents }, reorgs }: World): boolean {
  if (watcher === null || reorgs.length + chainEvents.length > 0) return true;
  const faults = watcher.nodes.maker.length + watcher.nodes.taker.length + watcher.crashes.length;
  return faults + chains.maker.faults.length + chains.taker.faults.length > 0;
}

function hasPaidFee({ chains }: World, at: number): boolean {
  const seen = chains.taker.ledger.transactions('taker');
  return seen.some(
    ({ purpose, status, firstSeen }) => purpose === 'fee' && status === 'confirmed' && firstSeen * 1000 < at,
  );
}

function wasPaid({ world, taker }: Watched, at: number): boolean {
  const [funding] = taker.fundings;
  if (funding === undefined || funding.confirmations === 0) return false;
  const seen = world.chains.taker.ledger.transaction(funding.hash);
  return seen !== null && (seen.firstSeen + SLACK) * 1000 < at;
}

/** A watcher that knows the secret, and sees the maker payment open when its time has come, claims it. */
function idleProblem({ world, records, times, maker }: Watched): string | null {
  const found = firstAt(records, is('TakerPaymentSpendFound'));
  if (found === null || maker.fundings.length === 0 || maker.spend !== null) return null;
  const due = Math.max(found, times.claimFrom) + SLACK;
  const end = Math.min(secondsOf(world) + EPOCH, times.expiresAt - GIVE_UP - CLOCKS);
  if (end <= due || firstAt(records, attempted('claim')) !== null) return null;
  return `a watch knows the secret since ${end - due} s and leaves the maker payment alone`;
}
