import { onLeg, type Pair } from '../../../primitives/pair.ts';
import type { Seconds, UnixSeconds } from '../../../primitives/time.ts';

// The published times of a swap, in the judge's own arithmetic: nothing here comes from the engine.

/** Waits for a message with their grace, in seconds. */
const NEGOTIATION: Seconds = 90 + 90;
const PAYMENT_MESSAGE: Seconds = 600 + 90;
const MESSAGE_GRACE: Seconds = 90;
/** How long after its own lock a party waits for the end of its claim or refund. */
const AFTER_LOCK: Seconds = 3700;

/** The agreed terms that moments follow from. */
export type AgreedTimes = Pair<{ readonly terms: { readonly lock: UnixSeconds } }> & {
  readonly started: Pair<UnixSeconds>;
};

export type Terms = {
  readonly role: 'maker' | 'taker';
  readonly agreement: AgreedTimes;
  readonly lockDuration: Seconds;
  /** When the last public event was stored, in milliseconds. */
  readonly lastAt: number;
};

/** A moment in milliseconds, by whose clock. */
type Moment = { readonly at: number; readonly clock: 'host' | 'makerChain' | 'takerChain' };

type Formula = (terms: Terms) => Moment;

const own = ({ role, agreement }: Terms) => onLeg(agreement, role).terms.lock;
const other = ({ role, agreement }: Terms) => onLeg(agreement, role === 'maker' ? 'taker' : 'maker').terms.lock;

const host = (at: (terms: Terms) => number): Formula => {
  return (terms) => ({ at: at(terms), clock: 'host' });
};

/** A part of the lock duration after the own start. */
const part = (over: number, under: number) =>
  host(
    (terms) => (onLeg(terms.agreement.started, terms.role) + Math.floor((terms.lockDuration * over) / under)) * 1000,
  );

const sinceLast = (seconds: Seconds) => host(({ lastAt }) => lastAt + seconds * 1000);

const byChain = (whose: 'own' | 'other'): Formula => {
  return (terms) => {
    const lock = whose === 'own' ? own(terms) : other(terms);
    const leg = (terms.role === 'maker') === (whose === 'own') ? 'maker' : 'taker';
    return { at: lock * 1000, clock: leg === 'maker' ? 'makerChain' : 'takerChain' };
  };
};

const COMMON: Readonly<Record<string, Formula>> = {
  negotiation: sinceLast(NEGOTIATION),
  refundValid: byChain('own'),
  claimConfirmation: host((terms) => (own(terms) + AFTER_LOCK) * 1000),
};

const MAKER: Readonly<Record<string, Formula>> = {
  ...COMMON,
  takerFeeMessage: sinceLast(PAYMENT_MESSAGE),
  makerPayment: part(1, 3),
  makerPaymentConfirmation: part(2, 5),
  takerPaymentMessage: host((terms) => {
    const wait = Math.floor((terms.lockDuration * 3) / 5) + MESSAGE_GRACE;
    return part(2, 5)(terms).at + wait * 1000;
  }),
  takerPaymentSpend: part(4, 5),
  takerRefundValid: byChain('other'),
};

const TAKER: Readonly<Record<string, Formula>> = {
  ...COMMON,
  negotiated: sinceLast(2 * NEGOTIATION),
  takerFee: part(1, 3),
  makerPaymentMessage: sinceLast(PAYMENT_MESSAGE),
  makerPaymentWait: part(2, 5),
  takerPaymentLock: byChain('own'),
  watcherSpend: part(1, 1),
  watcherRefund: part(3, 2),
  makerRefundValid: byChain('other'),
};

const KINDS = { maker: new Map(Object.entries(MAKER)), taker: new Map(Object.entries(TAKER)) } as const;

/** When a deadline of this kind must be; null for a kind that the side does not have. */
export function momentOf(kind: string, terms: Terms): Moment | null {
  return KINDS[terms.role].get(kind)?.(terms) ?? null;
}

/** Until when a log says that it waits for a refund, in seconds since 1970. */
export function refundWait(terms: Terms): number {
  return own(terms) + AFTER_LOCK;
}

/** The kinds of deadline that end a step, by what the step does. */
const ENDS: Readonly<Record<'maker' | 'taker', Readonly<Record<string, readonly string[]>>>> = {
  maker: {
    negotiate: ['negotiation'],
    waitForTakerFee: ['takerFeeMessage'],
    sendMakerPayment: ['makerPayment'],
    waitForTakerPayment: ['makerPaymentConfirmation', 'takerPaymentMessage'],
    validateTakerPayment: ['takerPaymentSpend'],
    spendTakerPayment: ['takerPaymentSpend', 'takerRefundValid'],
    confirmTakerPaymentSpend: ['claimConfirmation'],
  },
  taker: {
    negotiate: ['negotiation'],
    sendTakerFee: ['takerFee'],
    waitForMakerPayment: ['makerPaymentMessage'],
    validateMakerPayment: ['makerPaymentWait'],
    sendTakerPayment: ['makerPaymentWait'],
    waitForTakerPaymentSpend: ['takerPaymentLock'],
    spendMakerPayment: ['makerRefundValid'],
    confirmMakerPaymentSpend: ['claimConfirmation'],
  },
};

/** Until when a step may be useful, in milliseconds: one of these. Empty where it has no end. */
export function endsOf(action: string, terms: Terms): readonly number[] {
  return (ENDS[terms.role][action] ?? []).flatMap((kind) => momentOf(kind, terms)?.at ?? []);
}

/** From when a step may be taken, in milliseconds; null for at once. */
export function beginningOf(action: string, terms: Terms): number | null {
  return action.startsWith('refund') ? own(terms) * 1000 : null;
}

/** How long to wait for a message, in seconds, including grace. */
export function messageLimits(lockDuration: Seconds): ReadonlySet<number> {
  return new Set([NEGOTIATION, PAYMENT_MESSAGE, Math.floor((lockDuration * 3) / 5) + MESSAGE_GRACE]);
}
