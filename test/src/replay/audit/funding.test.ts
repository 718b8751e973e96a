import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { p2pkhScript, pushData } from '../../../../src/htlc/script.ts';
import type { TransactionInput } from '../../../../src/htlc/transaction.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { conflictRule, fundingRule, payerKeyRule } from '../../../../src/replay/audit/funding.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import {
  judge,
  notCheckable,
  sealed,
  transactionOf,
  verified,
  violated,
  withMembers,
  without,
  withTransaction,
} from '../../../support/audited.ts';
import { storedEvm } from '../../../support/evm-transactions.ts';

const { taker, maker, terms, transactions } = buildSwapPair({ seed: 101, separateKeys: true });
const [FEE, MAKER_PAYMENT, TAKER_PAYMENT] = [2, 4, 7];
const feeId = transactions.takerFee().tx_hash;
const key = terms.taker.takerCoin;
const otherKey = Uint8Array.from(key, (byte, index) => (index === 0 ? byte : byte ^ 0x5a));
const signedBy = (shown: Uint8Array) => concatBytes([pushData(new Uint8Array(71).fill(0x30)), pushData(shown)]);
const FEE_CHANGE = "output 1 of the taker's fee";

/** The taker's payment taking an output of the fee, or whatever the members say. */
function payingFrom(members: Partial<TransactionInput>, log: SwapLog = taker): SwapLog {
  return withTransaction(log, 'TakerPaymentSent', () => ({
    inputs: [{ txid: feeId, vout: 1, scriptSig: signedBy(key), sequence: 0xffff_ffff, ...members }],
  }));
}

/** The taker's payment in the form with witnesses. */
function witnessed(witness: readonly Uint8Array[]): SwapLog {
  return withTransaction(taker, 'TakerPaymentSent', ({ inputs: [input] }) => ({
    format: 'segwit',
    version: 1,
    inputs: input === undefined ? [] : [{ ...input, txid: feeId, vout: 1, scriptSig: new Uint8Array(), witness }],
  }));
}

describe('a payment that is paid out of another transaction of the log', () => {
  it('spends an output that pays to the key which it shows', () => {
    expect(judge(fundingRule, taker)).toEqual([]);
    const ether = withMembers(taker, 'TakerFeeSent', storedEvm({ to: 'aa'.repeat(20) }));
    expect(judge(fundingRule, ether)).toEqual([]);
    expect(judge(payerKeyRule, ether).map(({ seq }) => seq)).toEqual([MAKER_PAYMENT, TAKER_PAYMENT]);
    expect(judge(fundingRule, payingFrom({}))).toEqual([verified(TAKER_PAYMENT, FEE_CHANGE)]);
    expect(judge(fundingRule, payingFrom({ scriptSig: signedBy(otherKey) }))).toEqual([
      violated(TAKER_PAYMENT, {
        expected: bytesToHex(p2pkhScript(hash160(key))),
        found: bytesToHex(p2pkhScript(hash160(otherKey))),
      }),
    ]);
  });

  it('spends an output that exists', () => {
    expect(judge(fundingRule, payingFrom({ vout: 2 }))).toEqual([
      violated(TAKER_PAYMENT, { expected: 'one of 2 outputs', found: "output 2 of the taker's fee" }),
    ]);
  });

  it('is judged input by input', () => {
    const both = withTransaction(payingFrom({}), 'TakerPaymentSent', ({ inputs }) => ({
      inputs: [...inputs.map((input) => ({ ...input, vout: 7 })), ...inputs],
    }));
    expect(judge(fundingRule, both).map(({ status }) => status)).toEqual(['violated', 'verified']);
  });
});

