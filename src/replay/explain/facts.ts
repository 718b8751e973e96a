import type { LegFunds, Party } from '../../../machines/swap-verdict.ts';
import type { StoredEvent } from '../../events/decode-event.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import { formatDuration, formatUtc, type UnixSeconds } from '../../primitives/time.ts';
import type { AuditedSwap } from '../audit/swap-view.ts';
import type { LoggedTransaction } from '../audit/transactions.ts';
import type { ReplayedSwap } from '../swaps.ts';
import { amountOf } from './amounts.ts';
import type { ExplainedError } from './errors.ts';

/** What the sections of an explanation are made from. */
export type ExplainFacts = {
  readonly replayed: ReplayedSwap;
  readonly log: SwapLog;
  /** The log's transactions and terms. */
  readonly view: AuditedSwap;
  readonly errors: readonly ExplainedError[];
  /** Seconds UTC; absent where nothing may depend on a clock. */
  readonly now?: UnixSeconds;
  /** No claim can be made with what the log holds: its maker's secret is zeros or absent, and no claim shows it. */
  readonly secretMissing?: boolean;
};

/** A payment with its owner, and what the head of the saved swap says where no event does. */
export type Leg = LegFunds & { readonly owner: Party; readonly claimant: Party; readonly text: string };

/** Both payments, that of the log's own party first. */
export function legsOf({ replayed, log, view }: ExplainFacts): readonly [own: Leg, other: Leg] {
  const maker = legOf('maker', { funds: replayed.funds.makerPayment, log, view });
  const taker = legOf('taker', { funds: replayed.funds.takerPayment, log, view });
  return replayed.role === 'taker' ? [taker, maker] : [maker, taker];
}

type Found = { readonly funds: LegFunds; readonly log: SwapLog; readonly view: AuditedSwap };

function legOf(owner: Party, { funds, log, view }: Found): Leg {
  const coin = funds.coin ?? (owner === 'maker' ? log.head.maker_coin : log.head.taker_coin);
  const written = funds.amount ?? (owner === 'maker' ? log.head.maker_amount : log.head.taker_amount);
  const amount = written === null ? null : amountOf(written, view.payments[owner], feeOf(owner, view));
  const claimant = owner === 'maker' ? 'taker' : 'maker';
  return { ...funds, coin, amount, owner, claimant, text: coinsText({ coin, amount }) };
}

/** The taker's fee, which tells of the taker coin's chain alone. */
export function feeOf(owner: Party, { transactions }: AuditedSwap): LoggedTransaction | undefined {
  return owner === 'taker' ? transactions.find(({ use }) => use.kind === 'fee') : undefined;
}

function coinsText({ coin, amount }: { readonly coin: string | null; readonly amount: DecimalText | null }): string {
  if (coin === null) return 'an unknown amount';
  return amount === null ? `an unknown amount of ${coin}` : `${amount} ${coin}`;
}

/** The time, and with a clock how far away it is: `2024-11-03 11:36:27 UTC (in 2 h)`, `… (3 h 20 min ago)`. */
export function whenText(at: UnixSeconds, now: UnixSeconds | undefined): string {
  if (now === undefined) return formatUtc(at);
  return `${formatUtc(at)} (${now < at ? `in ${formatDuration(at - now)}` : `${formatDuration(now - at)} ago`})`;
}

/** `from 2024-11-03 13:46:26 UTC (2 years ago) on`: from when on a payment can be refunded. */
export function lockText({ claimable }: Pick<Leg, 'claimable'>, now: UnixSeconds | undefined): string {
  const from = claimable.find(({ how }) => how === 'refund')?.from ?? null;
  return from === null ? 'once its lock, which the log does not date, has passed' : `from ${whenText(from, now)} on`;
}

/** How long a step has been possible or is overdue, or how long until then; nothing without a clock. */
export function timingText(
  { notBefore, until }: { readonly notBefore: UnixSeconds | null; readonly until: UnixSeconds | null },
  now: UnixSeconds | undefined,
): string {
  if (now === undefined) return '';
  const far = (at: UnixSeconds) => formatDuration(Math.abs(now - at));
  const from =
    notBefore === null
      ? ''
      : ` It ${now > notBefore ? 'has been possible for' : 'becomes possible in'} ${far(notBefore)}.`;
  if (until === null) return from;
  return `${from}${now > until ? ` It is overdue by ${far(until)}.` : ` There are ${far(until)} left.`}`;
}

/** The first event of one of the types. */
export function firstEvent({ events }: Pick<SwapLog, 'events'>, ...types: readonly string[]): StoredEvent | undefined {
  return events.find(({ type }) => types.includes(type));
}

/** A sentence for the middle of another. */
export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
