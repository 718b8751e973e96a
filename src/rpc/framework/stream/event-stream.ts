import type { Clock } from '../../../ports/clock.ts';
import type { EventLog, LogEntry } from '../../../ports/event-log.ts';
import { stringifyJson } from '../../../primitives/json.ts';
import { millisOf, type Seconds } from '../../../primitives/time.ts';
import { createGate } from './gate.ts';
import type { ReadMessage, StreamMessage } from './message.ts';

export type EventStreamOptions = {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly read: ReadMessage;
  /** Position of the last entry that the client has seen; null for what comes from now on. */
  readonly after: number | null;
  /** Which messages are wanted, by their type and the client whose business they are; heartbeats come anyway. @defaultValue all */
  readonly wants?: Wants;
  /** In place of `wants`: what calls choose while the stream runs. @defaultValue `wants` stands as it is */
  readonly choice?: StreamChoice | undefined;
  readonly limits?: Partial<StreamLimits>;
  /** Ends the connection of a client that does not read. @defaultValue the body fails */
  readonly cut?: (() => void) | undefined;
  /** Called once, however it ends. */
  readonly onEnd?: () => void;
};

type Wants = (type: string, client?: number) => boolean;

/** What a stream carries, where that changes while it runs. */
export type StreamChoice = {
  readonly carries: Wants;
  /** Between two heartbeats that it carries; null for none. */
  readonly heartbeat: () => Seconds | null;
  /** Whether nothing of the log is carried. */
  readonly isEmpty: () => boolean;
  /** Who is told of a change, from now on. */
  readonly onChange: (told: () => void) => void;
};

export type StreamLimits = {
  /** Between two heartbeats, and between two places that a stream without heartbeats tells. @defaultValue 15 */
  readonly heartbeat: Seconds;
  /** How long a client may take nothing of what waits for it. @defaultValue 60 */
  readonly patience: Seconds;
  /** Bytes that wait for a client; the frame that goes beyond them is the last until the client has read. @defaultValue 65,536 */
  readonly waiting: number;
};

const LIMITS: StreamLimits = { heartbeat: 15, patience: 60, waiting: 65_536 };

export type EventStream = {
  /** Frames of server-sent events in UTF-8. */
  readonly body: ReadableStream<Uint8Array>;
  /** Ends it in order; the client may come back. */
  readonly close: () => void;
};

/** Milliseconds after which a browser that lost the connection comes back. */
const RETRY = 2000;

/** How long a stream that waited for a choice goes on waiting for the next one: clients choose one thing after the other. */
const SETTLING: Seconds = 2;

/**
 * The log of a node as a client follows it, in frames of server-sent events.
 *
 * - J11: a frame tells of a durable record, or of nothing but that the node runs.
 * - J12: the `id` of a frame is a position of the log, and everything up to it that the client wants has been sent. Who comes back with it gets
 *   what follows, without gaps and without repetition.
 * - J13: what waits for a client is bounded: the log is read on when the client has read, and one that reads nothing for too long is cut.
 * - J14: a stream that comes back with nothing chosen stands where its client stood, until the client has chosen.
 *
 * @throws LogError LOG_CURSOR_AHEAD for a position that the log has not reached
 */
export function openEventStream(options: EventStreamOptions): EventStream {
  const { log, clock, read, choice, cut, onEnd } = options;
  const wants = choice?.carries ?? options.wants ?? (() => true);
  const limits = { ...LIMITS, ...options.limits };
  const gate = createGate(limits.waiting);
  const hold = createHold(clock, options.after === null ? undefined : choice);
  let delivered = options.after ?? log.end?.() ?? null;
  let ended = false;

  const end = (): void => {
    if (ended) return;
    ended = true;
    heart.end();
    hold.end();
    subscription.close();
    gate.open();
    onEnd?.();
  };
  const deliver = async ({ position, envelope }: LogEntry): Promise<void> => {
    await hold.over();
    if (ended) return;
    const message = await read({ position, envelope });
    if (ended) return;
    delivered = position;
    if (message === null || !wants(message._type, message.client)) return;
    gate.push(frameOf(position, message));
    heart.waits();
    await gate.passed();
    heart.goesOn();
  };
  const fail = (): void => {
    end();
    if (cut === undefined) gate.fail();
    else cut();
  };
  const heart = createHeart({ ...{ clock, gate, limits, choice }, place: () => delivered, onStalled: fail });
  // A subscriber that threw would be an error of nobody; the client comes back to what could not be read.
  const subscription = log.subscribe({ after: delivered ?? Number.POSITIVE_INFINITY }, (entry) =>
    deliver(entry).catch(fail),
  );
  const look = (): void => {
    hold.look();
    heart.look();
  };
  gate.onCancel(end);
  gate.push(encoder.encode(`retry: ${RETRY}\n\n`));
  heart.begin();
  choice?.onChange(look);
  look();
  return {
    body: gate.body,
    close() {
      end();
      gate.close();
    },
  };
}

