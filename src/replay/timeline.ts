import type { LegFunds, Party, SwapFunds } from '../../machines/swap-verdict.ts';
import type { Role } from '../events/catalog.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import {
  makerPaymentConfirmDeadline,
  makerPaymentSendDeadline,
  makerSpendDeadline,
  takerFeeDeadline,
} from '../htlc/lock-times.ts';
import type { Uuid } from '../primitives/ids.ts';
import { type Millis, type Seconds, toMillis, type UnixSeconds } from '../primitives/time.ts';
import { type AuditedSwap, auditedSwap } from './audit/swap-view.ts';
import { cutAfter } from './cut-log.ts';
import { endEventsOf } from './explain/evidence.ts';
import { paymentEnd, type ShownEnd } from './payment-ends.ts';
import { traceSwap } from './trace.ts';

/** A payment at one moment. */
export type TimelineLeg = Pick<LegFunds, 'coin' | 'amount' | 'status' | 'by'> & {
  /** Who can move it at that moment, as far as the log says. */
  readonly movableBy: readonly Party[];
  /** How far the log supports the end of a spent or refunded payment, by what it held at that moment; null for any other. */
  readonly shown: ShownEnd | null;
};

type Moment = {
  readonly at: Millis;
  /** Milliseconds since the first event. */
  readonly offset: number;
  readonly makerPayment: TimelineLeg;
  readonly takerPayment: TimelineLeg;
};

export type TimelineRow = Moment &
  (
    | {
        readonly kind: 'event';
        readonly seq: number;
        readonly event: string;
        readonly state: string;
        readonly anomalies: readonly string[];
      }
    | { readonly kind: 'deadline'; readonly deadline: DeadlineKind; readonly text: string }
  );

export type DeadlineKind =
  | 'takerFee'
  | 'makerPaymentSend'
  | 'makerPaymentWait'
  | 'makerSpend'
  | 'takerPaymentLock'
  | 'makerPaymentLock';

export type MoneyTimeline = {
  readonly uuid: Uuid;
  readonly role: Role;
  readonly rows: readonly TimelineRow[];
  /** The log holds an anomaly that is a fault, so the table may be wrong from there on. */
  readonly faults: boolean;
};

/**
 * Where the money was after every event, with the deadlines that the log's terms give in their places between the events. Events keep the order of
 * the log; a deadline stands before the first event that is later than it. It lists deadlines after the last event while a payment is locked.
 *
 * @example
 * ```ts
 * import { moneyTimeline } from 'swapfold/replay';
 * import { buildSwap, successPath } from 'swapfold/testing';
 *
 * const path = successPath('taker').slice(0, 8);
 * const rows = moneyTimeline(buildSwap({ role: 'taker', path })).rows.slice(7);
 * rows.map((row) => (row.kind === 'event' ? row.event : row.deadline)); // → [
 * //   'TakerPaymentSent', 'makerPaymentWait', 'takerPaymentLock', 'makerPaymentLock',
 * // ]
 * rows[0]?.takerPayment.movableBy; // → ['maker']
 * rows[2]?.takerPayment.movableBy; // → ['maker', 'taker']
 * ```
 */
export function moneyTimeline(log: SwapLog): MoneyTimeline {
  const steps = traceSwap(log);
  const start = log.events[0]?.at ?? 0;
  const open = [...deadlinesOf(log)];
  const rows: TimelineRow[] = [];
  let funds: SwapFunds | undefined;
  const seen = new Set<string>();
  const shownAt = endsIn(log);
  let shown = NO_END;
  const passed = (until: number) => {
    while (open[0] !== undefined && open[0].at < until) {
      const { at, kind, text } = open.shift() as LogDeadline;
      if (funds !== undefined && !isMoot(kind, { funds, seen }))
        rows.push({ kind: 'deadline', deadline: kind, text, ...moment(at, { start, funds, shown }) });
    }
  };
  for (const { seq, event, state, verdict, anomalies } of steps) {
    passed(event.at);
    funds = verdict.funds;
    shown = shownAt(seq, funds);
    seen.add(event.type);
    const codes = anomalies.map(({ code }) => code);
    const at = moment(event.at, { start, funds, shown });
    rows.push({ kind: 'event', seq, event: event.type, state, anomalies: codes, ...at });
  }
  if (funds !== undefined && Object.values(funds).some(isOpen)) passed(Number.POSITIVE_INFINITY);
  const found = [...log.anomalies, ...steps.flatMap(({ anomalies }) => anomalies)];
  return { uuid: log.uuid, role: log.role, rows, faults: found.some(({ severity }) => severity === 'fault') };
}

/** Whether nobody must keep a deadline any more: its purpose is fulfilled, or there is nothing to fulfill it with. */
function isMoot(
  kind: DeadlineKind,
  { funds, seen }: { readonly funds: SwapFunds; readonly seen: ReadonlySet<string> },
): boolean {
  if (kind === 'takerFee') return seen.has('TakerFeeSent');
  if (kind === 'makerPaymentSend') return seen.has('MakerPaymentSent');
  return kind === 'makerSpend' && !isOpen(funds.takerPayment);
}

function isOpen({ status }: LegFunds): boolean {
  return status === 'locked' || status === 'uncertain';
}

