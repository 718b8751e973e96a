import type { Clock } from '../../../src/ports/clock.ts';
import type { RuntimeChain } from '../../../src/runtime/loop/gate.ts';

/** One chain of a swap, whose blocks and time a test has in its hand. Wallets have names of their own for each swap. */
export type Leg = {
  readonly coin: string;
  readonly decimals: number;
  /** Blocks that a payment of a maker is waited for. @defaultValue 1 */
  readonly depth?: number;
  /** Least seconds between two blocks. */
  readonly blockTime: number;
  /** Whether the chain gives a payment back by itself. */
  readonly refundsByItself: boolean;
  /** What a swap trades of it. */
  readonly amount: string;
  /** More than all transactions of one swap cost of it, in base units; 0 where they are paid with another coin. */
  readonly little: bigint;
  /** Gives a wallet what it trades and what its transactions cost. */
  readonly fund: (name: string) => Promise<void>;
  /** The wallet of a name, in a new process. */
  readonly wallet: (name: string, clock: Clock) => RuntimeChain;
  /** Blocks that are due by this moment, in seconds. */
  readonly mineUntil: (seconds: number) => Promise<void>;
  readonly busy: () => number;
  /** What a wallet has, in base units, by the chain's own books. */
  readonly balance: (name: string) => Promise<bigint>;
  /** What payments of all swaps hold, in base units; null where the balances alone tell. */
  readonly locked: () => Promise<bigint | null>;
  readonly close: () => Promise<void>;
};
