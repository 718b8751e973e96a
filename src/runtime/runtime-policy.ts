import { BASE_LOCK_DURATION } from '../htlc/lock-times.ts';
import type { Allowance, TopicAllowances } from '../peers/allowance.ts';
import type { Seconds } from '../primitives/time.ts';
import { type Backoff, DEFAULT_POLICY, type Policy } from './policy.ts';

/** Timings and limits of the runtime around its runners, and those of the runners. */
export type RuntimePolicy = Policy & {
  /** How long a question to a chain may take, including its wait for a free place. @defaultValue 30 s */
  readonly callTimeout: Seconds;
  /** How long the network may take to accept a message. @defaultValue 5 s */
  readonly sendTimeout: Seconds;
  /** Concurrent questions to one chain. @defaultValue 64 */
  readonly callsPerChain: number;
  /** Shortest pause between two looks that a chain's own notices cause. @defaultValue 1 s */
  readonly feedPause: Seconds;
  /** Pauses after an error of the log. @defaultValue from 1 s to 60 s */
  readonly logBackoff: Backoff;
  /** Pauses before a runner that stopped because of a bug restarts from its log. @defaultValue from 60 s to an hour */
  readonly faultBackoff: Backoff;
  /** Streams read from the log concurrently. @defaultValue 32 */
  readonly loading: number;
  /**
   * KDF's `payment_locktime`: `startSwap` takes the multiples of it that the rule gives for the two coins, and no others. Another
   * one is for tests and private networks: a node with the usual one refuses to negotiate. @defaultValue 7800 s (KDF)
   */
  readonly paymentLocktime: Seconds;
  readonly hearing: Hearing;
};

/** How many messages of other nodes are read, and of what weight (characters, numbers and members); what is beyond is dropped. */
export type Hearing = {
  /**
   * From the other side of a swap, for each swap. An honest one repeats itself every 15 s at most, with at most three messages of up to
   * 400,000 characters in all. @defaultValue 30 messages at once and one in 2 s; 2,000,000 characters at once and 20,000 in a second
   */
  readonly counterparty: Allowance;
  /**
   * From takers who want a watcher, for each coin. An honest one repeats its message every 600 s for each swap that it has open.
   * What is heard is kept in memory until the chain shows that the taker has paid, which bounds what goes into the log.
   * @defaultValue each 60 messages at once and one in 2 s, all 600 at once and 20 in a second; each 200,000 characters at once and
   * 2000 in a second, all 2,000,000 and 60,000; of 1000 takers
   */
  readonly takers: TopicAllowances;
};

export const DEFAULT_RUNTIME_POLICY: RuntimePolicy = {
  ...DEFAULT_POLICY,
  callTimeout: 30,
  sendTimeout: 5,
  callsPerChain: 64,
  feedPause: 1,
  logBackoff: { first: 1, factor: 2, most: 60 },
  faultBackoff: { first: 60, factor: 2, most: 3600 },
  loading: 32,
  paymentLocktime: BASE_LOCK_DURATION,
  hearing: {
    counterparty: { messages: { burst: 30, perSecond: 0.5 }, weight: { burst: 2_000_000, perSecond: 20_000 } },
    takers: {
      each: { messages: { burst: 60, perSecond: 0.5 }, weight: { burst: 200_000, perSecond: 2000 } },
      all: { messages: { burst: 600, perSecond: 20 }, weight: { burst: 2_000_000, perSecond: 60_000 } },
      most: 1000,
    },
  },
};
