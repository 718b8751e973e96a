import { describe, expect, it } from 'vitest';
import { watch as watchSchema } from '../../../../src/events/watcher.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { hexOfNumbers } from '../../../../src/runtime/swap/watch-message.ts';
import {
  makerPaymentTerms,
  paidAmount,
  refundPreimageProblem,
  refundTransaction,
  takerPaymentTerms,
  utxoTransactionId,
  watchOf,
} from '../../../../src/runtime/watcher/terms.ts';
import { sample, watchedSwap } from '../../../machines/watcher/support.ts';
import { describeShared } from '../../../support/shared.ts';
import { paymentsOf, recordedSwaps, secretHashOf, textOf, transactionOf } from '../../htlc/corpus.ts';
import { opaqueWatch } from './scenarios.ts';

const { watch, terms, txs } = sample;
const of = { amount: watch.maker_amount, contract: null };

describe('the payments of a watched swap', () => {
  it('are known by their terms: the taker payment from the message, the maker payment from the signed claim', () => {
    expect(takerPaymentTerms(watch, { amount: watch.taker_amount, contract: null })).toEqual({
      lock: terms.takerLock,
      secretHash: bytesToHex(terms.secretHash),
      sender: bytesToHex(terms.taker.takerCoin),
      receiver: bytesToHex(terms.maker.takerCoin),
      amount: terms.takerAmount,
      contract: null,
    });
    expect(makerPaymentTerms(watch, of)).toEqual({
      lock: terms.makerLock,
      secretHash: bytesToHex(terms.secretHash),
      sender: bytesToHex(terms.maker.makerCoin),
      receiver: bytesToHex(terms.taker.makerCoin),
      amount: terms.makerAmount,
      contract: null,
    });
  });

  it('keep the negotiated secret hash, of which a script holds 20 bytes', () => {
    const long = { ...watch, secret_hash: bytesToHex(sha256(terms.secret)) };
    expect(makerPaymentTerms(long, of)?.secretHash).toBe(long.secret_hash);
    expect(refundPreimageProblem(long)).toBeNull();
  });

  it('are not guessed if the signed claim does not show them', () => {
    for (const tx of [txs.makerPaymentSpend(), txs.makerPaymentRefund(), txs.takerFee()]) {
      expect(makerPaymentTerms({ ...watch, maker_payment_spend_preimage: tx.tx_hex }, of)).toBeNull();
    }
    const foreign = watchedSwap({ seed: 'another swap' }).watch;
    const { maker_payment_spend_preimage } = foreign;
    expect(makerPaymentTerms({ ...watch, maker_payment_spend_preimage }, of)).toBeNull();
    expect(makerPaymentTerms(opaqueWatch, of)).toBeNull();
  });
});

describe("a message of the real node, which reveals neither the amounts nor the taker's key", () => {
  const told = { ...watch, taker_amount: null, maker_amount: null, taker_pub: null };

  it('is completed from the refund that the taker signed', () => {
    expect(watchOf(told)).toEqual({ ...watch, taker_amount: null, maker_amount: null });
    expect(watchOf({ ...told, taker_payment_refund_preimage: opaqueWatch.taker_payment_refund_preimage })).toBeNull();
    expect(watchOf(watch)).toEqual(watch);
  });

  it('gives no terms before the payments have shown their amounts', () => {
    expect(takerPaymentTerms(watch, { amount: null, contract: null })).toBeNull();
    expect(makerPaymentTerms(watch, { amount: null, contract: null })).toBeNull();
    const coin = { idOf: utxoTransactionId, decimals: 8 };
    expect(paidAmount(txs.takerPayment(), coin)).toBe(watch.taker_amount);
    expect(paidAmount(txs.makerPayment(), coin)).toBe(watch.maker_amount);
    expect(paidAmount({ ...txs.takerPayment(), tx_hash: '00'.repeat(32) }, coin)).toBeNull();
    expect(paidAmount({ tx_hex: 'c001', tx_hash: utxoTransactionId('c001') }, coin)).toBeNull();
  });
});

