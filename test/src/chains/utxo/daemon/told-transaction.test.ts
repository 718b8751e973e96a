import { expect, it } from 'vitest';
import { inputsIn } from '../../../../../src/chains/utxo/daemon/told-transaction.ts';

it('what a transaction takes is read as its daemon shows it, without coinbases and outputs of an extension block', () => {
  const vin = [
    { txid: 'a1'.repeat(32), vout: 3, scriptSig: { asm: '', hex: '5152' }, sequence: 4_294_967_293 },
    { coinbase: '51', sequence: 0 },
    { ismweb: true, output_id: '9d'.repeat(32) },
    { txid: 'b2'.repeat(32), vout: 1, scriptSig: { asm: '', hex: '' }, txinwitness: ['0908', ''], sequence: 7 },
  ];
  const empty = new Uint8Array(0);
  expect(inputsIn({ txid: 'c3'.repeat(32), vin })).toEqual([
    { txid: 'a1'.repeat(32), vout: 3, scriptSig: Uint8Array.of(0x51, 0x52), sequence: 4_294_967_293 },
    { txid: 'b2'.repeat(32), vout: 1, scriptSig: empty, witness: [Uint8Array.of(9, 8), empty], sequence: 7 },
  ]);
  expect(inputsIn({ txid: 'c3'.repeat(32) })).toEqual([]);
});
