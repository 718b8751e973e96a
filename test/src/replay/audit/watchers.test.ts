import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { p2shScript, pushData } from '../../../../src/htlc/script.ts';
import type { DecodedTransaction } from '../../../../src/htlc/transaction.ts';
import { encodeTransaction } from '../../../../src/htlc/transaction-encoding.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { refundPreimageRule, spendPreimageRule } from '../../../../src/replay/audit/watchers.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { paymentScript } from '../../../../src/testing/logs/swap-transactions.ts';
import {
  decodedHex,
  judge,
  notCheckable,
  ONE_JOIN_SPLIT,
  sealed,
  transactionOf,
  verified,
  violated,
  withData,
  without,
  withTransaction,
} from '../../../support/audited.ts';

const REFUND_PATH = [
  ...['Started', 'Negotiated', 'TakerFeeSent', 'TakerPaymentInstructionsReceived', 'MakerPaymentReceived'],
  ...['MakerPaymentWaitConfirmStarted', 'MakerPaymentValidatedAndConfirmed', 'TakerPaymentSent', 'WatcherMessageSent'],
  ...['TakerPaymentRefundedByWatcher', 'Finished'],
];

const { taker, terms, transactions } = buildSwapPair({ watchers: true, seed: 21 });
const claim = decodedHex(transactions.makerPaymentSpendPreimage().tx_hex);
const refund = decodedHex(transactions.takerPaymentRefund().tx_hex);
const MESSAGE = 8;
const TAKES_MAKER = "takes the maker's payment";
const TAKES_TAKER = "takes the taker's payment";

type Change = (transaction: DecodedTransaction) => Partial<DecodedTransaction>;

function numbers(transaction: DecodedTransaction, change: Change): readonly number[] {
  return Array.from(encodeTransaction({ ...transaction, ...change(transaction) }));
}

/** The log with another claim for watchers. */
function withClaim(change: Change, log: SwapLog = taker): SwapLog {
  return withData(log, 'WatcherMessageSent', (data) => [numbers(claim, change), Object.values(data)[1]]);
}

function withRefund(change: Change, log: SwapLog = taker): SwapLog {
  return withData(log, 'WatcherMessageSent', (data) => [Object.values(data)[0], numbers(refund, change)]);
}

function withBytes(index: 0 | 1, bytes: unknown): SwapLog {
  return withData(taker, 'WatcherMessageSent', (data) => Object.values(data).with(index, bytes));
}

const paying =
  (amount: bigint): Change =>
  ({ outputs: [output = { value: 0n, script: new Uint8Array() }] }) => ({ outputs: [{ ...output, value: amount }] });

describe('the claim for watchers', () => {
  it('is the stored claim once the secret is in it', () => {
    expect(judge(spendPreimageRule, taker)).toEqual([verified(MESSAGE, 'with the secret it is the claim at 10')]);
  });

  it('may have been signed again before it was sent', () => {
    const anew = withTransaction(taker, 'MakerPaymentSpent', ({ lockTime }) => ({ lockTime: lockTime + 1 }));
    expect(judge(spendPreimageRule, anew)).toEqual([
      verified(MESSAGE, "takes the maker's payment; the claim was signed anew"),
    ]);
  });

  it('is checked against the payment alone if no claim or no secret is stored', () => {
    expect(judge(spendPreimageRule, without(taker, 'MakerPaymentSpent'))).toEqual([verified(MESSAGE, TAKES_MAKER)]);
    expect(judge(spendPreimageRule, without(taker, 'TakerPaymentSpent'))).toEqual([verified(MESSAGE, TAKES_MAKER)]);
  });

  it('takes output 0 of the payment and no other', () => {
    const [input] = claim.inputs;
    const other = withClaim(({ inputs }) => ({ inputs: inputs.map((one) => ({ ...one, vout: 1 })) }));
    expect(judge(spendPreimageRule, other)).toEqual([
      violated(MESSAGE, { expected: `${input?.txid}:0`, found: `${input?.txid}:1` }),
    ]);
  });

  it('has the redeem script of the payment', () => {
    const script = paymentScript({ ...terms, makerLock: (terms.makerLock + 1) as typeof terms.makerLock }, 'maker');
    const other = withClaim(({ inputs }) => ({
      inputs: inputs.map((one) => ({
        ...one,
        scriptSig: concatBytes([one.scriptSig.subarray(0, -109), pushData(script)]),
      })),
    }));
    expect(judge(spendPreimageRule, other)).toEqual([
      violated(MESSAGE, { expected: bytesToHex(paymentScript(terms, 'maker')), found: bytesToHex(script) }),
    ]);
  });

  it('lacks the secret: a finished claim or a refund does not count', () => {
    const expected = 'the branch of the secret, without the secret';
    const finished = withBytes(0, Array.from(transactions.makerPaymentSpend().bytes));
    expect(judge(spendPreimageRule, finished)).toEqual([
      violated(MESSAGE, { expected, found: 'the branch of the secret' }),
    ]);
    const back = withBytes(0, Array.from(transactions.makerPaymentRefund().bytes));
    expect(judge(spendPreimageRule, back)).toEqual([
      violated(MESSAGE, { expected, found: 'the branch of the refund' }),
    ]);
  });
});

