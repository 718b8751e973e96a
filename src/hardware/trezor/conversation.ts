import type { Clock } from '../../ports/clock.ts';
import type { DeviceFault, DeviceFaultKind } from '../../ports/hardware-wallet.ts';
import { millisOf } from '../../primitives/time.ts';
import { faultOf } from './faults.ts';
import type { DeviceLink } from './link.ts';
import { createAssembler, reportsOf, type WireMessage } from './reports.ts';

/** The longest accepted answer, in bytes; devices send some hundred. */
const MOST_ANSWER_BYTES = 16_384;
/** Answers that are kept until they are read. A device sends one for each request. */
const MOST_KEPT = 16;
/** How often, in milliseconds, a link that does not report an unplugged device by itself is checked during a wait. */
const LOOK_EVERY_MS = 1000;

export type Reply =
  | { readonly ok: true; readonly message: WireMessage }
  | { readonly ok: false; readonly fault: DeviceFault };

/**
 * Requests and answers over a link, one at a time. Once it has ended, it sends nothing more, and every answer is the
 * same fault.
 */
export type Conversation = {
  /**
   * Sends a message and waits for its answer, at most `patienceMs`. An unsolicited answer that arrived before ends the
   * conversation.
   */
  readonly call: (message: WireMessage, patienceMs: number) => Promise<Reply>;
  /** Waits for one more answer to an earlier message. */
  readonly next: (patienceMs: number) => Promise<Reply>;
  /** Watches the device until the next message; settles if the conversation ends before, unless it is closed. */
  readonly idle: () => Promise<void>;
  /** Sends a message while the answer to another one is pending. */
  readonly interject: (message: WireMessage) => void;
  /** Ends it with a reason, which pending callers receive. */
  readonly end: (kind: DeviceFaultKind, message?: string) => DeviceFault;
  /**
   * Sends last messages without waiting for answers, and releases the link. Pending callers receive the reason: that it
   * was closed, or `kind`.
   */
  readonly close: (lastWords: readonly WireMessage[], kind?: DeviceFaultKind) => Promise<void>;
};

export function createConversation(link: DeviceLink, { clock }: { readonly clock: Clock }): Conversation {
  const assembler = createAssembler(MOST_ANSWER_BYTES);
  const kept: WireMessage[] = [];
  let waiting: ((reply: Reply) => void) | undefined;
  const lull = createLull(link, clock);
  let ended = false;

  const end = (kind: DeviceFaultKind, message?: string): DeviceFault => {
    const fault = faultOf(kind, message);
    ended = true;
    waiting?.({ ok: false, fault });
    lull.end('told');
    return fault;
  };
  link.listen({
    report(bytes) {
      if (ended) return;
      const assembled = assembler.take(bytes);
      if (assembled.kind === 'garbled') end('garbled', `The device sent ${assembled.found}.`);
      if (assembled.kind !== 'message') return;
      if (waiting !== undefined) waiting({ ok: true, message: assembled.message });
      else if (kept.push(assembled.message) > MOST_KEPT) end('unexpectedMessage', 'The device keeps sending messages.');
    },
    lost: () => void end('unplugged', 'The device was disconnected.'),
  });

  const hear = (patienceMs: number): Promise<Reply> => {
    lull.end();
    if (ended) return Promise.resolve({ ok: false, fault: faultOf('unplugged') });
    const first = kept.shift();
    if (first !== undefined) return Promise.resolve({ ok: true, message: first });
    return new Promise((resolve) => {
      const stop = watch(link, { clock, patienceMs, onSilence: () => void end('timeout') });
      waiting = (reply) => {
        waiting = undefined;
        stop();
        resolve(reply);
      };
    });
  };
  return {
    next: hear,
    idle: () => (ended ? Promise.resolve() : lull.begin()),
    call(message, patienceMs) {
      if (!ended && kept.length > 0) end('unexpectedMessage', 'The device sent an answer without a request.');
      if (!ended) link.send(reportsOf(message));
      return hear(patienceMs);
    },
    interject: (message) => void (ended || link.send(reportsOf(message))),
    end,
    async close(lastWords, kind) {
      if (!ended) for (const message of lastWords) link.send(reportsOf(message));
      lull.end();
      if (kind === undefined) end('unplugged', 'The session was closed.');
      else end(kind);
      await link.close();
    },
  };
}

/** No request is in progress, and the device is watched nevertheless. */
type Lull = {
  /** Settles if it ends with `told`. */
  readonly begin: () => Promise<void>;
  readonly end: (how?: 'told') => void;
};

function createLull(link: DeviceLink, clock: Clock): Lull {
  let stop = (): void => {};
  let tell = (): void => {};
  return {
    begin() {
      stop();
      stop = watch(link, { clock, patienceMs: Number.POSITIVE_INFINITY, onSilence() {} });
      return new Promise((resolve) => {
        tell = resolve;
      });
    },
    end(how) {
      stop();
      if (how === 'told') tell();
      tell = () => {};
    },
  };
}

type WatchOptions = { readonly clock: Clock; readonly patienceMs: number; readonly onSilence: () => void };

/** Measures time by elapsed pauses, so that setting the clock ends no wait. */
function watch(link: DeviceLink, { clock, patienceMs, onSilence }: WatchOptions): () => void {
  let left = patienceMs;
  let cancel = (): void => {};
  const wait = (): void => {
    const pause = Math.min(LOOK_EVERY_MS, left);
    cancel = clock.wakeAt(millisOf(clock.now() + pause), () => {
      left -= pause;
      if (left <= 0) return onSilence();
      link.look();
      wait();
    });
  };
  wait();
  return () => cancel();
}
