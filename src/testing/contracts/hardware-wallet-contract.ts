import type {
  DeviceFaultKind,
  DeviceSession,
  DeviceStep,
  DeviceTransaction,
  HardwareWallet,
} from '../../ports/hardware-wallet.ts';
import { Secret } from '../../primitives/secret.ts';
import { type ContractCase, casesOn, type Steps } from './contract-case.ts';

/** A wallet under test with a device that has a PIN and uses passphrases, and whose user confirms what it shows. */
export type HardwareWalletUnderTest = {
  readonly wallet: HardwareWallet;
  /** What the user enters: the places of the PIN in the grid that is shown at that moment, and a passphrase. */
  readonly places: () => string;
  readonly passphrase: string;
  /** An account of the device under that passphrase. */
  readonly path: string;
  readonly address: string;
  /** Who signed a transaction, 0x and 40 hex digits, as another program than the adapter tells it. */
  readonly signerOf: (raw: Uint8Array) => Promise<string>;
  /** Takes the device away. */
  readonly unplug: () => Promise<void>;
  /** Lets time pass until something has happened. */
  readonly passUntil: <T>(promise: Promise<T>) => Promise<T>;
  readonly close?: () => Promise<void>;
};

export type HardwareWalletContractCase = ContractCase;

const TRANSACTION: DeviceTransaction = {
  ...{
    chainId: 137,
    nonce: 5n,
    gasLimit: 90_000n,
    value: 3n,
    data: Uint8Array.from({ length: 1500 }, (_, at) => at % 251),
  },
  to: '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80',
  fee: { kind: 'eip1559', maxFeePerGas: 70_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n },
};

/**
 * What every adapter of the HardwareWallet port must do. Each case asks for a device of its own.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { createTrezorWallet } from 'swapfold/hardware';
 * import { placesOf, startSimulatedDevice } from 'swapfold/hardware/simulator';
 * import { systemClock, systemRandom } from 'swapfold/runtime';
 * import { hardwareWalletContract } from 'swapfold/testing';
 * import { recoverTransactionAddress, toHex } from 'viem';
 * import { mnemonicToAccount } from 'viem/accounts';
 *
 * const [clock, pin, passphrase] = [systemClock(), '2468913', 'Häuser 42'];
 * const words = `${'abandon '.repeat(11)}about`;
 * const fee1559 = (raw: Uint8Array) => `0x02${toHex(raw.slice(1)).slice(2)}` as const;
 * const [, , away] = hardwareWalletContract(async () => {
 *   const settings = { words: new Secret(words), pin: new Secret(pin), passphrase: true } as const;
 *   const device = await startSimulatedDevice({ ...settings, clock, random: systemRandom });
 *   return {
 *     wallet: createTrezorWallet({ clock, port: device.port }),
 *     places() {
 *       const screen = device.screen();
 *       return screen.kind === 'pin' ? placesOf(pin, screen.grid) : '';
 *     },
 *     passphrase,
 *     path: "m/44'/60'/0'/0/0",
 *     address: mnemonicToAccount(words, { passphrase }).address,
 *     signerOf: (raw) => recoverTransactionAddress({ serializedTransaction: fee1559(raw) }),
 *     unplug: device.unplug,
 *     passUntil: (promise) => promise,
 *     close: device.unplug,
 *   };
 * });
 * away?.title; // → 'R2: a question ends if its device is unplugged, and leaves nothing locked'
 * await away?.run(); // → undefined
 * ```
 */
export function hardwareWalletContract(
  create: () => Promise<HardwareWalletUnderTest>,
): readonly HardwareWalletContractCase[] {
  return casesOn(create, CASES);
}