describe('the value of the claim for watchers', () => {
  it('pays out no more than the payment holds', () => {
    expect(judge(spendPreimageRule, withClaim(paying(240_000_000n)))).toEqual([
      verified(MESSAGE, "takes the maker's payment; the claim was signed anew"),
    ]);
    expect(judge(spendPreimageRule, withClaim(paying(240_000_001n)))).toEqual([
      violated(MESSAGE, { expected: 'at most 240000000 base units', found: '240000001 base units' }),
    ]);
    const split = withClaim(({ outputs }) => ({ outputs: [...outputs, ...outputs] }));
    expect(judge(spendPreimageRule, split)).toEqual([
      violated(MESSAGE, { expected: 'at most 240000000 base units', found: '479998000 base units' }),
    ]);
  });

  it('may pay out more if it has other inputs, and on Komodo, whose outputs earn interest', () => {
    const joined = withClaim((before) => ({
      inputs: [...before.inputs, ...before.inputs.map((input) => ({ ...input, vout: 3 }))],
      ...paying(250_000_000n)(before),
    }));
    expect(judge(spendPreimageRule, joined)[0]?.status).toBe('verified');
    const komodo = buildSwapPair({ watchers: true, seed: 21, makerCoin: 'KMD' });
    expect(judge(spendPreimageRule, withClaim(paying(250_000_000n), komodo.taker))[0]?.status).toBe('verified');
  });
});

describe('a message for watchers that cannot be judged', () => {
  it('holds no claim, or no refund', () => {
    for (const bytes of [null, undefined, 'text', 7]) {
      const reason = 'the message holds no such transaction';
      expect(judge(spendPreimageRule, withBytes(0, bytes))).toEqual([notCheckable(MESSAGE, reason)]);
      expect(judge(refundPreimageRule, withBytes(1, bytes))).toEqual([notCheckable(MESSAGE, reason)]);
      expect(judge(spendPreimageRule, withBytes(1, bytes))[0]?.status).toBe('verified');
    }
    const empty = withData(taker, 'WatcherMessageSent', () => 'text');
    expect(judge(spendPreimageRule, empty)).toEqual([notCheckable(MESSAGE, 'the message holds no such transaction')]);
  });

  it('is in a log without the payment', () => {
    expect(judge(spendPreimageRule, without(taker, 'MakerPaymentReceived'))).toEqual([
      notCheckable(7, 'the log holds no payment of the maker'),
    ]);
    expect(judge(refundPreimageRule, without(taker, 'TakerPaymentSent'))).toEqual([
      notCheckable(7, 'the log holds no payment of the taker'),
    ]);
  });

  it('holds bytes that nobody can read, while the payment is not there to say which form they should have', () => {
    const log = without(withBytes(0, [1, 2, 3]), 'MakerPaymentReceived');
    expect(judge(spendPreimageRule, log)).toEqual([
      notCheckable(7, 'the bytes are no transaction of a UTXO chain that can be read'),
    ]);
  });

  it('is a contradiction if the payment says which form its bytes should have', () => {
    const [finding] = judge(spendPreimageRule, withBytes(0, [1, 2, 3]));
    expect(finding).toMatchObject({ seq: MESSAGE, status: 'violated', expected: 'a transaction of the form sapling' });
    expect(finding?.found).toMatch(/^read as legacy/);
  });

  it('is looked for in every message of the log', () => {
    const twice = { ...taker, events: taker.events.flatMap((event) => [event, event]) };
    expect(judge(spendPreimageRule, twice)).toHaveLength(2);
    expect(judge(refundPreimageRule, twice)).toHaveLength(2);
  });
});

