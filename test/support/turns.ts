import { raceAgainst } from '../../machines/deadlines/table.ts';
import { initialJournalContext, type JournalContext, type PreparedRecord } from '../../machines/journal/context.ts';
import { initialMakerSwapContext } from '../../machines/maker-swap/context.ts';
import { initialTakerSwapContext } from '../../machines/taker-swap/context.ts';
import type { PaymentTerms, PaymentView, Quote } from '../../src/ports/chain.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { Millis, UnixSeconds } from '../../src/primitives/time.ts';
import { NO_CLAIMS } from '../../src/runtime/claims.ts';
import { type Leg, NEVER } from '../../src/runtime/command.ts';
import { type Facts, initialFacts } from '../../src/runtime/facts.ts';
import { NOBODY } from '../../src/runtime/held.ts';
import { DEFAULT_POLICY, type FeePolicy, type Policy } from '../../src/runtime/policy.ts';
import type { SideEvents, SwapFacts } from '../../src/runtime/swap/swap-facts.ts';
import type { Turn, TurnTraits } from '../../src/runtime/swap/turn.ts';

/** The moment of a turn that names no other. */
export const NOW = 1_700_000_000_000 as Millis;

/** The moment so many seconds after {@link NOW}. */
export const after = (seconds: number): Millis => (NOW + seconds * 1000) as Millis;

const STARTED = (NOW / 1000 - 300) as UnixSeconds;
const KEYS = { maker: `02${'a1'.repeat(32)}`, taker: `02${'b2'.repeat(32)}` } as const;
const BOTH = { secretHash: 'cc'.repeat(20), contract: null };
const lockOf = (duration: number) => (STARTED + duration) as UnixSeconds;
const TERMS: Readonly<Record<Leg, PaymentTerms>> = {
  maker: { ...BOTH, lock: lockOf(15_600), sender: KEYS.maker, receiver: KEYS.taker, amount: '1.5' as DecimalText },
  taker: { ...BOTH, lock: lockOf(7800), sender: KEYS.taker, receiver: KEYS.maker, amount: '3' as DecimalText },
};

/** Members that differ; those of a member that holds members are changed one by one. */
type Changes<T> = {
  readonly [K in keyof T]?: T[K] extends ReadonlyMap<unknown, unknown> | readonly unknown[]
    ? T[K]
    : T[K] extends object
      ? Partial<T[K]>
      : T[K];
};

/** What is other than usual in a turn. */
export type TurnChanges = Partial<Omit<Turn, 'swap' | 'events' | 'journal' | 'facts' | 'policy' | 'traits'>> & {
  readonly swap?: Partial<SwapFacts>;
  readonly events?: Partial<SideEvents>;
  readonly journal?: Changes<JournalContext>;
  readonly facts?: Changes<Facts>;
  readonly policy?: Changes<Policy>;
  readonly traits?: Changes<Turn['traits']>;
};

/**
 * A turn of a taker whose swap began 300 s ago and of which nothing was seen, sent or signed yet: DOC is the maker's coin, MARTY
 * the taker's. With `swap.role` it is the maker's. It wakes never, and any event that is not given throws when it is made.
 */
export function turnOf({ swap, events, journal, facts, policy, traits, ...rest }: TurnChanges = {}): Turn {
  const role = swap?.role ?? 'taker';
  return {
    now: NOW,
    swap: inRace({ ...swapOf(role), ...swap }),
    events: expectedEvents(events ?? {}),
    journal: changed(initialJournalContext(), journal),
    context: role === 'taker' ? initialTakerSwapContext() : initialMakerSwapContext(),
    facts: changed(initialFacts(), facts),
    // Fees rise at once and without bound, unless a test is about that.
    policy: changed({ ...DEFAULT_POLICY, fees: FREE_FEES }, policy),
    traits: changed({ maker: DOC, taker: MARTY }, traits),
    others: NOBODY,
    claims: NO_CLAIMS,
    wakeAt: NEVER,
    ...rest,
  };
}

