import { describe, expect, it } from 'vitest';
import { type Draft, signed } from '../../../../src/chains/evm/transaction.ts';
import type { DeviceTransaction } from '../../../../src/ports/hardware-wallet.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { signerOf } from '../../../support/evm/adapter-chain.ts';

const DRAFT: Draft = {
  ...{ chainId: 137, nonce: 4, to: '24'.repeat(20), value: 9n, data: 'a1b2', gas: 65_000n, legacy: false },
  price: { most: 90n, tip: 7n },
};
const GAS_PRICE = { ...DRAFT, legacy: true, price: { most: 90n, tip: 90n } };

/** A key that signs whole transactions alone, and may sign others than it is asked to. */
function elsewhere(name: string, change: Partial<Draft> = {}, signs = name) {
  const { key } = signerOf(name);
  const asked: DeviceTransaction[] = [];
  return {
    asked,
    key,
    sign(): never {
      throw new Error('bare hashes are not signed');
    },
    async signTransaction(transaction: DeviceTransaction) {
      asked.push(transaction);
      const { hex } = await signed(
        {
          ...DRAFT,
          legacy: transaction.fee.kind === 'legacy',
          price: transaction.fee.kind === 'legacy' ? GAS_PRICE.price : DRAFT.price,
          ...change,
        },
        signerOf(signs),
      );
      return hexToBytes(hex);
    },
  };
}

describe('a transaction that is signed elsewhere', () => {
  it.each([
    ['by EIP-1559', DRAFT],
    ['by EIP-155', GAS_PRICE],
  ])('%s is that of a local key', async (_, draft) => {
    const key = elsewhere('far');
    expect(await signed(draft, key)).toEqual(await signed(draft, signerOf('far')));
    expect(key.asked).toMatchObject([{ chainId: 137, nonce: 4n, gasLimit: 65_000n, to: `0x${DRAFT.to}`, value: 9n }]);
  });

  it.each([
    ['another amount', { value: 10n }],
    ['another receiver', { to: '25'.repeat(20) }],
    ['other data', { data: '' }],
    ['another nonce', { nonce: 5 }],
    ['more gas', { gas: 65_001n }],
    ['a higher price', { price: { most: 91n, tip: 7n } }],
    ['another tip', { price: { most: 90n, tip: 8n } }],
    ['another chain', { chainId: 1 }],
    ['another form', { legacy: true, price: { most: 90n, tip: 90n } }],
  ] satisfies readonly [string, Partial<Draft>][])('is not used with %s', async (_, change) => {
    await expect(signed(DRAFT, elsewhere('far', change))).rejects.toThrow('the signed transaction differs');
  });

  it('is not used if another key signed it, or if it is not a transaction', async () => {
    await expect(signed(DRAFT, elsewhere('far', {}, 'other'))).rejects.toThrow('another key');
    const none = { ...elsewhere('far'), signTransaction: async () => Uint8Array.of(1, 2) };
    await expect(signed(DRAFT, none)).rejects.toThrow('the signed transaction differs');
  });
});
