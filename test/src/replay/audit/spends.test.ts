import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { p2shScript, pushData } from '../../../../src/htlc/script.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import {
  refundLockRule,
  spendOutpointRule,
  spendScriptRule,
  spendValueRule,
} from '../../../../src/replay/audit/spends.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { paymentScript } from '../../../../src/testing/logs/swap-transactions.ts';
import {
  judge,
  notCheckable,
  ONE_JOIN_SPLIT,
  transactionOf,
  verified,
  violated,
  withMembers,
  without,
  withTransaction,
} from '../../../support/audited.ts';
import { evmSwap } from '../../../support/evm-swap.ts';

const PATH = [
  ...['Started', 'Negotiated', 'TakerFeeSent', 'MakerPaymentReceived', 'TakerPaymentSent'],
  ...['TakerPaymentSpent', 'MakerPaymentSpent', 'TakerPaymentRefunded', 'Finished'],
];
// A log that ends both ways, as no real one does, shows claims and a refund at once.
const { taker, terms, transactions } = buildSwapPair({ seed: 61, takerPath: PATH });
const [TAKER_CLAIM, MAKER_CLAIM, REFUND] = [5, 6, 7];
const RULES = [spendOutpointRule, spendScriptRule, spendValueRule];
const makerPayment = transactions.makerPayment().tx_hash;
const takerPayment = transactions.takerPayment().tx_hash;
const SECRET_BRANCH = 'the branch of the secret';
const REFUND_BRANCH = 'the branch of the refund';

type Input = ReturnType<typeof transactionOf>['inputs'][number];

/** The log with a changed first input of the claim of the maker's payment, or of another event. */
function withInput(members: Partial<Input>, type = 'MakerPaymentSpent', log: SwapLog = taker): SwapLog {
  return withTransaction(log, type, ({ inputs }) => ({ inputs: inputs.map((input) => ({ ...input, ...members })) }));
}

describe('the claims and refunds that are judged', () => {
  it('are those of UTXO chains', () => {
    for (const rule of RULES)
      expect(judge(rule, taker).map(({ seq }) => seq)).toEqual([TAKER_CLAIM, MAKER_CLAIM, REFUND]);
    for (const rule of [...RULES, refundLockRule]) expect(judge(rule, evmSwap().log)).toEqual([]);
    for (const rule of RULES) {
      expect(judge(rule, without(taker, 'TakerPaymentSpent', 'MakerPaymentSpent', 'TakerPaymentRefunded'))).toEqual([]);
    }
  });

  it('need bytes that can be read', () => {
    const broken = withMembers(taker, 'MakerPaymentSpent', { tx_hex: '00' });
    const finding = notCheckable(MAKER_CLAIM, 'the stored bytes are no transaction that can be read');
    expect(judge(spendOutpointRule, broken)[1]).toEqual(finding);
    expect(judge(spendScriptRule, broken)[1]).toEqual(finding);
    expect(judge(spendValueRule, broken).map(({ seq }) => seq)).toEqual([TAKER_CLAIM, REFUND]);
  });

  it('need the payment', () => {
    const unpaid = without(taker, 'MakerPaymentReceived');
    const finding = notCheckable(MAKER_CLAIM - 1, 'the log holds no payment of the maker');
    expect(judge(spendOutpointRule, unpaid)[1]).toEqual(finding);
    expect(judge(spendScriptRule, unpaid)[1]).toEqual(finding);
    expect(judge(spendValueRule, unpaid).map(({ seq }) => seq)).toEqual([TAKER_CLAIM - 1, REFUND - 1]);
  });
});

