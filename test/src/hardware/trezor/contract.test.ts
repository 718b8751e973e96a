import { recoverTransactionAddress, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { placesOf } from '../../../../src/hardware/simulator/index.ts';
import type { HardwareWallet } from '../../../../src/ports/hardware-wallet.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { hardwareWalletContract } from '../../../../src/testing/contracts/hardware-wallet-contract.ts';
import { PASSPHRASE, PATH, PIN, passUntil, testDevice, WORDS } from '../../../support/hardware.ts';

/** A device with the simulator's wire, and whatever is between it and the suite. */
function under(between: (wallet: HardwareWallet) => HardwareWallet = (wallet) => wallet) {
  return async () => {
    const { device, wallet, clock } = await testDevice({ pin: new Secret(PIN), passphrase: true });
    const places = () => {
      const screen = device.screen();
      return screen.kind === 'pin' ? placesOf(PIN, screen.grid) : '';
    };
    return {
      ...{ wallet: between(wallet), places, passphrase: PASSPHRASE, path: PATH, unplug: device.unplug },
      address: mnemonicToAccount(WORDS, { passphrase: PASSPHRASE }).address,
      signerOf: async (raw: Uint8Array) =>
        recoverTransactionAddress({ serializedTransaction: toHex(raw) as `0x02${string}` }),
      passUntil: <T>(promise: Promise<T>) => passUntil(promise, clock),
    };
  };
}

describe('the contract of the port', () => {
  for (const { title, run } of hardwareWalletContract(under())) it(title, run);
});

describe('the contract notices', () => {
  it('a wallet that does not look at the key', async () => {
    const blind = (wallet: HardwareWallet): HardwareWallet => ({ connect: () => wallet.connect() });
    expect(await broken(under(blind))).toEqual([expect.stringMatching(/^R4/)]);
  });
});

async function broken(create: Parameters<typeof hardwareWalletContract>[0]): Promise<string[]> {
  const found: string[] = [];
  for (const { title, run } of hardwareWalletContract(create)) await run().catch(() => found.push(title));
  return found;
}
