import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractSecret } from '../../../src/htlc/extract-secret.ts';
import { decodeTransaction, isTransactionProblem } from '../../../src/htlc/transaction.ts';
import { hash160, sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex } from '../../../src/primitives/hex.ts';
import { swapTerms } from '../../../src/testing/logs/swap-terms.ts';
import { swapTransactions } from '../../../src/testing/logs/swap-transactions.ts';
import { describeShared } from '../../support/shared.ts';
import { recordedSwaps, secretHashOf, transactionOf } from './corpus.ts';

describe('the secret of a spend', () => {
  it('is found by its hash of either length', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const terms = swapTerms({ seed });
        const { takerPaymentSpend, makerPaymentSpend, takerPaymentRefund, takerPayment } = swapTransactions(terms);
        for (const hash of [hash160(terms.secret), sha256(terms.secret)]) {
          expect(extractSecret(takerPaymentSpend().bytes, hash)).toEqual(terms.secret);
          expect(extractSecret(makerPaymentSpend().bytes, hash)).toEqual(terms.secret);
          expect(extractSecret(takerPaymentRefund().bytes, hash)).toBeUndefined();
          expect(extractSecret(takerPayment().bytes, hash)).toBeUndefined();
        }
        expect(extractSecret(takerPaymentSpend().bytes, hash160(terms.secretHash))).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  });

  it('is not looked for in bytes that are not a transaction', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(extractSecret(bytes, new Uint8Array(20))).toBeUndefined();
      }),
    );
  });
});

describeShared('the secret of a recorded spend', () => {
  it('is the one that the taker logged', () => {
    let checked = 0;
    for (const swap of recordedSwaps()) {
      const spent = swap.events.get('TakerPaymentSpent') as { secret?: unknown } | undefined;
      const spend = transactionOf(swap, 'TakerPaymentSpent');
      const hash = secretHashOf(swap);
      if (swap.row.role !== 'Taker' || typeof spent?.secret !== 'string' || hash === undefined) continue;
      if (spend === undefined || !isHex(spend.tx_hex) || !isUtxo(spend.tx_hex)) continue;
      const secret = extractSecret(hexToBytes(spend.tx_hex), hash);
      expect(secret === undefined ? undefined : bytesToHex(secret), swap.row.file).toBe(spent.secret);
      checked++;
    }
    expect(checked).toBeGreaterThan(30);
  });
});

function isUtxo(tx: string): boolean {
  return !isTransactionProblem(decodeTransaction(hexToBytes(tx)));
}
