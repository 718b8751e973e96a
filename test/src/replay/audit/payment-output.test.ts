import { describe, expect, it } from 'vitest';
import { OP_RETURN } from '../../../../src/htlc/script.ts';
import type { TransactionOutput } from '../../../../src/htlc/transaction.ts';
import { isMissing, lockedOutput, rebuiltScript } from '../../../../src/replay/audit/payment-output.ts';
import { auditedSwap } from '../../../../src/replay/audit/swap-view.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { paymentScript } from '../../../../src/testing/logs/swap-transactions.ts';
import { transactionOf, withMembers, without, withTransaction } from '../../../support/audited.ts';
import { storedEvm } from '../../../support/evm-transactions.ts';

const { taker, terms } = buildSwapPair({ seed: 111, separateKeys: true });

describe('the output that a payment locks', () => {
  const outputOf = (log = taker) => lockedOutput(auditedSwap(log).payments.maker);
  const withOutputs = (...outputs: readonly TransactionOutput[]) =>
    withTransaction(taker, 'MakerPaymentReceived', () => ({ outputs }));
  const TOKEN = { missing: 'the payment moves a token, whose terms are not in an output of its own' };

  it('is the first one', () => {
    expect(outputOf()).toEqual({ value: transactionOf(taker, 'MakerPaymentReceived').outputs[0] });
  });

  it('is not there without the payment, or in bytes of another chain', () => {
    expect(outputOf(without(taker, 'MakerPaymentReceived'))).toEqual({
      missing: 'the log holds no payment of the maker',
    });
    const evm = withMembers(taker, 'MakerPaymentReceived', storedEvm({ to: 'aa'.repeat(20) }));
    expect(outputOf(evm)).toEqual({
      missing: 'the transaction is of an EVM chain, whose payments have checks of their own',
    });
    expect(outputOf(withOutputs())).toHaveProperty('missing');
  });

  it('belongs to no payment of its own if a token is moved: by OP_RETURN or by a call of a contract', () => {
    expect(outputOf(withOutputs({ value: 0n, script: Uint8Array.of(OP_RETURN, 1, 7) }))).toEqual(TOKEN);
    expect(outputOf(withOutputs({ value: 0n, script: Uint8Array.of(1, 7, 0xc2) }))).toEqual(TOKEN);
    const plain = { value: 0n, script: Uint8Array.of(0xc2, OP_RETURN, 0x51) };
    expect(outputOf(withOutputs(plain))).toEqual({ value: plain });
  });
});

describe('the redeem script that the terms of a log give', () => {
  const scriptOf = (payer: 'maker' | 'taker', log = taker) => {
    const swap = auditedSwap(log);
    return rebuiltScript(swap, swap.payments[payer]);
  };

  it('is that of the payment', () => {
    for (const payer of ['maker', 'taker'] as const) {
      expect(scriptOf(payer)).toEqual({ value: paymentScript(terms, payer) });
    }
  });

  it('needs both keys', () => {
    const noMaker = { maker_coin_htlc_pubkey: undefined, taker_coin_htlc_pubkey: undefined, maker_pubkey: undefined };
    const noTaker = { ...noMaker, maker_pubkey: undefined, my_persistent_pub: undefined };
    const log = withMembers(taker, 'Negotiated', noMaker);
    expect(scriptOf('maker', log)).toEqual({
      missing: 'the log does not hold the key of the maker for the maker coin',
    });
    expect(scriptOf('taker', log)).toEqual({
      missing: 'the log does not hold the key of the maker for the taker coin',
    });
    const other = withMembers(taker, 'Started', noTaker);
    expect(scriptOf('maker', other)).toEqual({
      missing: 'the log does not hold the key of the taker for the maker coin',
    });
    expect(scriptOf('taker', other)).toEqual({
      missing: 'the log does not hold the key of the taker for the taker coin',
    });
  });

  it('needs the lock and the secret hash', () => {
    expect(scriptOf('taker', withMembers(taker, 'Started', { taker_payment_lock: undefined }))).toEqual({
      missing: "the log does not say until when the taker's payment is locked",
    });
    const unspent = without(taker, 'TakerPaymentSpent', 'MakerPaymentSpent');
    expect(scriptOf('maker', withMembers(unspent, 'Negotiated', { secret_hash: undefined }))).toEqual({
      missing: 'the log holds neither the secret hash nor the secret',
    });
  });

  it('is impossible if a term fits no script', () => {
    expect(scriptOf('taker', withMembers(taker, 'Started', { taker_payment_lock: 2 ** 32 }))).toEqual({
      impossible: `lock time ${2 ** 32} exceeds 4 bytes`,
    });
  });
});

describe('isMissing', () => {
  it('distinguishes a reason from a value', () => {
    expect(isMissing({ missing: 'why' })).toBe(true);
    expect(isMissing({ value: 'missing' })).toBe(false);
    expect(isMissing({ impossible: 'why' })).toBe(false);
  });
});
