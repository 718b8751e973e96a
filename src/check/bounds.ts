import type { Seconds } from '../primitives/time.ts';
import type { SimChainKind } from '../sim/chains/types.ts';
import { type Check, flag, numberOf, objectOf, oneOf, optionsOf } from '../sim/shape-check.ts';

/** How often each trouble may occur in one run. Each is a budget that the environment spends as it likes. */
export const TROUBLES = ['crashes', 'nodeErrors', 'losses', 'preemptions', 'reorgs', 'drops', 'partials'] as const;

export type Trouble = (typeof TROUBLES)[number];

/**
 * The check explores everything that can happen within these bounds, in every order.
 *
 * - `crashes`: an engine dies after any of its durable or visible acts, and starts again at any later moment.
 * - `nodeErrors`: a question is answered with an error; a broadcast that fails this way may or may not have arrived.
 * - `losses`: a message does not arrive before the clock moves.
 * - `preemptions`: anything may happen between an engine's decision to broadcast and the broadcast.
 * - `reorgs`: the last block of a chain is taken back, and its transactions wait again; several in a row go as deep. None takes out what is as deep
 *   as someone waited for: of payments the confirmations, of spends the finality.
 * - `drops`: a transaction leaves the mempool.
 * - `partials`: a block omits one transaction that it could hold.
 */
export type Bounds = Readonly<Record<Trouble, number>> & {
  /** A party that does whatever its keys and the chains permit, in place of an engine. */
  readonly adversary: 'none' | 'maker' | 'taker';
  /**
   * `engine`: a watcher, which stands in for a taker that is away. `free`: someone who holds what the taker signed for watchers, and does what the
   * chains permit or nothing.
   */
  readonly watcher: 'none' | 'engine' | 'free';
  readonly chains: Readonly<Record<'maker' | 'taker', SimChainKind>>;
  /** Whether chains with accounts pay watchers, who make calls of their own there. */
  readonly rewards: boolean;
  /** Payments that an adversary may have on its chain at once. */
  readonly payments: 1 | 2;
  /** Confirmations that the payment on each chain needs. */
  readonly confirmations: PerLeg;
  /** Depth at which a spend is final on each chain. */
  readonly finality: PerLeg;
  readonly lockDuration: Seconds;
  /**
   * Whether the assumptions of the money rules hold: an engine runs again, with nodes that answer, a fifth of the lock duration before the lock of
   * the other's payment, and what it has broadcast until then is final by then.
   */
  readonly timely: boolean;
};

/** A number for the maker's chain and one for the taker's. */
export type PerLeg = Readonly<Record<'maker' | 'taker', number>>;

/** Bounds that differ from the calm ones; a single depth applies to both chains. */
export type BoundsChanges = Partial<Omit<Bounds, 'confirmations' | 'finality'>> & {
  readonly confirmations?: number | PerLeg;
  readonly finality?: number | PerLeg;
};

/** Two sound engines on two UTXO chains, and nothing goes wrong. */
export const CALM: Bounds = {
  crashes: 0,
  nodeErrors: 0,
  losses: 0,
  preemptions: 0,
  reorgs: 0,
  drops: 0,
  partials: 0,
  payments: 1,
  adversary: 'none',
  watcher: 'none',
  chains: { maker: 'utxo', taker: 'utxo' },
  rewards: false,
  confirmations: { maker: 1, taker: 1 },
  finality: { maker: 2, taker: 2 },
  lockDuration: 7800,
  timely: true,
};

const depth = numberOf({ from: 1, to: 4, whole: true });
const perLeg = objectOf({ maker: depth, taker: depth });
const depths: Check = (value, at) => (typeof value === 'object' ? perLeg : depth)(value, at);
const chain = oneOf('utxo', 'account', 'autoRefund');

/**
 * Calm bounds with the given changes.
 *
 * @throws MemberTypeError, MemberValueError for a bound that does not exist or is out of range.
 *
 * @example
 * ```ts
 * import { boundsOf } from 'swapfold/testing';
 *
 * const bounds = boundsOf({ crashes: 1, confirmations: 2, finality: { maker: 3, taker: 1 } });
 * bounds.confirmations; // → { maker: 2, taker: 2 }
 * [bounds.crashes, bounds.reorgs, bounds.finality.taker]; // → [1, 0, 1]
 * boundsOf({ crashes: 16 }); // throws MemberValueError
 * ```
 */
export function boundsOf(changes: BoundsChanges): Bounds {
  changesCheck(changes, 'bounds');
  const { confirmations = CALM.confirmations, finality = CALM.finality, ...rest } = changes;
  return { ...CALM, ...rest, confirmations: pairOf(confirmations), finality: pairOf(finality) };
}

function pairOf(value: number | PerLeg): PerLeg {
  return typeof value === 'number' ? { maker: value, taker: value } : value;
}

const BITS = 4;
const MOST = 2 ** BITS - 1;

const troubles = Object.fromEntries(TROUBLES.map((name) => [name, numberOf({ from: 0, to: MOST, whole: true })]));
const changesCheck = optionsOf({
  ...troubles,
  adversary: oneOf('none', 'maker', 'taker'),
  watcher: oneOf('none', 'engine', 'free'),
  chains: objectOf({ maker: chain, taker: chain }),
  rewards: flag,
  payments: numberOf({ from: 1, to: 2, whole: true }),
  confirmations: depths,
  finality: depths,
  lockDuration: numberOf({ from: 600, whole: true, unit: 'seconds' }),
  timely: flag,
});

/** The budgets that are left, as one number. */
export type Budget = number;

export function budgetOf(bounds: Bounds): Budget {
  return TROUBLES.reduce((sum, trouble, index) => sum + (bounds[trouble] << (BITS * index)), 0);
}

export function left(budget: Budget, trouble: Trouble): number {
  return (budget >> (BITS * TROUBLES.indexOf(trouble))) & MOST;
}

/** What one trouble takes from a budget. */
export function costOf(trouble: Trouble): Budget {
  return 1 << (BITS * TROUBLES.indexOf(trouble));
}

/** Whether a budget covers a cost. */
export function covers(budget: Budget, cost: Budget): boolean {
  for (let shift = 0; shift < BITS * TROUBLES.length; shift += BITS) {
    if (((budget >> shift) & MOST) < ((cost >> shift) & MOST)) return false;
  }
  return true;
}
