import type { DeviceFault, DeviceFaultKind, DeviceStep } from '../ports/hardware-wallet.ts';
import { type Retry, SwapfoldError } from '../primitives/error.ts';
import type { Secret } from '../primitives/secret.ts';

type Told = { readonly code: string; readonly retry: Retry; readonly next: string };

const AGAIN = 'Connect again.';
const TOLD: Readonly<Record<DeviceFaultKind, Told>> = {
  noDevice: {
    code: 'DEVICE_NOT_FOUND',
    retry: 'operator',
    next: 'Plug in the device, or name the port it listens on.',
  },
  wrongDevice: {
    code: 'DEVICE_WRONG',
    retry: 'operator',
    next: 'Plug in the device that was used before, and enter its passphrase.',
  },
  pinInvalid: {
    code: 'DEVICE_PIN_INVALID',
    retry: 'operator',
    next: 'Enter the positions of the digits, not the digits: 7 is the upper left one.',
  },
  cancelled: { code: 'DEVICE_CANCELLED', retry: 'operator', next: 'Ask again, and confirm on the device.' },
  unplugged: { code: 'DEVICE_UNPLUGGED', retry: 'operator', next: `Plug in the device. ${AGAIN}` },
  timeout: {
    code: 'DEVICE_SILENT',
    retry: 'operator',
    next: `Look at the device: it may be waiting for its user. ${AGAIN}`,
  },
  busy: { code: 'DEVICE_BUSY', retry: 'later', next: 'Wait until the other request has ended, or cancel it.' },
  unexpectedMessage: {
    code: 'DEVICE_UNEXPECTED_MESSAGE',
    retry: 'operator',
    next: `Close other programs that use the device. ${AGAIN}`,
  },
  garbled: {
    code: 'DEVICE_GARBLED',
    retry: 'operator',
    next: `Check what listens on the port of the device. ${AGAIN}`,
  },
  notInitialized: {
    code: 'DEVICE_NOT_INITIALIZED',
    retry: 'operator',
    next: "Set up the device with its manufacturer's software.",
  },
  refused: { code: 'DEVICE_REFUSED', retry: 'operator', next: 'Look at the device.' },
  signatureInvalid: {
    code: 'DEVICE_SIGNATURE_INVALID',
    retry: 'never',
    next: 'Do not use the device until the cause is known.',
  },
  unsupported: {
    code: 'DEVICE_UNSUPPORTED',
    retry: 'never',
    next: 'Change the request: the device cannot do this one.',
  },
};

/**
 * A device did not fulfil a request.
 *
 * @example
 * ```ts
 * import { DeviceError, followDevice } from 'swapfold/hardware';
 *
 * const user = { pin: async () => null, passphrase: async () => null };
 * const fault = { kind: 'wrongDevice', message: 'It is another device.' } as const;
 * const followed = followDevice({ kind: 'failed', fault }, user);
 * const error = await followed.catch((thrown: unknown) => thrown);
 * error instanceof DeviceError && error.fault.kind; // → 'wrongDevice'
 * error instanceof DeviceError && error.code; // → 'DEVICE_WRONG'
 * ```
 */
export class DeviceError extends SwapfoldError {
  readonly fault: DeviceFault;

  constructor(fault: DeviceFault) {
    const { code, retry, next } = TOLD[fault.kind];
    super(fault.message, { code, retry, next, facts: { failureCode: fault.failureCode } });
    this.fault = fault;
  }
}

/** Answers for the user. Null or an exception cancels. */
export type DeviceUser = {
  /** The positions of the PIN's digits on the grid that the device shows, numbered like a number pad. */
  readonly pin: () => Promise<Secret<string> | null>;
  readonly passphrase: () => Promise<Secret<string> | null>;
  /** Called when the device asks for a confirmation. @defaultValue nobody is told */
  readonly button?: () => void;
};

/**
 * Answers the questions of a request until it ends. Does not wait for the user's answer if the device is unplugged.
 *
 * @throws DeviceError for every fault; what the user's own functions throw, after the request was cancelled.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { createTrezorWallet, followDevice } from 'swapfold/hardware';
 * import { startSimulatedDevice } from 'swapfold/hardware/simulator';
 * import { systemClock, systemRandom } from 'swapfold/runtime';
 *
 * const host = { clock: systemClock(), random: systemRandom };
 * const words = new Secret(`${'abandon '.repeat(11)}about`);
 * const device = await startSimulatedDevice({ ...host, words, passphrase: true });
 * const user = { pin: async () => null, passphrase: async () => new Secret('my hidden wallet') };
 * const wallet = createTrezorWallet({ clock: host.clock, port: device.port });
 * const session = await followDevice(await wallet.connect(), user);
 * session.device.label; // → 'simulated device'
 * await session.close().then(device.unplug);
 * ```
 */
export async function followDevice<T>(step: DeviceStep<T>, user: DeviceUser): Promise<T> {
  let now = step;
  for (;;) {
    if (now.kind === 'done') return now.value;
    if (now.kind === 'failed') throw new DeviceError(now.fault);
    now = await answered(now, user);
  }
}

type Question<T> = Exclude<DeviceStep<T>, { readonly kind: 'done' | 'failed' }>;

async function answered<T>(question: Question<T>, user: DeviceUser): Promise<DeviceStep<T>> {
  let entered: Secret<string> | null = null;
  try {
    if (question.kind === 'button') user.button?.();
    else entered = (await Promise.race([user[question.kind](), question.over])) ?? null;
  } catch (error) {
    await question.cancel();
    throw error;
  }
  if (question.kind === 'button') return question.proceed();
  return entered === null ? question.cancel() : question.enter(entered);
}
