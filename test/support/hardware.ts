import { onTestFinished } from 'vitest';
import {
  type DeviceTraffic,
  placesOf,
  type SimulatedDevice,
  type SimulatedDeviceOptions,
  startSimulatedDevice,
} from '../../src/hardware/simulator/index.ts';
import { createTrezorWallet } from '../../src/hardware/trezor/wallet.ts';
import type {
  DeviceFaultKind,
  DeviceStep,
  DeviceTransaction,
  HardwareWallet,
} from '../../src/ports/hardware-wallet.ts';
import { Secret } from '../../src/primitives/secret.ts';
import { xorshift32 } from '../../src/sim/xorshift.ts';
import { settled, type VirtualClock, virtualClock } from './virtual-clock.ts';

export const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
export const OTHER_WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
export const PIN = '2468913';
export const PASSPHRASE = 'Häuser 42';
export const PATH = "m/44'/60'/0'/0/0";

export type TestDevice = {
  readonly device: SimulatedDevice;
  readonly wallet: HardwareWallet;
  readonly clock: VirtualClock;
  /** Every message that went over the wire, in both directions. */
  readonly traffic: readonly DeviceTraffic[];
};

/** A device and a wallet that reaches it, with a clock that stands still. */
export async function testDevice(changes: Partial<SimulatedDeviceOptions> = {}): Promise<TestDevice> {
  const clock = virtualClock();
  const rng = xorshift32(20_261_124);
  const traffic: DeviceTraffic[] = [];
  const device = await startSimulatedDevice({
    clock,
    words: new Secret(WORDS),
    random: { bytes: (count) => Uint8Array.from({ length: count }, () => rng.below(256)) },
    ...changes,
    trouble(seen) {
      traffic.push(seen);
      return changes.trouble?.(seen);
    },
  });
  onTestFinished(() => device.unplug());
  const wallet = createTrezorWallet({ clock, port: device.port });
  return { device, wallet, clock, traffic };
}

/** What a user does who sees the device: the places of the PIN, the passphrase, and a press of the button. */
export async function follow<T>(
  step: DeviceStep<T>,
  device: SimulatedDevice,
  { pin = PIN, passphrase = PASSPHRASE }: { readonly pin?: string; readonly passphrase?: string } = {},
): Promise<DeviceStep<T>> {
  let now = step;
  for (;;) {
    if (now.kind === 'pin') {
      const screen = device.screen();
      const places = screen.kind === 'pin' ? placesOf(pin, screen.grid) : '5';
      now = await now.enter(new Secret(places));
    } else if (now.kind === 'passphrase') now = await now.enter(new Secret(passphrase));
    else if (now.kind === 'button') now = await now.proceed();
    else return now;
  }
}

export function got<T>(step: DeviceStep<T>): T {
  if (step.kind === 'done') return step.value;
  throw new Error(
    step.kind === 'failed' ? `failed: ${step.fault.kind}: ${step.fault.message}` : `asks for ${step.kind}`,
  );
}

export function faultOf<T>(step: DeviceStep<T>): DeviceFaultKind | 'none' {
  return step.kind === 'failed' ? step.fault.kind : 'none';
}

/** Lets time pass until something has happened. */
export async function passUntil<T>(promise: Promise<T>, clock: VirtualClock): Promise<T> {
  let over = false;
  void promise.finally(() => {
    over = true;
  });
  for (let count = 0; count < 5000 && !over; count++) {
    await settled();
    if (!over) await clock.advance(1000);
  }
  if (!over) throw new Error('nothing happened in 5000 seconds');
  return promise;
}

export const TRANSACTION: DeviceTransaction = {
  chainId: 137,
  nonce: 7n,
  gasLimit: 150_000n,
  to: '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80',
  value: 1_234_567_890_123_456_789n,
  data: new Uint8Array(0),
  fee: { kind: 'eip1559', maxFeePerGas: 90_000_000_000n, maxPriorityFeePerGas: 31_000_000_000n },
};

export const LEGACY: DeviceTransaction = { ...TRANSACTION, fee: { kind: 'legacy', gasPrice: 45_000_000_000n } };