describe('the key that an input shows', () => {
  it('may stand in a witness', () => {
    expect(judge(fundingRule, witnessed([new Uint8Array(71), key]))).toEqual([verified(TAKER_PAYMENT, FEE_CHANGE)]);
    const reason = `${FEE_CHANGE} does not pay to the hash of a key`;
    expect(judge(fundingRule, witnessed([key, new Uint8Array(71)]))).toEqual([notCheckable(TAKER_PAYMENT, reason)]);
    const bare = withTransaction(witnessed([key]), 'TakerPaymentSent', ({ inputs: [input] }) => ({
      inputs:
        input === undefined
          ? []
          : [
              { ...input, witness: [] },
              { ...input, vout: 7, witness: [key] },
            ],
    }));
    expect(judge(fundingRule, bare)[0]).toEqual(notCheckable(TAKER_PAYMENT, reason));
  });

  it('shows its key last, after however many signatures', () => {
    const signature = new Uint8Array(71);
    expect(judge(fundingRule, witnessed([signature, signature, key]))[0]?.status).toBe('verified');
    const scriptSig = concatBytes([pushData(signature), signedBy(key)]);
    expect(judge(fundingRule, payingFrom({ scriptSig }))[0]?.status).toBe('verified');
    const mixed = withTransaction(witnessed([key]), 'TakerPaymentSent', ({ inputs: [input] }) => ({
      inputs:
        input === undefined
          ? []
          : [
              { ...input, witness: [], scriptSig },
              { ...input, vout: 7 },
            ],
    }));
    expect(judge(fundingRule, mixed)[0]).toEqual(verified(TAKER_PAYMENT, FEE_CHANGE));
  });

  it('shows no key, or spends an output that pays to no key', () => {
    const reason = `${FEE_CHANGE} does not pay to the hash of a key`;
    for (const scriptSig of [new Uint8Array(), Uint8Array.of(0x4c), Uint8Array.of(0x51), signedBy(key.subarray(1))]) {
      expect(judge(fundingRule, payingFrom({ scriptSig }))).toEqual([notCheckable(TAKER_PAYMENT, reason)]);
    }
    const makerId = transactions.makerPayment().tx_hash;
    expect(judge(fundingRule, payingFrom({ txid: makerId, vout: 0 }))).toEqual([
      notCheckable(TAKER_PAYMENT, "output 0 of the maker's payment does not pay to the hash of a key"),
    ]);
  });
});

describe('a claim or refund', () => {
  it('is not judged here: its outpoint has a check of its own', () => {
    const claim = withTransaction(taker, 'MakerPaymentSpent', ({ inputs }) => ({
      inputs: inputs.map((input) => ({ ...input, txid: feeId, vout: 9 })),
    }));
    expect(judge(fundingRule, claim)).toEqual([]);
    const path = ['Started', 'Negotiated', 'TakerFeeSent', 'TakerPaymentSent', 'TakerPaymentRefunded'];
    const refunded = buildSwapPair({ seed: 101, separateKeys: true, takerPath: path }).taker;
    const refund = withTransaction(refunded, 'TakerPaymentRefunded', ({ inputs }) => ({
      inputs: inputs.map((input) => ({ ...input, txid: feeId, vout: 9 })),
    }));
    expect(judge(fundingRule, refund)).toEqual([]);
    expect(judge(payerKeyRule, refund).map(({ seq }) => seq)).toEqual([2, 3]);
    expect(judge(payerKeyRule, claim).map(({ seq }) => seq)).toEqual([FEE, MAKER_PAYMENT, TAKER_PAYMENT]);
  });
});

