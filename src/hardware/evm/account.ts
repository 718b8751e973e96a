import type { DeviceSession, DeviceStep, DeviceTransaction, SignedByDevice } from '../../ports/hardware-wallet.ts';
import { andThen } from '../steps.ts';

/** An account of an EVM chain whose key is in a device. */
export type AccountSigner = {
  readonly path: string;
  /** In the mixed case of EIP-55. */
  readonly address: string;
  /** Has the device sign; its user confirms. What is handed out is signed by this account, and is this transaction. */
  readonly sign: (transaction: DeviceTransaction) => Promise<DeviceStep<SignedByDevice>>;
};

export type AccountSignerOptions = {
  /** Such as `m/44'/60'/0'/0/0`. */
  readonly path: string;
  /** The address that is expected there, in any case. @defaultValue whatever the device has there */
  readonly address?: string;
};

/**
 * Reads the account at a path of a device. Another address than the expected one is `wrongDevice`: its coins are out of reach.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { createTrezorWallet, deviceAccount, followDevice } from 'swapfold/hardware';
 * import { startSimulatedDevice } from 'swapfold/hardware/simulator';
 * import { systemClock, systemRandom } from 'swapfold/runtime';
 *
 * const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
 * const own = { words: new Secret(words), clock: systemClock(), random: systemRandom };
 * const device = await startSimulatedDevice(own);
 * const user = { pin: async () => null, passphrase: async () => null };
 * const wallet = createTrezorWallet({ clock: own.clock, port: device.port });
 * const session = await followDevice(await wallet.connect(), user);
 * const step = await deviceAccount(session, { path: "m/44'/60'/0'/0/0" });
 * const account = await followDevice(step, user);
 * account.address; // → '0x58A57ed9d8d624cBD12e2C467D34787555bB1b25'
 * await session.close();
 * await device.unplug();
 * ```
 */
export async function deviceAccount(
  session: DeviceSession,
  { path, address: expected }: AccountSignerOptions,
): Promise<DeviceStep<AccountSigner>> {
  return andThen(await session.address({ path }), async (address) => {
    if (expected !== undefined && expected.toLowerCase() !== address.toLowerCase()) {
      const message = 'The account at this path of the device is another one.';
      return { kind: 'failed', fault: { kind: 'wrongDevice', message } };
    }
    const sign = (transaction: DeviceTransaction) => session.signTransaction({ path, from: address, transaction });
    return { kind: 'done', value: { path, address, sign } };
  });
}
