import type { DeviceSession, DeviceStep, DeviceTransaction, SignedByDevice } from '../../ports/hardware-wallet.ts';
import { andThen } from '../steps.ts';

/** An account of an EVM chain whose key is in a device. */
export type AccountSigner = {
  readonly path: string;
  /** In the mixed case of EIP-55. */
  readonly address: string;
  /**
   * Has the device sign; its user confirms. The returned signature is from this account and signs exactly this
   * transaction.
   */
  readonly sign: (transaction: DeviceTransaction) => Promise<DeviceStep<SignedByDevice>>;
};

export type AccountSignerOptions = {
  /** Such as `m/44'/60'/0'/0/0`. */
  readonly path: string;
  /** The expected address, in any case. @defaultValue any address of the device */
  readonly address?: string;
};

/**
 * Reads the account at a path of a device. Another address than the expected one is `wrongDevice`, because its coins
 * are out of reach.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { createTrezorWallet, deviceAccount, followDevice } from 'swapfold/hardware';
 * import { startSimulatedDevice } from 'swapfold/hardware/simulator';
 * import { systemClock, systemRandom } from 'swapfold/runtime';
 *
 * const host = { clock: systemClock(), random: systemRandom };
 * const words = new Secret(`${'abandon '.repeat(11)}about`);
 * const device = await startSimulatedDevice({ ...host, words });
 * const wallet = createTrezorWallet({ clock: host.clock, port: device.port });
 * const user = { pin: async () => null, passphrase: async () => null };
 * const session = await followDevice(await wallet.connect(), user);
 * const step = await deviceAccount(session, { path: "m/44'/60'/0'/0/0" });
 * step.kind === 'done' && step.value.address; // → '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'
 * await session.close().then(device.unplug);
 * ```
 */
export async function deviceAccount(
  session: DeviceSession,
  { path, address: expected }: AccountSignerOptions,
): Promise<DeviceStep<AccountSigner>> {
  return andThen(await session.address({ path }), async (address) => {
    if (expected !== undefined && expected.toLowerCase() !== address.toLowerCase()) {
      const message = 'The device has a different account at this path.';
      return { kind: 'failed', fault: { kind: 'wrongDevice', message } };
    }
    const sign = (transaction: DeviceTransaction) => session.signTransaction({ path, from: address, transaction });
    return { kind: 'done', value: { path, address, sign } };
  });
}
