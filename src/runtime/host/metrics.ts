import type { FaultKind } from '../../ports/chain.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { Command, Question } from '../command.ts';

/**
 * What a runner is doing. `running`: a command is under way or about to be; `waiting`: nothing is due yet;
 * `waitingForCoin`: a coin is not active; `waitingForLog`: its log is being read, or could not be; `failed`: it stopped over
 * a fault of this package or a log that cannot be read.
 */
export type RunnerStatus = 'running' | 'waiting' | 'waitingForCoin' | 'waitingForLog' | 'failed';

/** Where a stream stands, as metrics count it. */
export type SwapStanding = { readonly machine: string; readonly state: string; readonly outcome: string };

export type Asked = { readonly op: Question['op']; readonly coin: string; readonly seconds: Seconds };

/** Why a message of another node was dropped, in a closed set. */
export type DropReason =
  /** Nobody of the swap's parties sent it. */
  | 'stranger'
  /** The swap's runner takes none at the moment. */
  | 'deaf'
  /** More messages, or more in them, than may come in the time. */
  | 'tooMany'
  | 'tooMuch'
  /** No message of the protocol, or one that is larger than any. */
  | 'malformed'
  /** A taker's request to watchers that was not taken. */
  | 'refused';

/** A message that was dropped, and from whom: the other side of an own swap, or a taker who wants a watcher. */
export type DroppedMessage = { readonly from: 'counterparty' | 'taker'; readonly why: DropReason };

/** Counts for dashboards. Nothing comes back from it, so that it cannot answer into the core. */
export interface Metrics {
  /** A chain was asked; `fault` is null for a good answer. */
  asked(call: Asked & { readonly fault: FaultKind | null }): void;
  /** An answer came after its question had been given up; it was dropped. */
  late(call: Pick<Asked, 'op' | 'coin'>): void;
  /** The log was asked to hold records. */
  appended(append: { readonly seconds: Seconds; readonly records: number; readonly ok: boolean }): void;
  decided(command: Command['kind']): void;
  /** A stream moved; `null` before it was driven and after, save that one with funds at risk counts on when nobody drives it. */
  moved(from: SwapStanding | null, to: SwapStanding | null): void;
  runnerMoved(from: RunnerStatus | null, to: RunnerStatus | null): void;
  /** A message of another node was dropped. @defaultValue not counted */
  dropped?(message: DroppedMessage): void;
}
