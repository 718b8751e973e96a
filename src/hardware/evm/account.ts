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

/** Reads the account at a path of a device. Another address than the expected one is `wrongDevice`: its coins are out of reach. */
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
