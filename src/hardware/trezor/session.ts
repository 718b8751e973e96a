import type { DeviceInfo, DeviceSession, DeviceStep } from '../../ports/hardware-wallet.ts';
import type { Guard } from '../guard.ts';
import { andThen } from '../steps.ts';
import { type Call, ethereumGetAddress, ethereumGetPublicKey, getPublicKey, ping } from './calls.ts';
import type { Conversation } from './conversation.ts';
import { failed } from './faults.ts';
import { CANCEL } from './line.ts';
import { MESSAGE } from './message-types.ts';
import { pathNumbers } from './path.ts';
import type { WireMessage } from './reports.ts';
import type { Requests } from './requests.ts';
import { signOnDevice } from './sign.ts';

/** Makes a device forget its passphrase. */
export const END_SESSION: WireMessage = { type: MESSAGE.endSession, payload: new Uint8Array(0) };

export type SessionParts = {
  readonly conversation: Conversation;
  readonly requests: Requests;
  readonly guard: Guard;
  readonly device: DeviceInfo;
  /** Called once, after the device was released. */
  readonly onClosed: () => void;
};

/** The requests to a device whose key is known. */
export function createSession({ conversation, requests, guard, device, onClosed }: SessionParts): DeviceSession {
  let pings = 0;
  let closing: Promise<void> | undefined;
  const run = <T>(start: () => Promise<DeviceStep<T>>): Promise<DeviceStep<T>> =>
    guard.run(() => {
      requests.begin();
      return start();
    });
  const at = <T>(path: string, callOf: (numbers: readonly number[]) => Call<T>): Promise<DeviceStep<T>> =>
    run(async () => {
      const numbers = pathNumbers(path);
      if (numbers === undefined) return failed('unsupported', 'The path is not a derivation path.');
      const { message, wanted } = callOf(numbers);
      return requests.ask(message, wanted);
    });
  return {
    device,
    ping() {
      pings += 1;
      const { message, wanted } = ping(`swapfold ${pings}`);
      return run(() => requests.ask(message, wanted));
    },
    async publicKey({ path, coin }) {
      const call = (numbers: readonly number[]) =>
        coin === undefined ? ethereumGetPublicKey(numbers) : getPublicKey(numbers, { coin });
      return andThen(await at(path, call), async ({ xpub }) => ({ kind: 'done', value: { xpub } }));
    },
    address: ({ path, show = false }) => at(path, (numbers) => ethereumGetAddress(numbers, { show })),
    signTransaction: (request) => run(() => signOnDevice(request, requests)),
    async cancel() {
      if (!(await guard.cancelQuestion()) && guard.busy()) requests.interrupt();
    },
    close() {
      closing ??= (async () => {
        const lastWords = guard.busy() ? [CANCEL, END_SESSION] : [END_SESSION];
        await conversation.close(lastWords);
        onClosed();
      })();
      return closing;
    },
  };
}
