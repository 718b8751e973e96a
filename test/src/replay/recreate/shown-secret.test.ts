import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEvmTransaction } from '../../../../src/htlc/evm-transaction.ts';
import { bytesToHex, hexToBytes, isHex } from '../../../../src/primitives/hex.ts';
import { shownSecret } from '../../../../src/replay/recreate/shown-secret.ts';
import { describeShared } from '../../../support/shared.ts';
import { recordedSwaps, secretHashOf, transactionOf } from '../../htlc/corpus.ts';

describeShared('the secret that a recorded spend shows', () => {
  it('is the logged one, on UTXO and on EVM chains', () => {
    const found = { utxo: 0, evm: 0 };
    for (const swap of recordedSwaps()) {
      const spent = swap.events.get('TakerPaymentSpent') as { secret?: unknown } | undefined;
      const hash = secretHashOf(swap);
      if (swap.row.role !== 'Taker' || hash === undefined) continue;
      for (const event of ['TakerPaymentSpent', 'MakerPaymentSpent']) {
        const { tx_hex = '' } = transactionOf(swap, event) ?? {};
        const secret = isHex(tx_hex) ? shownSecret(hexToBytes(tx_hex), hash) : undefined;
        if (secret === undefined) continue;
        expect(bytesToHex(secret), swap.row.file).toBe(spent?.secret);
        found[decodeEvmTransaction(hexToBytes(tx_hex)) === undefined ? 'utxo' : 'evm']++;
      }
    }
    expect(found.utxo).toBeGreaterThan(30);
    expect(found.evm).toBeGreaterThan(0);
  });
});

describe('the secret of bytes that are not a transaction', () => {
  it('does not exist', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 40 }), (bytes, hash) => {
        expect(shownSecret(bytes, hash)).toBeUndefined();
      }),
    );
  });
});