describe('the refund that the taker signed', () => {
  it('spends the payment of the message, or is found out', () => {
    expect(refundPreimageProblem(watch)).toBeNull();
    const { taker_payment_refund_preimage } = watchedSwap({ seed: 'another swap' }).watch;
    expect(refundPreimageProblem({ ...watch, taker_payment_refund_preimage })).toMatch(/another payment/);
    for (const change of [
      { lock_duration: watch.lock_duration * 4 },
      { taker_pub: watch.maker_pub },
      { maker_pub: watch.taker_pub },
      { secret_hash: '00'.repeat(20) },
    ]) {
      expect(refundPreimageProblem({ ...watch, ...change })).toMatch(/another payment/);
    }
    expect(refundPreimageProblem({ ...watch, taker_payment_refund_preimage: txs.takerPayment().tx_hex })).toMatch(
      /spends no payment/,
    );
  });

  it('is left to the chain if its bytes cannot be read', () => {
    expect(refundPreimageProblem(opaqueWatch)).toBeNull();
    expect(refundPreimageProblem({ ...watch, taker_payment_refund_preimage: 'no hex' })).toBeNull();
  });

  it('fits no secret hash of another length', () => {
    expect(refundPreimageProblem({ ...watch, secret_hash: '00' })).toMatch(/another payment/);
  });

  it('is kept with its id, its input and its fee', () => {
    const kept = refundTransaction(watch, { idOf: utxoTransactionId, decimals: 8, amount: watch.taker_amount });
    expect(kept).toEqual({
      tx_hex: txs.takerPaymentRefund().tx_hex,
      tx_hash: txs.takerPaymentRefund().tx_hash,
      spends: [`${txs.takerPayment().tx_hash}:0`],
      fee: '0.00001',
    });
  });

  it('is kept without its unknown parts', () => {
    const { tx_hex, tx_hash } = txs.takerPaymentRefund();
    expect(refundTransaction(watch, { idOf: utxoTransactionId, decimals: 8, amount: null })).toStrictEqual({
      tx_hex,
      tx_hash,
    });
    expect(refundTransaction(opaqueWatch, { idOf: () => 'id', decimals: 8, amount: watch.taker_amount })).toStrictEqual(
      {
        tx_hex: opaqueWatch.taker_payment_refund_preimage,
        tx_hash: 'id',
      },
    );
  });
});

describeShared('the preimages that a real taker handed to watchers', () => {
  it('hold the terms of both payments of its log', () => {
    let checked = 0;
    for (const swap of recordedSwaps()) {
      const preimages = swap.events.get('WatcherMessageSent') as (number[] | null)[] | undefined;
      const [claim, refund] = preimages ?? [];
      if (claim == null || refund == null) continue;
      const { makerPayment, takerPayment } = paymentsOf(swap);
      const recorded = watchSchema.parse({
        ...watch,
        uuid: swap.row.uuid,
        secret_hash: bytesToHex(secretHashOf(swap) ?? new Uint8Array()),
        maker_payment_spend_preimage: hexOfNumbers(claim),
        taker_payment_refund_preimage: hexOfNumbers(refund),
        swap_started_at: swap.started['started_at'],
        lock_duration: swap.started['lock_duration'],
        taker_amount: textOf(swap.started, 'taker_amount'),
        maker_amount: textOf(swap.started, 'maker_amount'),
        taker_pub: takerPayment.senderKey === undefined ? '' : bytesToHex(takerPayment.senderKey),
        maker_pub: takerPayment.receiverKey === undefined ? '' : bytesToHex(takerPayment.receiverKey),
      });
      const own = makerPaymentTerms(recorded, of);
      expect(own?.lock).toBe(makerPayment.lockTime);
      expect(hexToBytes(own?.sender ?? '')).toEqual(makerPayment.senderKey);
      expect(hexToBytes(own?.receiver ?? '')).toEqual(makerPayment.receiverKey);
      expect(refundPreimageProblem(recorded)).toBeNull();
      expect(takerPaymentTerms(recorded, of)?.lock).toBe(takerPayment.lockTime);
      const { spends } = refundTransaction(recorded, {
        idOf: utxoTransactionId,
        decimals: 8,
        amount: watch.taker_amount,
      });
      expect(spends).toEqual([`${transactionOf(swap, 'TakerPaymentSent')?.tx_hash}:0`]);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(0);
  });
});
