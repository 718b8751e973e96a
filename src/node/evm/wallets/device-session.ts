import { hwErrorName } from '../../../hardware/trezor/faults.ts';
import type { EvmActivationFault, EvmActivationTalk } from '../../../ports/evm-activator.ts';
import type { DeviceFault, DeviceSession, DeviceStep, HardwareWallet } from '../../../ports/hardware-wallet.ts';

/** A device did not do what it was asked. */
export class DeviceFailure extends Error {
  readonly fault: EvmActivationFault;

  constructor(fault: DeviceFault) {
    super(fault.message);
    this.fault = { type: 'HwError', data: hwErrorName(fault) };
  }
}

export type DeviceUse = {
  readonly device: HardwareWallet;
  readonly talk: EvmActivationTalk;
  /** Only this device under this passphrase will do; null for any. */
  readonly key: string | null;
  /** How long a device is waited for that is not there, in milliseconds; with 0 it has to be there. */
  readonly waitMs: number;
};

/**
 * Finds the device, and uses it in a session of its own, whose questions its user is asked. After the exchange the task is at its first step again,
 * whatever came of it (as in the real node).
 *
 * - J32: the session is closed before this settles, also where the work was ended meanwhile.
 *
 * @throws DeviceFailure; what `talk` throws once the work was ended
 */
export async function withDevice<T>(use: DeviceUse, work: (session: AskedSession) => Promise<T>): Promise<T> {
  const { talk } = use;
  const spoken = { anything: false };
  const heard: EvmActivationTalk = {
    signal: talk.signal,
    tell(step) {
      spoken.anything = true;
      return talk.tell(step);
    },
    ask(what) {
      spoken.anything = true;
      return talk.ask(what);
    },
  };
  try {
    return await inSession({ ...use, talk: heard }, work);
  } finally {
    if (spoken.anything && !talk.signal.aborted) await talk.tell('ActivatingCoin');
  }
}

/** A session whose requests are followed to their end. */
export type AskedSession = {
  /** By which the device under its passphrase is known, 40 hex digits. */
  readonly key: string;
  /** @throws DeviceFailure */
  readonly xpubAt: (path: string) => Promise<string>;
};

async function inSession<T>(use: DeviceUse, work: (session: AskedSession) => Promise<T>): Promise<T> {
  const { talk } = use;
  const session = await connected(use);
  const closeNow = (): void => void session.close();
  talk.signal.addEventListener('abort', closeNow, { once: true });
  try {
    return await work({
      key: session.device.key,
      xpubAt: async (path) => (await followed(await session.publicKey({ path }), talk)).xpub,
    });
  } finally {
    talk.signal.removeEventListener('abort', closeNow);
    await session.close();
  }
}

/** It is looked for once before its user is asked to plug it in. */
async function connected({ device, talk, key, waitMs }: DeviceUse): Promise<DeviceSession> {
  const options = { ...(key === null ? {} : { key }), signal: talk.signal };
  let step = await device.connect(options);
  if (step.kind === 'failed' && step.fault.kind === 'noDevice' && waitMs > 0) {
    await talk.tell('WaitingForDeviceToConnect');
    step = await device.connect({ ...options, waitMs });
  }
  return followed(step, talk);
}

/** Follows the questions of a request to its end. @throws DeviceFailure; what `talk` throws */
async function followed<T>(first: DeviceStep<T>, talk: EvmActivationTalk): Promise<T> {
  let step = first;
  for (;;) {
    if (step.kind === 'done') return step.value;
    if (step.kind === 'failed') throw new DeviceFailure(step.fault);
    step = await answered(step, talk);
  }
}

type Question<T> = Exclude<DeviceStep<T>, { readonly kind: 'done' | 'failed' }>;

async function answered<T>(question: Question<T>, talk: EvmActivationTalk): Promise<DeviceStep<T>> {
  try {
    if (question.kind === 'button') {
      await talk.tell('FollowHwDeviceInstructions');
      return await question.proceed();
    }
    const asked = talk.ask(question.kind === 'pin' ? 'TrezorPin' : 'TrezorPassphrase');
    // Who pulls the cable is not waited for until the task's limit.
    const entered = await Promise.race([asked, question.over]);
    return entered === undefined ? await question.cancel() : await question.enter(entered);
  } catch (error) {
    await question.cancel();
    throw error;
  }
}