/** The race follows from what was agreed. */
function inRace(swap: SwapFacts): SwapFacts {
  const { otherTerms, lockDuration } = swap;
  return { ...swap, race: otherTerms === null ? null : raceAgainst(otherTerms.lock, lockDuration) };
}

/** Neither pause nor bound. */
export const FREE_FEES: FeePolicy = {
  pause: 0,
  retryCheaper: 600,
  share: Number.POSITIVE_INFINITY,
  factor: 0,
  most: {},
};

/** A transaction that was signed and attempted 60 s before {@link NOW}, and of which nothing was heard. */
export function preparedOf({
  tx,
  ...changes
}: Partial<Omit<PreparedRecord, 'tx'>> & { readonly tx?: Partial<PreparedRecord['tx']> } = {}): PreparedRecord {
  const at = after(-60);
  return {
    tx: { tx_hex: '0100', tx_hash: 'a0'.repeat(32), spends: ['input:0'], fee: '0.0001' as DecimalText, ...tx },
    target: null,
    urgency: 0,
    preparedAt: at,
    attemptedAt: at,
    acceptedAt: null,
    refused: null,
    refusedAt: null,
    dropped: false,
    dead: false,
    ...changes,
  };
}

/** A chain on which a payment is not seen, and whose clock is a minute behind {@link NOW}. */
export function paymentOf(changes: Partial<PaymentView> = {}): PaymentView {
  const clock = (NOW / 1000 - 60) as UnixSeconds;
  return { funding: null, problem: null, spend: null, refundable: false, clock, height: 100, ...changes };
}

/** A wallet with 10 coins on a chain whose clock is a minute behind {@link NOW}, and where claims pay for themselves. */
export function quoteOf(changes: Partial<Quote> = {}): Quote {
  const fee = '0.0001' as DecimalText;
  const fees = { paymentFee: fee, spendFee: fee, dexFeeFee: fee };
  const clock = (NOW / 1000 - 60) as UnixSeconds;
  return { height: 100, clock, spendable: '10' as DecimalText, ...fees, spendFeeFrom: 'claim', ...changes };
}

function swapOf(role: Leg): SwapFacts {
  const other = role === 'maker' ? 'taker' : 'maker';
  const none = { ownPayment: null, otherPayment: null, claimFee: null, secret: null, claim: null, rewardAsked: null };
  const notYet = { otherValidated: false, watched: false, secretIsPublic: false, refunded: false };
  return {
    role,
    state: 'negotiating',
    uuid: '3447b727-fe93-4357-8e5a-8cf2699b7e86',
    own: role,
    other,
    startedAt: STARTED,
    startBlocks: { maker: null, taker: null },
    lockDuration: 7800,
    margin: 1560,
    race: null,
    ownTerms: TERMS[role],
    otherTerms: TERMS[other],
    otherConfirmations: 1,
    otherRequiresNota: false,
    ownConfirmations: 2,
    lastEventAt: after(-60),
    ...none,
    ...notYet,
  };
}

const BOTH_COINS = { refund: 'transaction', watchers: false } as const;
const DOC: TurnTraits = { ...BOTH_COINS, coin: 'DOC', decimals: 10, minTxAmount: 900n, finality: 2 };
const MARTY: TurnTraits = { ...BOTH_COINS, coin: 'MARTY', decimals: 8, minTxAmount: 1000n, finality: 3 };

function changed<T extends object>(first: T, changes: Changes<T> = {}): T {
  const merge = ([name, value]: readonly [string, unknown]) => {
    const before: unknown = first[name as keyof T];
    return [name, isPlain(before) && isPlain(value) ? { ...before, ...value } : value];
  };
  return { ...first, ...Object.fromEntries(Object.entries(changes).map(merge)) };
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function expectedEvents(given: Partial<SideEvents>): SideEvents {
  const unexpected = (name: string) => () => {
    throw new TypeError(`no ${name} was expected in this turn`);
  };
  return new Proxy(given as SideEvents, {
    get: (events, name) => (typeof name === 'symbol' ? undefined : (Reflect.get(events, name) ?? unexpected(name))),
  });
}
