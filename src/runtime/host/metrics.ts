import type { FaultKind } from '../../ports/chain.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { Command, Question } from '../command.ts';

/**
 * What a runner is doing. `running`: it executes a command or is about to; `waiting`: nothing is due yet;
 * `waitingForCoin`: a coin is not active; `waitingForLog`: its log is being read, or could not be; `failed`: it stopped
 * because of a bug in this package or an unreadable log.
 */
export type RunnerStatus = 'running' | 'waiting' | 'waitingForCoin' | 'waitingForLog' | 'failed';

/** The status of a stream, as metrics count it. */
export type SwapStanding = { readonly machine: string; readonly state: string; readonly outcome: string };

export type Asked = { readonly op: Question['op']; readonly coin: string; readonly seconds: Seconds };

/** Why a message of another node was dropped, in a closed set. */
export type DropReason =
  /** The sender is not a party of the swap. */
  | 'stranger'
  /** The swap's runner accepts none at the moment. */
  | 'deaf'
  /** More messages, or more bytes, than allowed in the time. */
  | 'tooMany'
  | 'tooMuch'
  /** Not a message of the protocol, or larger than any. */
  | 'malformed'
  /** A taker's request to watchers that was not accepted. */
  | 'refused';

/** A dropped message and its sender: the other side of one of our swaps, or a taker who wants a watcher. */
export type DroppedMessage = { readonly from: 'counterparty' | 'taker'; readonly why: DropReason };

/** Counters for dashboards. It returns nothing, so it cannot influence the core. */
export interface Metrics {
  /** A chain was asked; `fault` is null for a good answer. */
  asked(call: Asked & { readonly fault: FaultKind | null }): void;
  /** An answer arrived after its question was abandoned, and was dropped. */
  late(call: Pick<Asked, 'op' | 'coin'>): void;
  /** The log was asked to append records. */
  appended(append: { readonly seconds: Seconds; readonly records: number; readonly ok: boolean }): void;
  decided(command: Command['kind']): void;
  /**
   * A stream advanced; `null` before and after an engine drives it, except that one with funds at risk still counts
   * when no engine drives it.
   */
  moved(from: SwapStanding | null, to: SwapStanding | null): void;
  runnerMoved(from: RunnerStatus | null, to: RunnerStatus | null): void;
  /** A message of another node was dropped. @defaultValue not counted */
  dropped?(message: DroppedMessage): void;
}