const CASES: readonly (readonly [title: string, steps: Steps<HardwareWalletUnderTest>])[] = [
  [
    'R1: a second session and a second request are refused as busy, and disturb nothing',
    async (under) => {
      const session = await connect(under);
      fails(await under.wallet.connect(), 'busy');
      const shown = await session.address({ path: under.path, show: true });
      check(shown.kind === 'button', 'an address was shown without a question');
      fails(await session.ping(), 'busy');
      check((await value(shown, under)) === under.address, 'another address');
      fails(await shown.proceed(), 'busy');
      await session.close();
      await connect(under);
    },
  ],
  [
    'R2: every request, and the search for the device, ends if the device is missing',
    async (under) => {
      const session = await connect(under);
      await under.unplug();
      fails(await under.passUntil(session.ping()), 'unplugged', 'timeout');
      fails(await session.address({ path: under.path }), 'unplugged');
      await session.close();
      fails(await under.passUntil(under.wallet.connect({ waitMs: 5000 })), 'noDevice');
    },
  ],
  [
    'R2: a question ends if its device is unplugged, and leaves nothing locked',
    async (under) => {
      const asking = await under.wallet.connect();
      check(asking.kind === 'pin', 'a device with a PIN did not ask for it');
      await under.unplug();
      await under.passUntil(asking.over);
      fails(await asking.cancel(), 'unplugged');
      fails(await under.passUntil(under.wallet.connect()), 'noDevice');
    },
  ],
  [
    'R3: no step and no session shows what the user entered',
    async (under) => {
      const seen: unknown[] = [];
      let step = await under.wallet.connect();
      let places = '';
      for (; step.kind === 'pin' || step.kind === 'passphrase'; ) {
        seen.push(step);
        if (step.kind === 'pin') places = under.places();
        step = await step.enter(new Secret(step.kind === 'pin' ? places : under.passphrase));
      }
      seen.push(step);
      const shown = seen.map((one) => `${JSON.stringify(one)} ${String(one)}`).join(' ');
      check(
        places !== '' && !shown.includes(places) && !shown.includes(under.passphrase),
        'what the user entered is shown',
      );
    },
  ],
  [
    'R4: opens no session for another key than the wanted one, and opens it for that one',
    async (under) => {
      const { device, close } = await connect(under);
      check(/^[0-9a-f]{40}$/.test(device.key), 'a key that is not 40 hex digits');
      await close();
      const other = `${device.key.slice(1)}${device.key.startsWith('0') ? '1' : '0'}`;
      fails(await answered(await under.wallet.connect({ key: other }), under), 'wrongDevice');
      await value(await under.wallet.connect({ key: device.key }), under);
    },
  ],
  [
    'R5: returns a signature only if it is from the account',
    async (under) => {
      const session = await connect(under);
      const request = { path: under.path, from: under.address, transaction: TRANSACTION };
      const { raw } = await value(await session.signTransaction(request), under);
      check((await under.signerOf(raw)).toLowerCase() === under.address.toLowerCase(), 'another account signed');
      const from = `0x${'12'.repeat(20)}`;
      fails(await answered(await session.signTransaction({ ...request, from }), under), 'signatureInvalid');
    },
  ],
  [
    'cancelling a question ends its request, and the session goes on',
    async (under) => {
      const session = await connect(under);
      const shown = await session.address({ path: under.path, show: true });
      check(shown.kind === 'button', 'an address was shown without a question');
      fails(await shown.cancel(), 'cancelled');
      await session.address({ path: under.path, show: true });
      await session.cancel();
      check((await value(await session.address({ path: under.path }), under)) === under.address, 'another address');
    },
  ],
];

async function connect(under: HardwareWalletUnderTest): Promise<DeviceSession> {
  return value(await under.wallet.connect(), under);
}

/** Answers the questions of a request as the user does. */
async function answered<T>(step: DeviceStep<T>, under: HardwareWalletUnderTest): Promise<DeviceStep<T>> {
  if (step.kind === 'pin') return answered(await step.enter(new Secret(under.places())), under);
  if (step.kind === 'passphrase') return answered(await step.enter(new Secret(under.passphrase)), under);
  return step.kind === 'button' ? answered(await step.proceed(), under) : step;
}

async function value<T>(step: DeviceStep<T>, under: HardwareWalletUnderTest): Promise<T> {
  const end = await answered(step, under);
  if (end.kind === 'done') return end.value;
  throw new Error(end.kind === 'failed' ? `it failed: ${end.fault.kind}` : `it still asks for ${end.kind}`);
}

function fails<T>(step: DeviceStep<T>, ...kinds: readonly DeviceFaultKind[]): void {
  const found = step.kind === 'failed' ? step.fault.kind : step.kind;
  check(
    kinds.some((kind) => kind === found),
    `${found} instead of ${kinds.join(' or ')}`,
  );
}

function check(holds: boolean, fault: string): asserts holds {
  if (!holds) throw new Error(`the contract of HardwareWallet is broken: ${fault}`);
}
