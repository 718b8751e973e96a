import type { DeviceFault } from '../../ports/hardware-wallet.ts';
import type { Conversation, Reply } from './conversation.ts';
import { faultOf } from './faults.ts';
import { FAILURE, MESSAGE } from './message-types.ts';
import { messageWriter, readFields, textOf, u32Of } from './protobuf.ts';
import type { WireMessage } from './reports.ts';
import { WireFault } from './wire-fault.ts';

/** Answers to earlier messages that may precede the expected one. */
const MOST_LEFTOVERS = 8;
const QUESTIONS: ReadonlySet<number> = new Set([
  MESSAGE.pinMatrixRequest,
  MESSAGE.passphraseRequest,
  MESSAGE.buttonRequest,
]);
const OF_THE_PAST: ReadonlySet<number | undefined> = new Set([
  FAILURE.actionCancelled,
  FAILURE.pinCancelled,
  FAILURE.unexpectedMessage,
]);

export const CANCEL: WireMessage = { type: MESSAGE.cancel, payload: new Uint8Array(0) };

/** Messages and answers in turn, with a way to interrupt the device. Answers carry no number, so their order counts. */
export type Line = {
  readonly exchange: (message: WireMessage, patienceMs: number) => Promise<Reply>;
  /** The same for a message that ends whatever the device was doing: remaining answers to that are skipped. */
  readonly exchangeAnew: (message: WireMessage, wanted: number) => Promise<Reply>;
  readonly begin: () => void;
  readonly interrupt: () => void;
};

export function createLine(conversation: Conversation, { answerMs }: { readonly answerMs: number }): Line {
  let inFlight = false;
  let interrupted = false;
  let stopping = false;
  let pings = 0;

  /**
   * A `Cancel` may have crossed the answer, and then has an answer of its own: everything before the echo of a ping is
   * outdated.
   */
  const catchUp = async (): Promise<DeviceFault | undefined> => {
    pings += 1;
    const text = `after a cancel, ${pings}`;
    conversation.interject({ type: MESSAGE.ping, payload: messageWriter().text(1, text).done() });
    for (let count = 0; count < MOST_LEFTOVERS; count++) {
      const reply = await conversation.next(answerMs);
      if (!reply.ok) return reply.fault;
      if (isEcho(reply.message, text)) return undefined;
    }
    return conversation.end('unexpectedMessage', 'The device does not finish what was cancelled.');
  };
  return {
    async exchange(message, patienceMs) {
      interrupted = false;
      inFlight = true;
      const reply = await conversation.call(stopping ? CANCEL : message, patienceMs);
      inFlight = false;
      if (!interrupted || !reply.ok) return reply;
      const fault = await catchUp();
      if (fault !== undefined) return { ok: false, fault };
      return QUESTIONS.has(reply.message.type) ? { ok: false, fault: faultOf('cancelled') } : reply;
    },
    async exchangeAnew(message, wanted) {
      let reply = await conversation.call(message, answerMs);
      for (let count = 0; count < MOST_LEFTOVERS && reply.ok && isLeftover(reply.message, wanted); count++) {
        reply = await conversation.next(answerMs);
      }
      return reply;
    },
    begin() {
      stopping = false;
    },
    interrupt() {
      if (inFlight && !interrupted) conversation.interject(CANCEL);
      if (inFlight) interrupted = true;
      stopping = true;
    },
  };
}

function isLeftover({ type, payload }: WireMessage, wanted: number): boolean {
  if (type === wanted) return false;
  return type !== MESSAGE.failure || OF_THE_PAST.has(quietly(() => u32Of(readFields(payload), 1)));
}

function isEcho({ type, payload }: WireMessage, text: string): boolean {
  return type === MESSAGE.success && quietly(() => textOf(readFields(payload), 1)) === text;
}

/** Undefined if it cannot be read, because then it is not the echo. */
function quietly<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireFault) return undefined;
    throw error;
  }
}
