import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { AccountAddresses, MOST_ADDRESSES } from '../../../../../src/node/evm/wallets/account-addresses.ts';

const WORDS = 'test test test test test test test test test test test junk';

function account(index: number): AccountAddresses {
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));
  return new AccountAddresses(root.derive(`m/44'/60'/${index}'`).publicExtendedKey);
}

describe('the addresses of an account, from its public key alone', () => {
  it.each([
    [0, 'External', 0],
    [3, 'Internal', 1],
  ] as const)('are those of viem for account %i, %s', async (index, chain, changeIndex) => {
    const expected = [0, 1, 2, 66, 67].map(
      (addressIndex) => mnemonicToAccount(WORDS, { accountIndex: index, changeIndex, addressIndex }).address,
    );
    const first = await account(index).range({ chain, from: 0, count: 68 });
    expect([0, 1, 2, 66, 67].map((at) => first[at])).toEqual(expected);
    expect(await account(index).range({ chain, from: 66, count: 2 })).toEqual(expected.slice(3));
  });

  it('are those that the words of anvil have', async () => {
    expect(await account(0).range({ chain: 'External', from: 0, count: 2 })).toEqual([
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ]);
  });

  it('end with the last number of an unhardened key', async () => {
    expect(await account(0).range({ chain: 'External', from: MOST_ADDRESSES - 1, count: 1 })).toHaveLength(1);
    await expect(account(0).range({ chain: 'External', from: MOST_ADDRESSES - 1, count: 2 })).rejects.toThrow(
      RangeError,
    );
    await expect(account(0).range({ chain: 'External', from: -1, count: 1 })).rejects.toThrow(RangeError);
  });

  it('are not derived from a private key, or from an invalid one; no error repeats it', () => {
    const root = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));
    for (const text of [root.privateExtendedKey, 'xpub661MyMwAqRbcF', '']) {
      let said = '';
      try {
        new AccountAddresses(text);
      } catch (error) {
        said = String(error);
      }
      expect(said).toContain('RangeError');
      if (text !== '') expect(said).not.toContain(text);
    }
  });
});