type HeartTerms = {
  readonly clock: Clock;
  readonly gate: ReturnType<typeof createGate>;
  readonly limits: StreamLimits;
  readonly choice: StreamChoice | undefined;
  readonly place: () => number | null;
  /** The client took nothing for longer than it may. */
  readonly onStalled: () => void;
};

/** Tells a client that the node runs and where it stands, and notices when it takes nothing. */
function createHeart({ clock, gate, limits, choice, place, onStalled }: HeartTerms) {
  let stalledAt: number | null = null;
  const beat = (): void => {
    if (gate.isOpen()) gate.push(frameOf(place(), { _type: 'HEARTBEAT', message: { timestamp: clock.now() } }));
  };
  const ticks = createBeats(clock, () => {
    stalledAt = gate.isOpen() ? null : (stalledAt ?? clock.now());
    if (stalledAt !== null && clock.now() - stalledAt >= limits.patience * 1000) onStalled();
    else if (choice === undefined) beat();
    else if (gate.isOpen()) gate.push(placeFrame(place()));
  });
  const beats = createBeats(clock, beat);
  return {
    begin: () => ticks.every(limits.heartbeat),
    look: () => beats.every(choice?.heartbeat() ?? null),
    waits(): void {
      if (!gate.isOpen()) stalledAt ??= clock.now();
    },
    goesOn(): void {
      stalledAt = null;
    },
    end(): void {
      ticks.every(null);
      beats.every(null);
    },
  };
}

const encoder = new TextEncoder();

function frameOf(id: number | null, { _type, message }: StreamMessage): Uint8Array {
  const named = id === null ? '' : `id: ${id}\n`;
  return encoder.encode(`${named}data: ${stringifyJson({ _type, message })}\n\n`);
}

/** Tells a client where it stands and nothing else: a browser keeps the id, and shows its page no event. */
function placeFrame(id: number | null): Uint8Array {
  return encoder.encode(id === null ? ':\n\n' : `id: ${id}\n\n`);
}

/** Calls back at once and then every so often. */
function createBeats(clock: Clock, beat: () => void) {
  let seconds: Seconds | null = null;
  let cancel = (): void => {};
  const ring = (): void => {
    beat();
    // Who is called may end it.
    if (seconds !== null) cancel = clock.wakeAt(millisOf(clock.now() + Math.ceil(seconds * 1000)), ring);
  };
  const every = (next: Seconds | null): void => {
    if (next === seconds) return;
    cancel();
    seconds = next;
    if (next !== null) ring();
  };
  return { every };
}

/** Keeps a stream where it is while nothing is chosen, and for a moment after each choice. Without a choice it keeps nothing. */
function createHold(clock: Clock, choice: StreamChoice | undefined) {
  let cancel = (): void => {};
  let release = (): void => {};
  let isHeld = choice?.isEmpty() === true;
  const released = isHeld
    ? new Promise<void>((resolve) => {
        release = resolve;
      })
    : Promise.resolve();
  const end = (): void => {
    isHeld = false;
    cancel();
    release();
  };
  return {
    over: () => released,
    end,
    look(): void {
      if (!isHeld) return;
      cancel();
      if (choice?.isEmpty() === false) cancel = clock.wakeAt(millisOf(clock.now() + SETTLING * 1000), end);
    },
  };
}
