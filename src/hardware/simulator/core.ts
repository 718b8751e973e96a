import { bytesToHex } from '../../primitives/hex.ts';
import { FAILURE, MESSAGE } from '../trezor/message-types.ts';
import { messageWriter } from '../trezor/protobuf.ts';
import type { WireMessage } from '../trezor/reports.ts';
import { WireFault } from '../trezor/wire-fault.ts';
import { createFront, createWalletSession, HOME } from './front.ts';
import { handlersOf } from './handlers.ts';
import { type DeviceScreen, type DeviceSettings, Refusal } from './settings.ts';
import { createTalk, Interrupted } from './talk.ts';
import { createVault } from './vault.ts';

/** A device without its cable: messages in, messages out. */
export type DeviceCore = {
  readonly receive: (message: WireMessage) => void;
  readonly screen: () => DeviceScreen;
  /** Presses a button. Has no effect if the device does not ask for one. */
  readonly press: (choice: 'confirm' | 'deny') => void;
  /** Like a loss of power: the device is locked and has no session. */
  readonly forget: () => void;
};

/** @throws RangeError for settings that no device can have. */
export function createDeviceCore(settings: DeviceSettings, say: (message: WireMessage) => void): DeviceCore {
  const vault = createVault(settings);
  const talk = createTalk(say);
  const front = createFront({ settings, talk, vault });
  const session = createWalletSession({ settings, talk, vault, front });
  const id = settings.id ?? bytesToHex(settings.random.bytes(12)).toUpperCase();
  const handlers = handlersOf({ settings, id, vault, front, session, talk });
  const failure = (code: number, text: string): void =>
    say({ type: MESSAGE.failure, payload: messageWriter().number(1, code).text(2, text).done() });

  /** Serves one message. Returns the message that interrupted it and must be served next, if there is one. */
  const serve = async (message: WireMessage): Promise<WireMessage | undefined> => {
    try {
      const handler = handlers[message.type];
      if (handler === undefined) throw new Refusal(FAILURE.unexpectedMessage, 'Unexpected message');
      say(await handler(message));
    } catch (error) {
      if (error instanceof Refusal) failure(error.code, error.message);
      else if (error instanceof WireFault) failure(FAILURE.dataError, 'Failed to decode message');
      else if (error instanceof Interrupted) return interrupted(error.by);
      else throw error;
    } finally {
      front.show(HOME);
    }
    return undefined;
  };
  /** Cancels what was in progress, also if the host starts anew; refuses anything else. */
  const interrupted = (by: WireMessage): WireMessage | undefined => {
    const anew = by.type === MESSAGE.initialize;
    const cancelled = front.screen().kind === 'pin' ? FAILURE.pinCancelled : FAILURE.actionCancelled;
    if (anew || by.type === MESSAGE.cancel) failure(cancelled, 'Cancelled');
    else failure(FAILURE.unexpectedMessage, 'Unexpected message');
    return anew ? by : undefined;
  };
  const run = async (): Promise<never> => {
    let message: WireMessage | undefined;
    for (;;) message = await serve(message ?? (await talk.next()));
  };
  void run();

  return {
    receive: talk.hear,
    screen: front.screen,
    press: front.press,
    forget() {
      vault.lock();
      session.renew();
    },
  };
}
