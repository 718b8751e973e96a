import { describe, expect, it } from 'vitest';
import { createChainIndex } from '../../../../src/chains/utxo/chain-index.ts';
import type { UtxoCoin } from '../../../../src/chains/utxo/coin.ts';
import { Purse } from '../../../../src/chains/utxo/purse.ts';
import { ownScript } from '../../../../src/chains/utxo/sign-coins.ts';
import { BITCOIN_FORM, encodeTransaction, SIGHASH_ALL, transactionId } from '../../../../src/htlc/index.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { signerOf } from '../../../support/litecoin/chain.ts';

// What contracts leave of their gas comes back in the stake of a block, beside the stake itself and its reward.

const QTUM: UtxoCoin = {
  ...{ coin: 'QTUM', decimals: 8, form: BITCOIN_FORM, hashType: SIGHASH_ALL, address: 'p2pkh', scheme: 'p2sh' },
  ...{ dust: 72_800n, finality: 4, blockTime: 32, maturity: 2000, medianBlocks: 11, stakes: true },
  fees: { rate: 400_000n, floor: 400_000n, ceiling: 40_000_000n },
};
const signer = signerOf('a caller of contracts');
const NOTHING = { value: 0n, script: new Uint8Array(0) };
const TIP = 9000;
const REFUND = 3_111_111n;

/** A wallet to which the transaction of a block with so many confirmations paid, behind these outputs. */
function paidBy(before: readonly (typeof NOTHING)[], { depth, coin = QTUM }: { depth: number; coin?: UtxoCoin }) {
  const index = createChainIndex(() => TIP);
  const input = { txid: 'ab'.repeat(32), vout: 1, scriptSig: new Uint8Array(0), sequence: 0xffff_ffff };
  const outputs = [...before, { value: REFUND, script: ownScript(coin, signer.key) }];
  const tx = { ...BITCOIN_FORM, inputs: [input], outputs, lockTime: 0 };
  const bytes = encodeTransaction(tx);
  index.put(transactionId(bytes, tx), { hex: bytesToHex(bytes), height: TIP - depth + 1 });
  return new Purse({ index, signer, coin });
}

describe('what a stake pays', () => {
  it.each([
    [1, 0n],
    [1999, 0n],
    [2000, REFUND],
  ])('%i blocks deep is worth %s', (depth, spendable) => {
    const purse = paidBy([NOTHING], { depth });
    expect(purse.balances()).toEqual({ spendable, unspendable: REFUND - spendable });
    expect(purse.spendable()).toBe(spendable);
  });

  it('is recognized by an empty output at any place, and by nothing else', () => {
    const other = { value: 7n, script: Uint8Array.of(0x51) };
    expect(paidBy([other, NOTHING], { depth: 5 }).spendable()).toBe(0n);
    const notEmpty = [{ ...NOTHING, value: 1n }, { ...NOTHING, script: Uint8Array.of(0x6a) }, other];
    for (const output of notEmpty) expect(paidBy([output], { depth: 5 }).spendable()).toBe(REFUND);
  });

  it('is not reported so on a chain without stakes', () => {
    const { stakes: _, ...coin } = QTUM;
    expect(paidBy([NOTHING], { depth: 5, coin }).spendable()).toBe(REFUND);
  });
});
