import type { Outcome } from '../../../machines/swap-verdict.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventLog, StreamLabels } from '../../ports/event-log.ts';
import type { LogFields, Logger } from '../../ports/logger.ts';
import type { Peers } from '../../ports/peers.ts';
import type { Millis } from '../../primitives/time.ts';
import type { HeldLedger } from '../held.ts';
import type { Metrics, SwapStanding } from '../host/metrics.ts';
import { nextMoment } from '../host/steady-clock.ts';
import type { RuntimePolicy } from '../runtime-policy.ts';
import type { Batches } from './batches.ts';
import type { ClaimBook } from './claim-book.ts';
import type { DrivableInputs, DrivableKind } from './drivable.ts';
import type { ChainGate } from './gate.ts';
import type { Redactor } from './redactor.ts';
import type { ScheduleIds } from './schedule-ids.ts';
import type { Scheduler } from './scheduler.ts';
import type { Slot } from './slot.ts';
import { isCall, leavingOf, nextState, type SlotEvent, type SlotState, statusOf, untilOf } from './slot-state.ts';

/** What the parts of one runtime share. */
export type Loop = {
  readonly log: EventLog;
  /** The host's: for what is absolute. */
  readonly clock: Clock;
  /** For what is relative: pauses, timeouts, and how long something took. */
  readonly steady: Clock;
  readonly peers: Peers;
  readonly logger: Logger;
  /** Cleans texts from others. */
  readonly redactor: Redactor;
  readonly metrics: Required<Metrics>;
  readonly policy: RuntimePolicy;
  readonly kinds: ReadonlyMap<string, DrivableKind>;
  readonly scheduler: Scheduler;
  readonly batches: Batches;
  /** By coin. */
  readonly gates: Map<string, ChainGate<Slot>>;
  /** What the streams will still take from the wallets. */
  readonly locks: HeldLedger;
  /**
   * Coins whose wallets know that everything signed before is marked. After a coin was removed and added again, its
   * wallet must be told again.
   */
  readonly resumed: Set<string>;
  /** What belongs to which swap. */
  readonly claims: ClaimBook;
  /** By stream. */
  readonly slots: Map<string, Slot>;
  /** Swaps with coins at risk that no engine drives, by stream: the metrics count them as well. */
  readonly atRisk: Map<string, SwapStanding>;
  readonly ids: ScheduleIds;
  /** What a kind of drivable is made from. */
  readonly inputs: DrivableInputs;
  /** From now on, the slot hears from its chains and its topic. */
  readonly attach: (slot: Slot) => void;
  readonly detach: (slot: Slot) => void;
  /** No slot decides: the streams are loading, or the runtime drains. */
  held: boolean;
  draining: boolean;
  /** Calls from outside in progress. */
  underWay: number;
  /** Called when the last of them has ended. */
  onIdle: (() => void) | null;
};

/**
 * Tells a slot what happened, and carries out its change of mode: gives back its place at a gate, counts calls of the
 * outside world, tells the metrics, and schedules its next step. False, without any effect, if that cannot happen to
 * it.
 */
export function move(loop: Loop, slot: Slot, event: SlotEvent): boolean {
  const before = slot.state.doing;
  const next = nextState(slot.state, event);
  if (next === null) {
    const { mode } = before;
    loop.logger.error('a slot was told what cannot happen to it', about(slot, { mode, event: event.type }));
    return false;
  }
  const writable: { state: SlotState } = slot;
  writable.state = next;
  const after = next.doing;
  if (after === before) return true;
  const leaving = leavingOf(before, after, event.type);
  leaving?.gate[leaving.how]();
  if (isCall(after)) begin(loop);
  if (isCall(before)) end(loop);
  const from = statusOf(before);
  const to = statusOf(after);
  if (from !== to) loop.metrics.runnerMoved(from, to);
  schedule(loop, slot);
  return true;
}

/** Schedules the next step of a slot: at once when it is due for a decision, or when what it is about ends by itself. */
export function schedule({ scheduler }: Loop, { id, state }: Slot): void {
  const until = untilOf(state.doing);
  if (state.doing.mode === 'ready') scheduler.soon(id);
  else if (until !== null) scheduler.at(id, until);
  else scheduler.never(id);
}

/** The host's clock as the slot's runner sees it: it never goes back, however the host's clock is set. */
export function momentOf({ clock, steady }: Pick<Loop, 'clock' | 'steady'>, slot: Slot): Millis {
  const wall = clock.now();
  if (clock.elapsed === undefined) return wall;
  const { told } = slot;
  told.moment = nextMoment({ told: told.moment, wall, steady: steady.now() });
  return Math.floor(told.moment.now) as Millis;
}

export function begin(loop: Loop): void {
  loop.underWay += 1;
}

export function end(loop: Loop): void {
  loop.underWay -= 1;
  if (loop.underWay === 0) loop.onIdle?.();
}

/**
 * Reports the status of the slot's stream to the metrics. Coins that are at risk or lost still count when the stream is
 * no longer driven.
 */
export function noteStanding({ metrics, atRisk }: Loop, slot: Slot): void {
  const { stream } = slot;
  const at = slot.driven === null ? null : standingOf(slot);
  const gone = slot.state.doing.mode === 'gone';
  const now = gone && (at === null || !ALARMING.has(at.outcome)) ? null : at;
  const before = slot.told.standing ?? atRisk.get(stream) ?? null;
  atRisk.delete(stream);
  if (gone && now !== null) atRisk.set(stream, now);
  slot.told.standing = now;
  if (before?.state === now?.state && before?.outcome === now?.outcome) return;
  metrics.moved(before, now);
}

/** Outcomes that must be reported, however long ago the swap ended. */
export const ALARMING: ReadonlySet<string> = new Set<Outcome>(['funds-at-risk', 'lost']);

/** Counts a stream that no engine drives, if its coins are at risk or lost according to the log's index. */
export function noteUndriven({ metrics, atRisk, slots }: Loop, stream: string, labels: StreamLabels): void {
  const { outcome, state = 'finished' } = labels;
  if (outcome === undefined || !ALARMING.has(outcome) || slots.has(stream) || atRisk.has(stream)) return;
  const machine = stream.slice(0, stream.indexOf('/'));
  const standing = { machine, state, outcome };
  atRisk.set(stream, standing);
  metrics.moved(null, standing);
}

function standingOf({ driven, kind }: Slot): SwapStanding | null {
  if (driven === null) return null;
  const { state, outcome } = driven.look();
  return { machine: kind.machine, state, outcome };
}

/** Fields of a log line about a stream. */
export function about({ stream }: Slot, fields: LogFields = {}): LogFields {
  return { stream, ...fields };
}