describe('the form of a transaction for watchers', () => {
  const legacy = ({ inputs, outputs, lockTime }: DecodedTransaction): DecodedTransaction => {
    return { format: 'legacy', version: 1, inputs, outputs, lockTime };
  };
  const asNumbers = (transaction: DecodedTransaction) => Array.from(encodeTransaction(transaction));
  const SAPLING = 'form sapling, version 4, group 2301567109';

  it('is the form of the payment, down to the version', () => {
    expect(judge(spendPreimageRule, withBytes(0, asNumbers(legacy(claim))))).toEqual([
      violated(MESSAGE, { expected: SAPLING, found: 'form legacy, version 1, group none' }),
    ]);
    const bitcoin = buildSwapPair({ watchers: true, seed: 21, makerCoin: 'LTC' });
    const second = withClaim(() => ({ format: 'legacy', version: 2 }), bitcoin.taker);
    expect(judge(spendPreimageRule, second)[0]).toMatchObject({ expected: 'form legacy, version 1, group none' });
  });

  it('may be any if the payment has a witness, which a claim of a hash lock need not have', () => {
    const signed = (log: SwapLog) =>
      withTransaction(log, 'MakerPaymentReceived', (before) => ({
        ...legacy(before),
        format: 'segwit',
        inputs: before.inputs.map((input) => ({ ...input, witness: [Uint8Array.of(1)] })),
      }));
    const { txid } = { txid: String(hashOf(signed(taker), 'MakerPaymentReceived')) };
    const other = withClaim(
      (before) => ({ inputs: before.inputs.map((input) => ({ ...input, txid })) }),
      signed(taker),
    );
    expect(judge(spendPreimageRule, other)[0]?.status).toBe('verified');
  });

  it('has no shielded part, into which value could go', () => {
    const pool = withClaim(() => ({ valueBalance: -5n }));
    expect(judge(spendPreimageRule, pool)).toEqual([
      violated(MESSAGE, { expected: 'no shielded part', found: 'a value balance of -5' }),
    ]);
    const joined = withRefund(() => ({ shielded: ONE_JOIN_SPLIT }));
    expect(judge(refundPreimageRule, joined)).toEqual([
      violated(MESSAGE, { expected: 'no shielded part', found: 'a value balance of 0' }),
    ]);
  });
});

describe('the refund for watchers', () => {
  const { taker: refunded } = buildSwapPair({ watchers: true, seed: 21, takerPath: REFUND_PATH });

  it('takes the payment of the taker by the branch of the sender', () => {
    expect(judge(refundPreimageRule, taker)).toEqual([verified(MESSAGE, TAKES_TAKER)]);
    const claimed = withBytes(1, Array.from(transactions.takerPaymentSpend().bytes));
    expect(judge(refundPreimageRule, claimed)).toEqual([
      violated(MESSAGE, { expected: 'the branch of the refund', found: 'the branch of the secret' }),
    ]);
  });

  it("is the watcher's refund, or another one that the owner sent", () => {
    expect(judge(refundPreimageRule, refunded)).toEqual([verified(MESSAGE, 'is the refund at 9')]);
    const own = withTransaction(refunded, 'TakerPaymentRefundedByWatcher', () => ({ expiryHeight: 9 }));
    expect(judge(refundPreimageRule, own)).toEqual([verified(MESSAGE, TAKES_TAKER)]);
  });

  it('cannot be sent before the lock', () => {
    const early = withRefund(({ lockTime }) => ({ lockTime: lockTime - 1 }));
    expect(judge(refundPreimageRule, early)).toEqual([
      violated(MESSAGE, {
        expected: `a lock time of at least ${terms.takerLock}`,
        found: `lock time ${terms.takerLock - 1}`,
      }),
    ]);
  });

  it('takes output 0 of the payment, and pays out no more than it holds', () => {
    const other = withRefund(({ inputs }) => ({ inputs: inputs.map((one) => ({ ...one, vout: 2 })) }));
    expect(judge(refundPreimageRule, other)[0]).toMatchObject({
      status: 'violated',
      found: expect.stringMatching(/:2$/),
    });
    expect(judge(refundPreimageRule, withRefund(paying(240_000_001n)))).toEqual([
      violated(MESSAGE, { expected: 'at most 240000000 base units', found: '240000001 base units' }),
    ]);
  });

  it('binds to the output of the payment if the log lacks the terms of the script', () => {
    const log = withData(taker, 'Negotiated', () => ({}));
    const script = transactionOf(taker, 'TakerPaymentSent').outputs[0]?.script ?? new Uint8Array();
    expect(judge(refundPreimageRule, log)).toEqual([verified(MESSAGE, TAKES_TAKER)]);
    const paid = hexToBytes(bytesToHex(p2shScript(paymentScript(terms, 'taker'))));
    expect(bytesToHex(script)).toBe(bytesToHex(paid));
  });
});

function hashOf(log: SwapLog, type: string): string {
  return sealed(transactionOf(log, type)).tx_hash;
}
