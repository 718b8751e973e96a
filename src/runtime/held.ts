import type { LegFees, LockedAmounts, SwapHold } from '../htlc/locked-amount.ts';
import { type DecimalText, toBigNumber } from '../primitives/decimal.ts';

type Amount = ReturnType<typeof toBigNumber>;
type Amounts = ReadonlyMap<string, Amount>;

const ZERO = toBigNumber('0' as DecimalText);
const NOTHING: Amounts = new Map();
const HOLDS_NOTHING: SwapHold = { amounts: new Map(), fees: new Map() };

/**
 * A point in time, as the amounts released by then. Replaced with every change and never modified, so keeping it is
 * cheap.
 */
export type HeldSince = Amounts;

/** What the other swaps of a wallet hold, for a swap that checks its own balance. */
export type Others = {
  /** The current point in time; null if no other swap uses the wallet. */
  readonly since: () => HeldSince | null;
  /**
   * Coins that others hold now, plus everything that they released since then: a balance requested at that time may
   * still show those coins, so they must not count as available. In coin units.
   */
  readonly held: (coin: string, since: HeldSince | null) => Amount;
};

/** For a swap that has a wallet to itself. */
export const NOBODY: Others = { since: () => null, held: () => ZERO };

/**
 * What the swaps of one runtime will still take from the wallets. It keeps one sum per coin as streams advance, so the
 * cost does not grow with their number.
 *
 * - H1: a stream counts before its start is written, so if two start at the same moment, the second sees what the first
 *   will need.
 */
export type HeldLedger = {
  readonly set: (stream: string, hold: SwapHold) => void;
  /** Counts the larger of what a stream already holds and these amounts, per coin. */
  readonly atLeast: (stream: string, hold: SwapHold) => void;
  readonly forget: (stream: string) => void;
  readonly others: (stream: string) => Others;
  /** What one stream holds of a coin. */
  readonly of: (stream: string, coin: string) => DecimalText;
  /** How much of it are fees on the chain of a coin; null for none. */
  readonly feesOf: (stream: string, coin: string) => LegFees | null;
  readonly streams: () => readonly string[];
  /** What all streams hold now, in coin units by ticker. */
  readonly all: () => LockedAmounts;
};

/** Calls `told` with each coin whose held amount or future fees changed. */
export function createHeldLedger(told: (stream: string, coin: string) => void = () => {}): HeldLedger {
  const streams = new Map<string, SwapHold>();
  // Both only grow, so their difference is what was held at any time since.
  let taken = NOTHING;
  let released: HeldSince = NOTHING;

  const set = (stream: string, hold: SwapHold): void => {
    const before = streams.get(stream) ?? HOLDS_NOTHING;
    if (before === hold) return;
    const { amounts, fees } = hold;
    const changed = changedCoins(before, hold);
    for (const coin of changed) {
      const change = amountOf(amounts, coin).minus(amountOf(before.amounts, coin));
      if (change.gt(0)) taken = plus(taken, coin, change);
      else if (change.lt(0)) released = plus(released, coin, change.negated());
    }
    if (amounts.size === 0 && fees.size === 0) streams.delete(stream);
    else streams.set(stream, hold);
    for (const coin of changed) told(stream, coin);
  };

  return {
    set,
    atLeast(stream, { amounts, fees }) {
      const before = streams.get(stream) ?? HOLDS_NOTHING;
      const most = new Map(before.amounts);
      for (const [coin, amount] of amounts) {
        if (toBigNumber(amount).gt(amountOf(most, coin))) most.set(coin, amount);
      }
      const mostFees = new Map(before.fees);
      for (const [leg, fee] of fees) {
        if (toBigNumber(fee.amount).gt(mostFees.get(leg)?.amount ?? ZERO)) mostFees.set(leg, fee);
      }
      set(stream, { amounts: most, fees: mostFees });
    },
    forget: (stream) => set(stream, HOLDS_NOTHING),
    of: (stream, coin) => streams.get(stream)?.amounts.get(coin) ?? ('0' as DecimalText),
    feesOf: (stream, coin) => streams.get(stream)?.fees.get(coin) ?? null,
    streams: () => [...streams.keys()],
    others: (stream) => ({
      since: () => released,
      held: (coin, since) =>
        (taken.get(coin) ?? ZERO)
          .minus((since ?? released).get(coin) ?? ZERO)
          .minus(amountOf((streams.get(stream) ?? HOLDS_NOTHING).amounts, coin)),
    }),
    all() {
      const amounts = new Map<string, DecimalText>();
      for (const [coin, sum] of taken) {
        const held = sum.minus(released.get(coin) ?? ZERO);
        if (held.gt(0)) amounts.set(coin, held.toFixed() as DecimalText);
      }
      return amounts;
    },
  };
}

function plus(sums: Amounts, coin: string, change: Amount): Amounts {
  return new Map(sums).set(coin, (sums.get(coin) ?? ZERO).plus(change));
}

function amountOf(amounts: LockedAmounts, coin: string): Amount {
  const amount = amounts.get(coin);
  return amount === undefined ? ZERO : toBigNumber(amount);
}

/** Coins whose held amount or future fees changed. */
function changedCoins(before: SwapHold, now: SwapHold): readonly string[] {
  const coins = new Set([before, now].flatMap(({ amounts, fees }) => [...amounts.keys(), ...fees.keys()]));
  return [...coins].filter(
    (coin) =>
      before.amounts.get(coin) !== now.amounts.get(coin) || !sameFees(before.fees.get(coin), now.fees.get(coin)),
  );
}

function sameFees(left: LegFees | undefined, right: LegFees | undefined): boolean {
  return left?.coin === right?.coin && left?.amount === right?.amount && left?.ends.join() === right?.ends.join();
}