describe('the outpoint of a claim or refund', () => {
  it('is output 0 of its payment', () => {
    expect(judge(spendOutpointRule, taker)).toEqual([
      verified(TAKER_CLAIM, `${takerPayment}:0`),
      verified(MAKER_CLAIM, `${makerPayment}:0`),
      verified(REFUND, `${takerPayment}:0`),
    ]);
  });

  it('may be that of any input', () => {
    const joined = withTransaction(taker, 'MakerPaymentSpent', ({ inputs }) => ({
      inputs: [...inputs.map((input) => ({ ...input, txid: '11'.repeat(32) })), ...inputs],
    }));
    expect(judge(spendOutpointRule, joined)[1]).toEqual(verified(MAKER_CLAIM, `${makerPayment}:0`));
    const change = withTransaction(taker, 'MakerPaymentSpent', ({ inputs }) => ({
      inputs: [...inputs.map((input) => ({ ...input, vout: 1 })), ...inputs],
    }));
    expect(judge(spendOutpointRule, change)[1]).toEqual(verified(MAKER_CLAIM, `${makerPayment}:0`));
  });

  it('contradicts the log when it is another one, or none', () => {
    expect(judge(spendOutpointRule, withInput({ vout: 1 }))[1]).toEqual(
      violated(MAKER_CLAIM, { expected: `${makerPayment}:0`, found: `${makerPayment}:1` }),
    );
    expect(judge(spendOutpointRule, withInput({ txid: takerPayment }))[1]).toEqual(
      violated(MAKER_CLAIM, { expected: `${makerPayment}:0`, found: `${takerPayment}:0` }),
    );
    const none = withTransaction(taker, 'MakerPaymentSpent', () => ({ inputs: [] }));
    expect(judge(spendOutpointRule, none)[1]).toEqual(
      violated(MAKER_CLAIM, { expected: `${makerPayment}:0`, found: 'no input' }),
    );
    expect(judge(spendScriptRule, none)[1]).toMatchObject({ status: 'violated', expected: SECRET_BRANCH });
  });
});

describe('the input script of a claim or refund', () => {
  it('takes the branch of its event', () => {
    expect(judge(spendScriptRule, taker)).toEqual([
      verified(TAKER_CLAIM, SECRET_BRANCH),
      verified(MAKER_CLAIM, SECRET_BRANCH),
      verified(REFUND, REFUND_BRANCH),
    ]);
    const swapped = withMembers(taker, 'TakerPaymentRefunded', {
      tx_hex: transactions.takerPaymentSpend().tx_hex,
      tx_hash: transactions.takerPaymentSpend().tx_hash,
    });
    expect(judge(spendScriptRule, swapped)[2]).toEqual(
      violated(REFUND, { expected: REFUND_BRANCH, found: SECRET_BRANCH }),
    );
    const unfinished = withMembers(taker, 'MakerPaymentSpent', {
      tx_hex: transactions.makerPaymentSpendPreimage().tx_hex,
      tx_hash: transactions.makerPaymentSpendPreimage().tx_hash,
    });
    expect(judge(spendScriptRule, unfinished)[1]).toEqual(
      violated(MAKER_CLAIM, { expected: SECRET_BRANCH, found: 'the branch of the secret, without the secret' }),
    );
  });

  it('has the form of a hash time lock', () => {
    expect(judge(spendScriptRule, withInput({ scriptSig: Uint8Array.of(0x51) }))[1]).toEqual(
      violated(MAKER_CLAIM, { expected: SECRET_BRANCH, found: 'an input script that takes no hash time lock' }),
    );
  });

  const script = paymentScript(terms, 'maker');
  const other = paymentScript({ ...terms, makerLock: (terms.makerLock + 1) as typeof terms.makerLock }, 'maker');
  const { scriptSig } = transactionOf(taker, 'MakerPaymentSpent').inputs[0] ?? { scriptSig: new Uint8Array() };
  const push = pushData(other);
  const withOther = withInput({ scriptSig: concatBytes([scriptSig.subarray(0, -push.length), push]) });
  const NO_TERMS = { maker_payment_locktime: undefined };

  it('holds the redeem script of the terms', () => {
    expect(judge(spendScriptRule, withOther)[1]).toEqual(
      violated(MAKER_CLAIM, { expected: bytesToHex(script), found: bytesToHex(other) }),
    );
  });

  it('holds the script to which the payment pays, even if the log lacks the terms', () => {
    expect(judge(spendScriptRule, withMembers(taker, 'Negotiated', NO_TERMS))[1]?.status).toBe('verified');
    expect(judge(spendScriptRule, withMembers(withOther, 'Negotiated', NO_TERMS))[1]).toEqual(
      violated(MAKER_CLAIM, { expected: bytesToHex(p2shScript(script)), found: bytesToHex(p2shScript(other)) }),
    );
  });
});