describe('the key that signed the fee and the payments', () => {
  const keyOf = (bytes: Uint8Array) => bytesToHex(bytes);

  it("is the payer's key for that coin", () => {
    expect(judge(payerKeyRule, taker)).toEqual([
      verified(FEE, keyOf(terms.taker.takerCoin)),
      verified(MAKER_PAYMENT, keyOf(terms.maker.makerCoin)),
      verified(TAKER_PAYMENT, keyOf(terms.taker.takerCoin)),
    ]);
    expect(judge(payerKeyRule, maker).map(({ found }) => found)).toEqual([
      keyOf(terms.taker.takerCoin),
      keyOf(terms.maker.makerCoin),
      keyOf(terms.taker.takerCoin),
    ]);
  });

  it('may be another one of a wallet', () => {
    const paid = notCheckable(TAKER_PAYMENT, `paid with another key, ${bytesToHex(otherKey)}`);
    expect(judge(payerKeyRule, payingFrom({ scriptSig: signedBy(otherKey) }))[2]).toEqual(paid);
    const second = withTransaction(taker, 'TakerPaymentSent', ({ inputs }) => ({
      inputs: [...inputs, ...inputs.map((input) => ({ ...input, scriptSig: signedBy(otherKey) }))],
    }));
    expect(judge(payerKeyRule, second)[2]).toEqual(paid);
  });

  it('of the fee was changed if it agrees in most of its bytes', () => {
    const altered = Uint8Array.from(key, (byte, index) => (index === 9 ? byte ^ 1 : byte));
    const fee = (shown: Uint8Array) =>
      withTransaction(taker, 'TakerFeeSent', ({ inputs }) => ({
        inputs: inputs.map((input) => ({ ...input, scriptSig: signedBy(shown) })),
      }));
    expect(judge(payerKeyRule, fee(altered))[0]).toEqual(
      violated(FEE, { expected: bytesToHex(key), found: bytesToHex(altered) }),
    );
    expect(judge(payerKeyRule, fee(otherKey))[0]?.status).toBe('notCheckable');
    expect(judge(payerKeyRule, payingFrom({ scriptSig: signedBy(altered) }))[2]).toEqual(
      notCheckable(TAKER_PAYMENT, `paid with another key, ${bytesToHex(altered)}`),
    );
  });

  it('is not shown by every input', () => {
    const none = notCheckable(TAKER_PAYMENT, 'an input shows no key');
    expect(judge(payerKeyRule, payingFrom({ scriptSig: new Uint8Array() }))[2]).toEqual(none);
    const half = withTransaction(taker, 'TakerPaymentSent', ({ inputs }) => ({
      inputs: [...inputs, ...inputs.map((input) => ({ ...input, scriptSig: new Uint8Array() }))],
    }));
    expect(judge(payerKeyRule, half)[2]).toEqual(none);
    const shielded = withTransaction(taker, 'TakerPaymentSent', () => ({ inputs: [] }));
    expect(judge(payerKeyRule, shielded)[2]).toEqual(none);
  });

  it('cannot be checked if the log does not hold it', () => {
    const hidden = { maker_coin_htlc_pubkey: undefined, maker_pubkey: undefined };
    expect(judge(payerKeyRule, withMembers(taker, 'Negotiated', hidden))[1]).toEqual(
      notCheckable(MAKER_PAYMENT, 'the log does not hold the key of the maker for this coin'),
    );
  });
});

describe('transactions that spend the same output', () => {
  const [input] = transactionOf(taker, 'TakerFeeSent').inputs;
  const outpoint = `${input?.txid}:${input?.vout}`;
  const conflicting = input === undefined ? taker : payingFrom(input);

  it('cannot both be final', () => {
    expect(judge(conflictRule, conflicting)).toEqual([
      notCheckable(
        TAKER_PAYMENT,
        `the taker's fee at ${FEE} and the taker's payment both take ${outpoint}; at most one can be final`,
      ),
    ]);
  });

  it('are named once, even if they share several outputs', () => {
    const more = (log: SwapLog, type: string) =>
      withTransaction(log, type, ({ inputs }) => ({
        inputs: [...inputs, ...inputs.map((one) => ({ ...one, vout: one.vout + 1 }))],
      }));
    expect(judge(conflictRule, more(more(conflicting, 'TakerFeeSent'), 'TakerPaymentSent'))).toHaveLength(1);
  });

  it('are not there in a sound log', () => {
    expect(judge(conflictRule, taker)).toEqual([verified(null, '5 outputs, each taken once')]);
    expect(judge(conflictRule, maker)).toEqual([verified(null, '4 outputs, each taken once')]);
    const late = without(taker, 'TakerFeeSent', 'MakerPaymentReceived', 'TakerPaymentSent', 'MakerPaymentSpent');
    expect(judge(conflictRule, late)).toEqual([]);
  });

  it('may be one transaction that the log holds twice', () => {
    const fee = sealed(transactionOf(taker, 'TakerFeeSent'));
    expect(judge(conflictRule, withMembers(taker, 'TakerPaymentSent', fee))).toEqual([
      verified(null, '4 outputs, each taken once'),
    ]);
  });
});
