import type { Clock } from '../../../ports/clock.ts';
import type { EventLog, LogEntry } from '../../../ports/event-log.ts';
import { stringifyJson } from '../../../primitives/json.ts';
import { millisOf, type Seconds } from '../../../primitives/time.ts';
import type { ReadMessage, StreamMessage } from './message.ts';

export type EventStreamOptions = {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly read: ReadMessage;
  /** Position of the last entry that the client has seen; null for what comes from now on. */
  readonly after: number | null;
  /** Which messages are wanted; heartbeats come anyway. @defaultValue all */
  readonly wants?: (type: string) => boolean;
  readonly limits?: Partial<StreamLimits>;
  /** Ends the connection of a client that does not read. @defaultValue the body fails */
  readonly cut?: (() => void) | undefined;
  /** Called once, however it ends. */
  readonly onEnd?: () => void;
};

export type StreamLimits = {
  /** Between two heartbeats. @defaultValue 15 */
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

/**
 * The log of a node as a client follows it, in frames of server-sent events.
 *
 * - J11: a frame tells of a durable record, or of nothing but that the node runs.
 * - J12: the `id` of a frame is a position of the log, and everything up to it that the client wants has been sent. Who comes back with it gets
 *   what follows, without gaps and without repetition.
 * - J13: what waits for a client is bounded: the log is read on when the client has read, and one that reads nothing for too long is cut.
 *
 * @throws LogError LOG_CURSOR_AHEAD for a position that the log has not reached
 */
export function openEventStream(options: EventStreamOptions): EventStream {
  const { log, clock, read, wants = () => true, cut, onEnd } = options;
  const { heartbeat, patience, waiting } = { ...LIMITS, ...options.limits };
  const gate = createGate(waiting);
  let delivered = options.after ?? log.end?.() ?? null;
  let ended = false;
  let stalledAt: number | null = null;
  let cancelTimer = (): void => {};

  const end = (): void => {
    if (ended) return;
    ended = true;
    cancelTimer();
    subscription.close();
    gate.open();
    onEnd?.();
  };
  const beat = (): void => {
    gate.push(frameOf(delivered, { _type: 'HEARTBEAT', message: { timestamp: clock.now() } }));
  };
  const deliver = async ({ position, envelope }: LogEntry): Promise<void> => {
    const message = await read({ position, envelope });
    if (ended) return;
    delivered = position;
    if (message === null || !wants(message._type)) return;
    gate.push(frameOf(position, message));
    if (!gate.isOpen()) stalledAt ??= clock.now();
    await gate.passed();
    stalledAt = null;
  };
  const fail = (): void => {
    end();
    if (cut === undefined) gate.fail();
    else cut();
  };
  const tick = (): void => {
    stalledAt = gate.isOpen() ? null : (stalledAt ?? clock.now());
    if (stalledAt === null) beat();
    else if (clock.now() - stalledAt >= patience * 1000) fail();
    if (!ended) cancelTimer = clock.wakeAt(millisOf(clock.now() + heartbeat * 1000), tick);
  };
  // A subscriber that threw would be an error of nobody; the client comes back to what could not be read.
  const subscription = log.subscribe({ after: delivered ?? Number.POSITIVE_INFINITY }, (entry) =>
    deliver(entry).catch(fail),
  );
  gate.onCancel(end);
  gate.push(encoder.encode(`retry: ${RETRY}\n\n`));
  tick();
  return {
    body: gate.body,
    close() {
      end();
      gate.close();
    },
  };
}

const encoder = new TextEncoder();

function frameOf(id: number | null, message: StreamMessage): Uint8Array {
  const named = id === null ? '' : `id: ${id}\n`;
  return encoder.encode(`${named}data: ${stringifyJson(message)}\n\n`);
}

/** A body that is written by somebody who wants to know when it was read. */
function createGate(waiting: number) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let onRead: (() => void) | null = null;
  let cancelled = (): void => {};
  let over = false;
  const open = (): void => {
    onRead?.();
    onRead = null;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      pull: open,
      cancel() {
        over = true;
        cancelled();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: waiting }),
  );
  const isOpen = (): boolean => (controller?.desiredSize ?? 0) > 0;
  const finish = (how: (target: ReadableStreamDefaultController<Uint8Array>) => void): void => {
    if (!over && controller !== undefined) how(controller);
    over = true;
  };
  return {
    body,
    isOpen,
    open,
    push(frame: Uint8Array): void {
      if (!over) controller?.enqueue(frame);
    },
    /** When there is room again, or the end has come. */
    async passed(): Promise<void> {
      if (over || isOpen()) return;
      await new Promise<void>((resolve) => {
        onRead = resolve;
      });
    },
    onCancel(action: () => void): void {
      cancelled = action;
    },
    close: () => finish((target) => target.close()),
    fail: () => finish((target) => target.error(new Error('the client does not read'))),
  };
}
