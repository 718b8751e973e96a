import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { transactionIdRule } from '../../../../src/replay/audit/transaction-ids.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { judge, notCheckable, verified, violated, withMembers } from '../../../support/audited.ts';
import { evmSwap } from '../../../support/evm-swap.ts';

const { taker, transactions } = buildSwapPair({ seed: 141 });
const fee = transactions.takerFee();
const EMPTY = { tx_hex: '', tx_hash: '' };

describe('the id of a stored transaction', () => {
  it('is the hash of its bytes, by the rule of its chain', () => {
    const { takerFee, makerPayment, takerPayment, takerPaymentSpend, makerPaymentSpend } = transactions;
    const made = [takerFee(), makerPayment(), takerPayment(), takerPaymentSpend(), makerPaymentSpend()];
    expect(judge(transactionIdRule, taker)).toEqual(
      [2, 4, 7, 8, 9].map((seq, index) => verified(seq, String(made[index]?.tx_hash))),
    );
    expect(judge(transactionIdRule, evmSwap().log).map(({ status }) => status)).not.toContain('violated');
    const tx_hex = '0a0012001a00';
    const cosmos = { tx_hex, tx_hash: bytesToHex(sha256(hexToBytes(tx_hex))) };
    expect(judge(transactionIdRule, withMembers(taker, 'TakerFeeSent', cosmos))[0]).toEqual(
      verified(2, cosmos.tx_hash),
    );
  });

  it('contradicts the bytes if it differs', () => {
    const found = '11'.repeat(32);
    const wrong = (members: object) => judge(transactionIdRule, withMembers(taker, 'TakerFeeSent', { ...members }))[0];
    expect(wrong({ tx_hash: found })).toEqual(violated(2, { expected: fee.tx_hash, found }));
    expect(wrong({ tx_hash: '' })).toEqual(violated(2, { expected: fee.tx_hash, found: 'no id' }));
    expect(wrong({ tx_hex: '00' })).toEqual(
      violated(2, { expected: 'the id of a transaction that can be read', found: fee.tx_hash }),
    );
  });

  it('may be left out together with the fee, and with nothing else', () => {
    expect(judge(transactionIdRule, withMembers(taker, 'TakerFeeSent', EMPTY))[0]).toEqual(
      notCheckable(2, 'no transaction is stored: a taker that is exempt from the fee sends none'),
    );
    expect(judge(transactionIdRule, withMembers(taker, 'MakerPaymentReceived', EMPTY))[1]).toEqual(
      violated(4, {
        expected: 'a transaction',
        found: 'empty texts',
        reason: "only the fee may be left out, and this is the maker's payment",
      }),
    );
  });

  it('cannot be computed if the payment leaves no bytes', () => {
    const lightning = { tx_hex: 'ab'.repeat(32), tx_hash: 'ab'.repeat(32) };
    expect(judge(transactionIdRule, withMembers(taker, 'MakerPaymentReceived', lightning))[1]).toEqual(
      notCheckable(4, 'a Lightning payment leaves its payment hash alone'),
    );
  });
});
