import type { SwapMessage } from '../../ports/peers.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Command, Leg, NewEvent } from '../command.ts';
import { isTaken, runnerFailed } from '../errors.ts';
import { type Backoff, backoffMillis } from '../policy.ts';
import type { Drivable } from './drivable.ts';
import { appendOwn, writeLetter } from './drive-append.ts';
import { ask, giveUp } from './drive-ask.ts';
import { fail, retire } from './drive-fail.ts';
import { load } from './drive-load.ts';
import { send, stopSending } from './drive-send.ts';
import { about, type Engine, momentOf, setMode, setModeUntil } from './engine.ts';
import type { ChainGate } from './gate.ts';
import { LEG_BITS, type Slot } from './slot.ts';

/*
 * The loop of one runner: decide, carry out, give back, and again.
 *
 * - D1: one command at a time. Only an append that somebody else asked for may run beside a question or a message.
 * - D2: what is applied was appended; what is told to anybody was applied. The log's own subscriptions are the publication.
 * - D3: an error of the log proves nothing: the slot forgets what it knows and reads its stream again.
 * - D4: a throw in a runner is a fault of this package: that one stops, the others run on.
 * - D5: an answer counts only for the question that is still open; one that comes later is dropped.
 */

/** Commands in a row without rest: no sound runner needs as many. */
const RUNAWAY = 2000;
/** Pause of a runner that waits for a moment that is over, in milliseconds. */
const LEAST_REST = 1000;
/** Pauses of a runner that never rests, in seconds: one that writes would fill its log. News of its chains still wake it. */
const FORCED_REST: Backoff = { first: 1, factor: 2, most: 60 };

/** One turn of a slot: its decision, or the end of what it was waiting for. */
export function turn(engine: Engine, slot: Slot, now: Millis): void {
  switch (slot.mode) {
    case 'ready':
    case 'waiting':
      if (!engine.held) advance(engine, slot, now);
      return;
    case 'asking':
    case 'queued':
      if (now >= slot.until) giveUp(engine, slot, now);
      else engine.scheduler.at(slot.id, slot.until);
      return;
    case 'sending':
      if (now >= slot.until) stopSending(engine, slot);
      else engine.scheduler.at(slot.id, slot.until);
      return;
    case 'failed':
    case 'reloading':
      if (engine.draining) return;
      if (now >= slot.until) load(engine, slot, () => writeLetter(engine, slot));
      else engine.scheduler.at(slot.id, slot.until);
      return;
    default:
  }
}

function advance(engine: Engine, slot: Slot, now: Millis): void {
  const { driven } = slot;
  // The end of the append gives it its turn back.
  if (driven === null || slot.writing) return;
  const command = decide(engine, slot, { driven, now });
  if (command === null) return;
  engine.metrics.decided(command.kind);
  returnPermit(engine, slot, command);
  slot.burst += 1;
  if (slot.burst > RUNAWAY) {
    engine.logger.warn('runner does not come to rest', about(slot, { command: command.kind }));
    slot.restless += 1;
    rest(engine, slot, now + backoffMillis(FORCED_REST, slot.restless));
    return;
  }
  switch (command.kind) {
    case 'append':
      appendOwn(engine, slot, command.events);
      return;
    case 'ask':
      ask(engine, slot, { command, now });
      return;
    case 'send':
      send(engine, slot, { command, now });
      return;
    case 'wait':
      wait(engine, slot, { driven, until: command.until, now });
      return;
    case 'done':
      retire(engine, slot);
      return;
    default:
      command satisfies never;
  }
}

function decide(
  engine: Engine,
  slot: Slot,
  { driven, now }: { readonly driven: Drivable; readonly now: Millis },
): Command | null {
  try {
    const { unsent } = slot;
    if (unsent !== null && unsent.at <= now) {
      slot.unsent = null;
      for (const kind of unsent.kinds) driven.unsent(kind);
    }
    return driven.decide(momentOf(engine, slot));
  } catch (error) {
    fail(engine, slot, isTaken(error) ? error : runnerFailed(slot.stream, error));
    return null;
  }
}

/** A place at a gate that this command does not need goes to the next in its queue. */
function returnPermit({ gates }: Engine, slot: Slot, command: Command): void {
  const { permit } = slot;
  if (permit === null) return;
  const coin = command.kind === 'ask' ? slot.driven?.coins[command.leg] : undefined;
  if (coin !== undefined && coin !== null && gates.get(coin) === permit) return;
  slot.permit = null;
  permit.leave();
}

type Waiting = { readonly driven: Drivable; readonly until: Millis; readonly now: Millis };

/** What changed while it was busy is looked at before it rests, so that no change is missed and none keeps it from resting. */
function wait(engine: Engine, slot: Slot, { driven, until, now }: Waiting): void {
  const { stale } = slot;
  slot.burst = 0;
  slot.restless = 0;
  if (stale !== 0) {
    slot.stale = 0;
    if ((stale & LEG_BITS.maker) !== 0) driven.poke('maker');
    if ((stale & LEG_BITS.taker) !== 0) driven.poke('taker');
    setMode(engine, slot, 'ready');
    return;
  }
  const at = momentOf(engine, slot);
  const due = now + (until > at ? until - at : LEAST_REST);
  rest(engine, slot, Math.min(due, slot.unsent?.at ?? due));
}

function rest(engine: Engine, slot: Slot, until: number): void {
  slot.burst = 0;
  setModeUntil(engine, slot, { mode: 'waiting', until });
}

/** A place at a gate has become free for a queued slot. It decides anew: much may have changed while it queued. */
export function granted(engine: Engine, slot: Slot, gate: ChainGate<Slot>): void {
  slot.permit = gate;
  slot.gate = null;
  slot.asked = null;
  setMode(engine, slot, 'ready');
}

/** Something on a chain may have changed. */
export function poke(engine: Engine, slot: Slot, leg: Leg): void {
  if (slot.driven === null || slot.mode === 'failed' || slot.mode === 'dormant') return;
  if (slot.mode !== 'waiting') {
    slot.stale |= LEG_BITS[leg];
    return;
  }
  slot.driven.poke(leg);
  setMode(engine, slot, 'ready');
}

const DEAF: ReadonlySet<Slot['mode']> = new Set(['loading', 'reloading', 'dormant', 'failed', 'gone']);

/** Whether the runner takes no message now; those that matter are repeated. */
export function isDeaf({ driven, mode }: Slot): boolean {
  return driven === null || DEAF.has(mode);
}

/** Gives a message to the runner; dropped where it cannot take it. */
export function deliver(engine: Engine, slot: Slot, message: SwapMessage): void {
  if (slot.driven === null || isDeaf(slot)) return;
  try {
    slot.driven.receive(message);
  } catch (error) {
    fail(engine, slot, runnerFailed(slot.stream, error));
    return;
  }
  if (slot.mode === 'waiting') setMode(engine, slot, 'ready');
}

/** Makes events durable in the stream that the runner itself did not decide. */
export function submit(engine: Engine, slot: Slot, events: readonly NewEvent[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const letter = { events, resolve, reject, tries: 0 };
    slot.letters = [...(slot.letters ?? []), letter];
    writeLetter(engine, slot);
  });
}

/** The slot's chains are others than before: its drivable is made anew, once nothing is being written. */
export function reload(engine: Engine, slot: Slot): void {
  if (slot.mode === 'loading' || slot.mode === 'failed' || slot.mode === 'gone') return;
  if (slot.writing) slot.again = true;
  else load(engine, slot, () => writeLetter(engine, slot));
}