describe('the lock of a refund', () => {
  const withLock = (lockTime: number) => withTransaction(taker, 'TakerPaymentRefunded', () => ({ lockTime }));

  it('is at or after that of the payment', () => {
    expect(judge(refundLockRule, taker)).toEqual([verified(REFUND, `lock time ${terms.takerLock}`)]);
    expect(judge(refundLockRule, withLock(terms.takerLock + 9))).toEqual([
      verified(REFUND, `lock time ${terms.takerLock + 9}`),
    ]);
    expect(judge(refundLockRule, withLock(terms.takerLock - 1))).toEqual([
      violated(REFUND, {
        expected: `a lock time of at least ${terms.takerLock}`,
        found: `lock time ${terms.takerLock - 1}`,
      }),
    ]);
  });

  it('counts only with a sequence that is not final', () => {
    expect(judge(refundLockRule, withInput({ sequence: 0xffff_ffff }, 'TakerPaymentRefunded'))).toEqual([
      violated(REFUND, {
        expected: 'a sequence below the final one',
        found: 'the final sequence, which ignores the lock time',
      }),
    ]);
    expect(judge(refundLockRule, withInput({ sequence: 0 }, 'TakerPaymentRefunded'))[0]?.status).toBe('verified');
  });

  it('is not checked against a log that lacks the lock, nor against a transaction without inputs', () => {
    const unknown = withMembers(withLock(0), 'Started', { taker_payment_lock: undefined });
    expect(judge(refundLockRule, unknown)).toEqual([verified(REFUND, 'lock time 0')]);
    const none = withTransaction(withLock(0), 'TakerPaymentRefunded', () => ({ inputs: [] }));
    expect(judge(refundLockRule, none)).toEqual([verified(REFUND, 'lock time 0')]);
  });
});

describe('the value of a claim or refund', () => {
  const paying = (value: bigint, log: SwapLog = taker) =>
    withTransaction(log, 'MakerPaymentSpent', ({ outputs }) => ({
      outputs: outputs.map((output) => ({ ...output, value })),
    }));

  it('is no more than the payment holds', () => {
    expect(judge(spendValueRule, taker)).toEqual(
      [TAKER_CLAIM, MAKER_CLAIM, REFUND].map((seq) => verified(seq, '239999000 base units')),
    );
    expect(judge(spendValueRule, paying(240_000_000n))[1]).toEqual(verified(MAKER_CLAIM, '240000000 base units'));
    expect(judge(spendValueRule, paying(240_000_001n))[1]).toEqual(
      violated(MAKER_CLAIM, { expected: 'at most 240000000 base units', found: '240000001 base units' }),
    );
    const split = withTransaction(taker, 'MakerPaymentSpent', ({ outputs }) => ({ outputs: [...outputs, ...outputs] }));
    expect(judge(spendValueRule, split)[1]).toMatchObject({ status: 'violated', found: '479998000 base units' });
  });

  it('may be more on Komodo, which pays interest', () => {
    const komodo = buildSwapPair({ seed: 61, takerPath: PATH, makerCoin: 'KMD' }).taker;
    expect(judge(spendValueRule, komodo)[1]?.status).toBe('verified');
    expect(judge(spendValueRule, paying(240_000_001n, komodo))[1]).toEqual(
      notCheckable(MAKER_CLAIM, 'Komodo pays interest on its outputs'),
    );
  });

  it('is unknown if the transaction has other sources', () => {
    const finding = notCheckable(MAKER_CLAIM, 'the transaction has other sources of value');
    const joined = withTransaction(taker, 'MakerPaymentSpent', ({ inputs }) => ({
      inputs: [...inputs, ...inputs.map((input) => ({ ...input, vout: 4 }))],
    }));
    const pool = withTransaction(taker, 'MakerPaymentSpent', () => ({ valueBalance: 1n }));
    const shielded = ONE_JOIN_SPLIT;
    const hidden = withTransaction(taker, 'MakerPaymentSpent', () => ({ shielded }));
    for (const log of [joined, pool, hidden]) expect(judge(spendValueRule, log)[1]).toEqual(finding);
    const legacy = buildSwapPair({ seed: 61, takerPath: PATH, makerCoin: 'LTC' }).taker;
    expect(judge(spendValueRule, legacy)[1]?.status).toBe('verified');
  });

  it('is not judged if it spends another output', () => {
    expect(judge(spendValueRule, withInput({ vout: 1 })).map(({ seq }) => seq)).toEqual([TAKER_CLAIM, REFUND]);
  });
});
