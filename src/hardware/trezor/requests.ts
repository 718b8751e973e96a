import type { DeviceFaultKind, DeviceStep } from '../../ports/hardware-wallet.ts';
import type { Secret } from '../../primitives/secret.ts';
import type { Conversation, Reply } from './conversation.ts';
import { failed, faultOfFailure } from './faults.ts';
import { CANCEL, createLine } from './line.ts';
import { MESSAGE, MOST_PASSPHRASE_BYTES, MOST_PIN_DIGITS } from './message-types.ts';
import { type Fields, messageWriter, readFields, u32Of } from './protobuf.ts';
import type { WireMessage } from './reports.ts';
import { WireFault } from './wire-fault.ts';

/** Limits for an answer, in milliseconds. */
export type Patience = {
  /** For an answer that the device gives by itself. */
  readonly answerMs: number;
  /** For an answer that needs a button, or that follows a PIN: after wrong PINs a device waits ever longer. */
  readonly userMs: number;
};

/** The expected answer to a request, and how to read it. What `read` cannot read is a {@link WireFault}. */
export type Wanted<T> = { readonly type: number; readonly read: (fields: Fields) => T };

export type Requests = {
  readonly ask: <T>(message: WireMessage, wanted: Wanted<T>) => Promise<DeviceStep<T>>;
  /** The same, skipping what the device still has to say about earlier requests. */
  readonly askAnew: <T>(message: WireMessage, wanted: Wanted<T>) => Promise<DeviceStep<T>>;
  /** Starts a new request, and clears an {@link Requests.interrupt} of an earlier one. */
  readonly begin: () => void;
  /** Tells the device to stop the current exchange, or the next one of this request. */
  readonly interrupt: () => void;
  readonly fail: (kind: DeviceFaultKind, message?: string) => DeviceStep<never>;
};

/** Maximum questions of one request: a device that keeps asking would hold its user forever. */
const MOST_QUESTIONS = 1000;
const CURRENT_PIN = 1;
const PLACES = new RegExp(`^[1-9]{1,${MOST_PIN_DIGITS}}$`);

const BUTTON_ACK: WireMessage = { type: MESSAGE.buttonAck, payload: new Uint8Array(0) };

export function createRequests(conversation: Conversation, patience: Patience): Requests {
  const line = createLine(conversation, patience);
  const fail = (kind: DeviceFaultKind, message?: string): DeviceStep<never> => ({
    kind: 'failed',
    fault: conversation.end(kind, message),
  });

  /** In the current request, over all of its exchanges. */
  let questions = 0;

  const read = <T>({ message, wanted, isLast }: Heard<T>): DeviceStep<T> => {
    const { type, payload } = message;
    if (type === wanted.type) return { kind: 'done', value: wanted.read(readFields(payload)) };
    if (type === MESSAGE.failure) return refusal(u32Of(readFields(payload), 1));
    questions += 1;
    if (isLast || questions > MOST_QUESTIONS) return fail('unexpectedMessage', 'The device keeps asking.');
    const more = (answer: WireMessage, patienceMs: number) => next({ answer, patienceMs, wanted, isLast: false });
    const cancel = () => next({ answer: CANCEL, patienceMs: patience.answerMs, wanted, isLast: true });
    const question = () => ({ over: conversation.idle(), cancel });
    if (type === MESSAGE.pinMatrixRequest && (u32Of(readFields(payload), 1) ?? CURRENT_PIN) === CURRENT_PIN) {
      const enter = (places: Secret<string>) => enterPin(places, { more, cancel, userMs: patience.userMs });
      return { kind: 'pin', ...question(), enter };
    }
    if (type === MESSAGE.passphraseRequest) {
      const enter = (text: Secret<string>) => enterPassphrase(text, { more, cancel, userMs: patience.userMs });
      return { kind: 'passphrase', ...question(), enter };
    }
    if (type === MESSAGE.buttonRequest) {
      return { kind: 'button', ...question(), proceed: () => more(BUTTON_ACK, patience.userMs) };
    }
    return fail('unexpectedMessage', `The device sent a message of type ${type}.`);
  };
  const refusal = (code: number | undefined): DeviceStep<never> => {
    const fault = faultOfFailure(code);
    if (fault.kind === 'unexpectedMessage') conversation.end(fault.kind);
    return { kind: 'failed', fault };
  };
  const hear = <T>(reply: Reply, heard: Omit<Heard<T>, 'message'>) => {
    if (!reply.ok) return { kind: 'failed', fault: reply.fault } as const;
    try {
      return read({ message: reply.message, ...heard });
    } catch (error) {
      if (error instanceof WireFault) return fail('garbled', `The device sent ${error.found}.`);
      throw error;
    }
  };
  const next = async <T>({ answer, patienceMs, ...heard }: Answered<T>): Promise<DeviceStep<T>> =>
    hear(await line.exchange(answer, patienceMs), heard);
  return {
    fail,
    begin() {
      questions = 0;
      line.begin();
    },
    interrupt: line.interrupt,
    ask: (message, wanted) => next({ answer: message, patienceMs: patience.answerMs, wanted, isLast: false }),
    askAnew: async (message, wanted) => hear(await line.exchangeAnew(message, wanted.type), { wanted, isLast: false }),
  };
}

/** `isLast`: the device was told to stop, and receives no further question. */
type Heard<T> = { readonly message: WireMessage; readonly wanted: Wanted<T>; readonly isLast: boolean };
type Answered<T> = Omit<Heard<T>, 'message'> & { readonly answer: WireMessage; readonly patienceMs: number };

type Entering<T> = {
  readonly more: (answer: WireMessage, patienceMs: number) => Promise<DeviceStep<T>>;
  readonly cancel: () => Promise<DeviceStep<T>>;
  readonly userMs: number;
};

/** An invalid PIN would cost an attempt: the device is told to stop instead. */
async function enterPin<T>(places: Secret<string>, { more, cancel, userMs }: Entering<T>): Promise<DeviceStep<T>> {
  const text = places.reveal();
  if (PLACES.test(text))
    return more({ type: MESSAGE.pinMatrixAck, payload: messageWriter().text(1, text).done() }, userMs);
  await cancel();
  return failed(
    'pinInvalid',
    `The PIN was not sent: it must be 1 to ${MOST_PIN_DIGITS} digits from 1 to 9, by their positions.`,
  );
}

async function enterPassphrase<T>(
  passphrase: Secret<string>,
  { more, cancel, userMs }: Entering<T>,
): Promise<DeviceStep<T>> {
  const bytes = new TextEncoder().encode(passphrase.reveal().normalize('NFKD'));
  if (bytes.length <= MOST_PASSPHRASE_BYTES) {
    return more({ type: MESSAGE.passphraseAck, payload: messageWriter().bytes(1, bytes).done() }, userMs);
  }
  await cancel();
  return failed('unsupported', `The passphrase was not sent: it exceeds ${MOST_PASSPHRASE_BYTES} bytes.`);
}
