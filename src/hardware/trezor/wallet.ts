import type { Clock } from '../../ports/clock.ts';
import type {
  ConnectOptions,
  DeviceFaultKind,
  DeviceInfo,
  DeviceSession,
  DeviceStep,
  HardwareWallet,
} from '../../ports/hardware-wallet.ts';
import { createGuard } from '../guard.ts';
import { andThen, mapAnswers } from '../steps.ts';
import { getPublicKey, initialize } from './calls.ts';
import { type Conversation, createConversation } from './conversation.ts';
import { failed } from './faults.ts';
import { DEVICE_KEY_COIN, DEVICE_KEY_PATH, keyHash } from './keys.ts';
import { CANCEL } from './line.ts';
import type { DeviceLink } from './link.ts';
import type { WireMessage } from './reports.ts';
import { createRequests, type Patience, type Requests } from './requests.ts';
import { createSession, END_SESSION } from './session.ts';
import { DEVICE_PORT, findUdpDevice, type LookOptions } from './udp-link.ts';

export type TrezorWalletOptions = {
  readonly clock: Clock;
  /** UDP port of the device on 127.0.0.1. @defaultValue 21324, where the maker's emulator listens */
  readonly port?: number;
  /** Limit for one answer of the device, in milliseconds. @defaultValue 100,000, as the trading framework waits */
  readonly answerMs?: number;
  /** The same for an answer that needs a button, or that follows a PIN. @defaultValue 600,000 */
  readonly userMs?: number;
  /** A transport other than UDP; `port` then has no meaning. @defaultValue UDP */
  readonly find?: (look: DeviceLook) => Promise<DeviceLink | undefined>;
};

/**
 * How long to search for a device, in milliseconds, and what aborts the search. The returned link carries no earlier
 * traffic.
 */
export type DeviceLook = Pick<LookOptions, 'waitMs' | 'signal'>;

const KEY = /^[0-9a-f]{40}$/;

/**
 * Devices that speak Trezor's protocol over UDP on this host: the manufacturer's emulator, and the simulator of this
 * package. A device at a USB port needs a transport that this package does not contain.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { createTrezorWallet } from 'swapfold/hardware';
 * import { startSimulatedDevice } from 'swapfold/hardware/simulator';
 * import { systemClock, systemRandom } from 'swapfold/runtime';
 *
 * const host = { clock: systemClock(), random: systemRandom };
 * const words = new Secret(`${'abandon '.repeat(11)}about`);
 * const device = await startSimulatedDevice({ ...host, words });
 * const wallet = createTrezorWallet({ clock: host.clock, port: device.port });
 * const step = await wallet.connect({ key: 'c54c08c271cd1cfd4680bc38e034f10db57415ae' });
 * step.kind === 'failed' && step.fault.kind; // → 'wrongDevice'
 * await device.unplug();
 * ```
 */
export function createTrezorWallet(options: TrezorWalletOptions): HardwareWallet {
  const { clock, port = DEVICE_PORT, answerMs = 100_000, userMs = 600_000 } = options;
  const { find = (look) => findUdpDevice({ ...look, clock, port }) } = options;
  let taken = false;
  const free = (): void => {
    taken = false;
  };
  return {
    async connect({ key, waitMs = 0, signal }: ConnectOptions = {}) {
      if (taken) return failed('busy', 'The device already has a session, or one is being opened.');
      if (key !== undefined && !KEY.test(key)) return failed('unsupported', 'The wanted key is not 40 hex digits.');
      taken = true;
      try {
        const link = await find({ waitMs, signal });
        if (link === undefined) {
          free();
          return failed(signal?.aborted === true ? 'cancelled' : 'noDevice');
        }
        const conversation = createConversation(link, { clock });
        return await open({ conversation, patience: { answerMs, userMs }, wantedKey: key, signal, onClosed: free });
      } catch (error) {
        free();
        throw error;
      }
    },
  };
}

type Opening = {
  readonly conversation: Conversation;
  readonly patience: Patience;
  readonly wantedKey: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onClosed: () => void;
};

/**
 * Starts a session and reads the key of the device. Any failure releases the device, and so does the signal, also while
 * a question is open.
 */
async function open({
  conversation,
  patience,
  wantedKey,
  signal,
  onClosed,
}: Opening): Promise<DeviceStep<DeviceSession>> {
  const requests = createRequests(conversation, patience);
  const guard = createGuard();
  const making = makingOf({ conversation, signal, onClosed });
  const step = await guard.run(async () => making.follow(await identify(requests, wantedKey)));
  return andThen(step, async (device) => ({
    kind: 'done',
    value: createSession({ conversation, requests, guard, device, onClosed }),
  }));
}

type Making = {
  /**
   * The same step; if it fails or comes too late, it leaves nothing behind: no passphrase in the device, and no device
   * in use.
   */
  readonly follow: <T>(step: DeviceStep<T>) => Promise<DeviceStep<T>>;
};

/** A session in the making, from the device that was found to the key that was read. */
function makingOf({ conversation, signal, onClosed }: Pick<Opening, 'conversation' | 'signal' | 'onClosed'>): Making {
  let over: Promise<void> | undefined;
  const end = (lastWords: readonly WireMessage[], kind?: DeviceFaultKind): Promise<void> => {
    signal?.removeEventListener('abort', giveUp);
    over ??= conversation.close(lastWords, kind).finally(onClosed);
    return over;
  };
  const giveUp = (): void => void end([CANCEL, END_SESSION], 'cancelled');
  const follow = async <T>(step: DeviceStep<T>): Promise<DeviceStep<T>> => {
    if (over !== undefined) {
      await over;
      return failed('cancelled');
    }
    if (step.kind === 'done') {
      signal?.removeEventListener('abort', giveUp);
      return step;
    }
    if (step.kind !== 'failed') return mapAnswers(step, async (act) => follow(await act()));
    await end([END_SESSION]);
    return step;
  };
  if (signal?.aborted === true) giveUp();
  else signal?.addEventListener('abort', giveUp, { once: true });
  return { follow };
}

async function identify(requests: Requests, wantedKey: string | undefined): Promise<DeviceStep<DeviceInfo>> {
  const started = await requests.askAnew(initialize.message, initialize.wanted);
  return andThen(started, async (features) => {
    const { message, wanted } = getPublicKey(DEVICE_KEY_PATH, { coin: DEVICE_KEY_COIN });
    return andThen(await requests.ask(message, wanted), async ({ key }): Promise<DeviceStep<DeviceInfo>> => {
      const device = { ...features, key: keyHash(key) };
      return wantedKey === undefined || wantedKey === device.key
        ? { kind: 'done', value: device }
        : failed('wrongDevice');
    });
  });
}
