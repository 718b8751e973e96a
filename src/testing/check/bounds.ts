import type { Seconds } from '../../primitives/time.ts';
import type { SimChainKind } from '../chains/types.ts';

/** What goes wrong at most so many times in one run. Each is a budget that the environment spends as it likes. */
export const TROUBLES = ['crashes', 'nodeErrors', 'losses', 'preemptions', 'reorgs', 'drops'] as const;

export type Trouble = (typeof TROUBLES)[number];

/**
 * What is explored: everything that can happen within these bounds, in every order.
 *
 * - `crashes`: an engine dies after any of its durable or visible acts, and starts again at any later moment.
 * - `nodeErrors`: a question has an error for an answer; a broadcast that fails so may have arrived or not.
 * - `losses`: a message does not arrive before the clock moves.
 * - `preemptions`: anything may happen between an engine's decision to broadcast and the broadcast.
 * - `reorgs`: the last block of a chain is replaced by one without its transactions, which wait again.
 * - `drops`: a transaction leaves the mempool.
 */
export type Bounds = Readonly<Record<Trouble, number>> & {
  /** A party that does whatever its keys and the chains permit, in place of an engine. */
  readonly adversary: 'none' | 'maker' | 'taker';
  /**
   * `engine`: a watcher, which stands in for a taker that is away. `free`: somebody who holds what the taker signed for
   * watchers, and does what the chains permit or nothing.
   */
  readonly watcher: 'none' | 'engine' | 'free';
  readonly chains: Readonly<Record<'maker' | 'taker', SimChainKind>>;
  /** Confirmations that each side asks of the other's payment. */
  readonly confirmations: number;
  /** Depth at which a spend is final. */
  readonly finality: number;
  readonly lockDuration: Seconds;
  /**
   * Whether the assumptions of the money rules hold: an engine runs again, with nodes that answer, a fifth of the lock duration
   * before the lock of the other's payment, and what it has broadcast until then is final by then.
   */
  readonly timely: boolean;
};

/** Two sound engines on two UTXO chains, and nothing that goes wrong. */
export const CALM: Bounds = {
  crashes: 0,
  nodeErrors: 0,
  losses: 0,
  preemptions: 0,
  reorgs: 0,
  drops: 0,
  adversary: 'none',
  watcher: 'none',
  chains: { maker: 'utxo', taker: 'utxo' },
  confirmations: 1,
  finality: 2,
  lockDuration: 7800,
  timely: true,
};

/** Calm bounds with the given changes. @throws RangeError for a number out of range. */
export function boundsOf(changes: Partial<Bounds>): Bounds {
  const bounds = { ...CALM, ...changes };
  for (const trouble of TROUBLES) {
    const count = bounds[trouble];
    if (!Number.isInteger(count) || count < 0 || count > MOST) {
      throw new RangeError(`not a bound for ${trouble}: ${count}; it is a whole number from 0 to ${MOST}`);
    }
  }
  for (const depth of [bounds.confirmations, bounds.finality]) {
    if (!Number.isInteger(depth) || depth < 1 || depth > 4) throw new RangeError(`not a depth from 1 to 4: ${depth}`);
  }
  return bounds;
}

const BITS = 4;
const MOST = 2 ** BITS - 1;

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
