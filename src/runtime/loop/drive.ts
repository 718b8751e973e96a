import type { SwapMessage } from '../../ports/peers.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Command, Leg, NewEvent } from '../command.ts';
import { isTaken, runnerFailed } from '../errors.ts';
import { type Backoff, backoffMillis } from '../policy.ts';
import type { Drivable } from './drivable.ts';
import { appendOwn, writeLetter } from './drive-append.ts';
import { ask, giveUp } from './drive-ask.ts';
import { fail, retire } from './drive-fail.ts';
import { load, reload as reloadSlot } from './drive-load.ts';
import { send, stopSending } from './drive-send.ts';
import { addLetter } from './letters.ts';
import { about, type Loop, momentOf, move, schedule } from './loop.ts';
import { LEG_BITS, type Slot } from './slot.ts';
import { isDeaf } from './slot-state.ts';

/*
 * The loop of one runner: decide, execute, return the result, repeat.
 *
 * - D1: one command at a time. Only an append requested by someone else may run next to a question or a message.
 * - D2: everything applied was appended, and everything published was applied. The log's own subscriptions are the
 *   publication.
 * - D3: an error of the log proves nothing: the slot forgets what it knows and rereads its stream.
 * - D4: a throw in a runner is a bug in this package: that runner stops, the others continue.
 * - D5: an answer counts only for the question that is still open; one that comes later is dropped.
 */

/** Consecutive commands without rest: no correct runner needs as many. */
const RUNAWAY = 2000;
/** Pause of a runner that waits for a time in the past, in milliseconds. */
const LEAST_REST = 1000;
/**
 * Pauses of a runner that never rests, in seconds, because one that writes would fill its log. News from its chains
 * still wakes it.
 */
const FORCED_REST: Backoff = { first: 1, factor: 2, most: 60 };

/** One step of a slot: its decision, or the end of what it was waiting for. */
export function drive(loop: Loop, slot: Slot, now: Millis): void {
  const { doing } = slot.state;
  switch (doing.mode) {
    case 'ready':
    case 'waiting':
      if (!loop.held) advance(loop, slot, now);
      return;
    case 'asking':
    case 'queued':
      if (now >= doing.until) giveUp(loop, slot, { open: doing, now });
      else schedule(loop, slot);
      return;
    case 'sending':
      if (now >= doing.until) stopSending(loop, slot, doing.message);
      else schedule(loop, slot);
      return;
    case 'failed':
    case 'reloading':
      if (loop.draining) return;
      if (doing.until !== null && now >= doing.until) load(loop, slot, () => writeLetter(loop, slot));
      else schedule(loop, slot);
      return;
    default:
  }
}

function advance(loop: Loop, slot: Slot, now: Millis): void {
  const { driven } = slot;
  // The end of the append gives it its turn back.
  if (driven === null || slot.state.append !== 'none') return;
  const command = decisionOf(loop, slot, { driven, now });
  if (command === null) return;
  loop.metrics.decided(command.kind);
  const { burst, restless } = slot.state.counts;
  if (burst >= RUNAWAY) {
    loop.logger.warn('runner does not come to rest', about(slot, { command: command.kind }));
    move(loop, slot, { type: 'forceRest', until: now + backoffMillis(FORCED_REST, restless + 1) });
    return;
  }
  switch (command.kind) {
    case 'append':
      appendOwn(loop, slot, command.events);
      return;
    case 'ask':
      ask(loop, slot, { command, now });
      return;
    case 'send':
      send(loop, slot, { command, now });
      return;
    case 'wait':
      wait(loop, slot, { driven, until: command.until, now });
      return;
    case 'done':
      retire(loop, slot);
      return;
    default:
      command satisfies never;
  }
}

function decisionOf(
  loop: Loop,
  slot: Slot,
  { driven, now }: { readonly driven: Drivable; readonly now: Millis },
): Command | null {
  try {
    const { unsent } = slot.state;
    if (unsent !== null && unsent.at <= now) {
      move(loop, slot, { type: 'resend' });
      for (const kind of unsent.kinds) driven.unsent(kind);
    }
    return driven.decide(momentOf(loop, slot));
  } catch (error) {
    fail(loop, slot, isTaken(error) ? error : runnerFailed(slot.stream, error));
    return null;
  }
}

type Waiting = { readonly driven: Drivable; readonly until: Millis; readonly now: Millis };

/**
 * Before it rests, it looks at what changed while it was busy, so it misses no change and no change keeps it from
 * resting.
 */
function wait(loop: Loop, slot: Slot, { driven, until, now }: Waiting): void {
  const { news, unsent } = slot.state;
  if ((news & LEG_BITS.maker) !== 0) driven.poke('maker');
  if ((news & LEG_BITS.taker) !== 0) driven.poke('taker');
  const at = momentOf(loop, slot);
  const due = now + (until > at ? until - at : LEAST_REST);
  move(loop, slot, { type: 'rest', until: Math.min(due, unsent?.at ?? due) });
}

/** Something on a chain may have changed. */
export function poke(loop: Loop, slot: Slot, leg: Leg): void {
  const { driven, state } = slot;
  if (driven === null) return;
  if (state.doing.mode !== 'waiting') {
    move(loop, slot, { type: 'news', legs: LEG_BITS[leg] });
    return;
  }
  driven.poke(leg);
  move(loop, slot, { type: 'wake' });
}

/** Passes a message to the runner; drops it if the runner cannot accept it. */
export function deliver(loop: Loop, slot: Slot, message: SwapMessage): void {
  if (slot.driven === null || isDeaf(slot.state.doing)) return;
  try {
    slot.driven.receive(message);
  } catch (error) {
    fail(loop, slot, runnerFailed(slot.stream, error));
    return;
  }
  move(loop, slot, { type: 'wake' });
}

/** Makes events durable in the stream that the runner itself did not decide on. */
export function submit(loop: Loop, slot: Slot, events: readonly NewEvent[]): Promise<void> {
  return new Promise((resolve, reject) => {
    addLetter(slot, { events, resolve, reject, tries: 0 });
    writeLetter(loop, slot);
  });
}

/** The slot's chains are others than before. */
export function reload(loop: Loop, slot: Slot): void {
  reloadSlot(loop, slot, () => writeLetter(loop, slot));
}
