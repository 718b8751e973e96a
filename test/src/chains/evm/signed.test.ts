import fc from 'fast-check';
import { parseTransaction, recoverTransactionAddress, type TransactionSerializedLegacy } from 'viem';
import { expect, it } from 'vitest';
import { accountOf, signed } from '../../../../src/chains/evm/transaction.ts';
import { draws } from '../../../support/draws.ts';
import { signerOf } from '../../../support/evm/adapter-chain.ts';

const SIGNER = signerOf('payer');
// Twice an id above 2^52 leaves no odd number to a double.
const chainIds = fc.oneof(
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  fc.integer({ min: 2 ** 52 - 2, max: Number.MAX_SAFE_INTEGER }),
);

it('signs a legacy transaction for its chain, whatever the id is', async () => {
  await fc.assert(
    fc.asyncProperty(chainIds, fc.nat({ max: 1_000 }), async (chainId, nonce) => {
      const draft = { chainId, nonce, to: '24'.repeat(20), value: 9n, data: '' as const, gas: 21_000n, legacy: true };
      const { hex } = await signed({ ...draft, price: { most: 90n, tip: 90n } }, SIGNER);
      const bytes = `0x${hex}` as TransactionSerializedLegacy;
      const { v } = parseTransaction(bytes);
      expect(v === undefined ? null : (v - 35n) / 2n).toBe(BigInt(chainId));
      const signer = await recoverTransactionAddress({ serializedTransaction: bytes });
      expect(signer.toLowerCase()).toBe(`0x${accountOf(SIGNER.key)}`);
    }),
    { numRuns: draws({ sample: 15, change: 60 }) },
  );
});