type Standing = { readonly start: number; readonly funds: SwapFunds; readonly shown: ShownEnds };

function moment(at: Millis, { start, funds, shown }: Standing): Moment {
  return {
    at,
    offset: at - start,
    makerPayment: { ...legAt(funds.makerPayment, at), shown: shown.maker },
    takerPayment: { ...legAt(funds.takerPayment, at), shown: shown.taker },
  };
}

function legAt({ coin, amount, status, by, claimable }: LegFunds, at: Millis): Omit<TimelineLeg, 'shown'> {
  const now = claimable.filter(({ from }) => from === null || toMillis(from) <= at);
  return { coin, amount, status, by, movableBy: [...new Set(now.map((claim) => claim.by))] };
}

type ShownEnds = Readonly<Record<Party, ShownEnd | null>>;

const NO_END: ShownEnds = { maker: null, taker: null };

/**
 * What the log shows about the ends after each event, asked in their order. Each transaction's bytes are parsed once, and the log is looked through
 * again only after an event or a record that can show something else.
 */
function endsIn(log: SwapLog): (seq: number, funds: SwapFunds) => ShownEnds {
  let view: AuditedSwap | undefined;
  let known: { readonly funds: string; readonly shown: ShownEnds } | undefined;
  const settled = (log.journal?.records ?? []).filter(({ type }) => type === 'PaymentSettled');
  const befores = settled.map(({ before }) => before).sort((left, right) => left - right);
  return (seq, { makerPayment, takerPayment }) => {
    let tells = TELLING.has(log.events[seq]?.type ?? '');
    for (; (befores[0] ?? Number.POSITIVE_INFINITY) <= seq + 1; befores.shift()) tells = true;
    if (tells) known = undefined;
    if (!isEnded(makerPayment) && !isEnded(takerPayment)) return NO_END;
    const funds = `${makerPayment.status} ${takerPayment.status}`;
    if (known?.funds === funds) return known.shown;
    view ??= auditedSwap(log);
    const told = { log: cutAfter(log, seq), view };
    const shown = {
      maker: paymentEnd('maker', makerPayment, told)?.shown ?? null,
      taker: paymentEnd('taker', takerPayment, told)?.shown ?? null,
    };
    known = { funds, shown };
    return shown;
  };
}

/** Events that {@link paymentEnd} looks at. */
const TELLING: ReadonlySet<string> = new Set([
  ...(['maker', 'taker'] as const).flatMap((owner) =>
    (['spent', 'refunded'] as const).flatMap((status) => endEventsOf({ owner, status })),
  ),
  'MakerPaymentSpendConfirmed',
  'TakerPaymentSpendConfirmed',
]);

function isEnded({ status }: LegFunds): boolean {
  return status === 'spent' || status === 'refunded';
}

type LogDeadline = { readonly at: Millis; readonly kind: DeadlineKind; readonly text: string };

type Terms = {
  readonly started_at: UnixSeconds;
  readonly lock_duration: Seconds;
  readonly taker_payment_lock?: UnixSeconds;
  readonly maker_payment_lock?: UnixSeconds;
  readonly maker_payment_wait?: UnixSeconds;
};

type Agreed = { readonly maker_payment_locktime?: UnixSeconds; readonly taker_payment_locktime?: UnixSeconds };

/** The deadlines that a log's Started and Negotiated give, in order of time. */
function deadlinesOf({ role, events }: SwapLog): readonly LogDeadline[] {
  const terms = events.find(({ type }) => type === 'Started')?.data as Terms | undefined;
  if (terms === undefined) return [];
  const agreed = events.find(({ type }) => type === 'Negotiated')?.data as Agreed | undefined;
  const { started_at: startedAt, lock_duration: duration } = terms;
  const own: readonly (readonly [DeadlineKind, UnixSeconds | undefined, string])[] =
    role === 'taker'
      ? [
          ['takerFee', takerFeeDeadline(startedAt, duration), 'last moment to send the taker fee'],
          ['makerPaymentWait', terms.maker_payment_wait, 'the maker payment must be confirmed by now'],
        ]
      : [
          ['makerPaymentSend', makerPaymentSendDeadline(startedAt, duration), 'last moment to send the maker payment'],
          [
            'makerPaymentWait',
            makerPaymentConfirmDeadline(startedAt, duration),
            'the maker payment must be confirmed by now',
          ],
          ['makerSpend', makerSpendDeadline(startedAt, duration), 'last moment to spend the taker payment'],
        ];
  // Each side stores its own lock in Started and the other's in Negotiated; a log stored again may hold both, emptied.
  const takerLock = role === 'taker' ? terms.taker_payment_lock : agreed?.taker_payment_locktime;
  const makerLock = role === 'maker' ? terms.maker_payment_lock : agreed?.maker_payment_locktime;
  return [
    ...own,
    ['takerPaymentLock', takerLock, 'the lock of the taker payment ends'] as const,
    ['makerPaymentLock', makerLock, 'the lock of the maker payment ends'] as const,
  ]
    .flatMap(([kind, at, text]) => (at === undefined ? [] : [{ kind, at: toMillis(at), text }]))
    .sort((left, right) => left.at - right.at);
}
