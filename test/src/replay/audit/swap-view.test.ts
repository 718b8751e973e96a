import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { auditedSwap } from '../../../../src/replay/audit/swap-view.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import {
  sealed,
  seqOf,
  transactionOf,
  withHead,
  withMembers,
  without,
  withTransaction,
} from '../../../support/audited.ts';

const { taker, maker, terms } = buildSwapPair({ seed: 191, separateKeys: true });
const unknown = (log: SwapLog): SwapLog => ({
  ...log,
  events: [{ ...log.events[0], type: 'Unheard', known: false } as (typeof log.events)[number], ...log.events],
});

describe('the events of a view', () => {
  it('are those that the role has, with their place in the log', () => {
    const swap = auditedSwap(unknown(taker));
    expect(swap.first('Started')?.seq).toBe(1);
    expect(swap.first('Unheard')).toBeUndefined();
    expect(swap).toMatchObject({ startedSeq: 1, negotiatedSeq: 2, role: 'taker' });
    expect(auditedSwap(maker).role).toBe('maker');
  });

  it('are found by type, in the order of the log', () => {
    const swap = auditedSwap(taker);
    const [sent, spent] = [seqOf(taker, 'TakerPaymentSent'), seqOf(taker, 'TakerPaymentSpent')];
    expect(swap.first('TakerPaymentSpent', 'TakerPaymentSent')?.seq).toBe(sent);
    expect(swap.all('TakerPaymentSpent', 'TakerPaymentSent').map(({ seq }) => seq)).toEqual([sent, spent]);
    expect(swap.all('TakerFeeSendFailed')).toEqual([]);
  });

  it('give terms only where Started comes first', () => {
    const [started, ...rest] = taker.events;
    const late = auditedSwap({ ...taker, events: [...rest, started as (typeof rest)[number]] });
    expect(late).toMatchObject({ startedSeq: undefined, startedAt: undefined, lockDuration: undefined, started: {} });
    expect(auditedSwap({ ...taker, events: [] })).toMatchObject({ negotiatedSeq: undefined, negotiated: {} });
    expect(auditedSwap(taker)).toMatchObject({
      startedAt: terms.takerStartedAt,
      lockDuration: terms.lockDuration,
      startedSeq: 0,
    });
  });
});

describe('the payments of a view', () => {
  it('have the terms that each party stored', () => {
    for (const [log, names] of [
      [taker, ['MakerPaymentReceived', 'TakerPaymentSent']],
      [maker, ['MakerPaymentSent', 'TakerPaymentReceived']],
    ] as const) {
      const { payments } = auditedSwap(log);
      expect(payments.maker).toMatchObject({
        payer: 'maker',
        coin: 'DOC',
        amount: '2.4',
        lockTime: terms.makerLock,
        senderKey: terms.maker.makerCoin,
        receiverKey: terms.taker.makerCoin,
      });
      expect(payments.taker).toMatchObject({
        payer: 'taker',
        coin: 'MARTY',
        lockTime: terms.takerLock,
        senderKey: terms.taker.takerCoin,
        receiverKey: terms.maker.takerCoin,
      });
      expect([payments.maker, payments.taker].map(({ transaction }) => transaction?.event)).toEqual(names);
    }
  });

  it('use the persistent keys if the log has none for the coins', () => {
    const old = buildSwapPair({ seed: 191, era: '2021' });
    for (const log of [old.taker, old.maker]) {
      const { payments } = auditedSwap(log);
      expect(payments.maker.senderKey).toEqual(old.terms.maker.persistent);
      expect(payments.maker.receiverKey).toEqual(old.terms.taker.persistent);
      expect(payments.taker.senderKey).toEqual(old.terms.taker.persistent);
    }
  });

  it('are the first ones if a damaged log holds several', () => {
    const twice = { ...taker, events: taker.events.flatMap((event) => [event, event]) };
    expect(auditedSwap(twice).payments.maker.transaction?.seq).toBe(2 * seqOf(taker, 'MakerPaymentReceived'));
    expect(auditedSwap(without(taker, 'MakerPaymentReceived')).payments.maker.transaction).toBeUndefined();
    expect(auditedSwap({ ...taker, events: taker.events.slice(0, 3) }).payments.taker.transaction).toBeUndefined();
  });

  it('have the contract of Negotiated, else that of Started', () => {
    const [a, b] = ['aa'.repeat(20), 'bb'.repeat(20)];
    const started = { maker_coin_swap_contract_address: a, taker_coin_swap_contract_address: a };
    const log = withMembers(withMembers(taker, 'Started', started), 'Negotiated', { maker_coin_swap_contract_addr: b });
    const { payments } = auditedSwap(log);
    expect(payments.maker.contract).toEqual({ address: b, negotiated: true });
    expect(payments.taker.contract).toEqual({ address: a, negotiated: false });
    expect(auditedSwap(taker).payments.maker.contract).toBeUndefined();
  });
});

describe('the secret and its hash in a view', () => {
  const ZEROS = '00'.repeat(32);

  it("are a maker's from its start and a taker's from the chain", () => {
    for (const log of [taker, maker]) {
      expect(auditedSwap(log)).toMatchObject({ secret: terms.secret, secretHash: terms.secretHash });
    }
    const long = 'ab'.repeat(32);
    expect(auditedSwap(withMembers(maker, 'Started', { secret_hash: long })).secretHash).toEqual(hexToBytes(long));
    expect(auditedSwap(without(taker, 'TakerPaymentSpent')).secret).toBeUndefined();
    expect(auditedSwap(withMembers(taker, 'TakerPaymentSpent', { secret: ZEROS })).secret).toBeUndefined();
    expect(auditedSwap(withMembers(maker, 'Started', { secret: ZEROS })).secret).toBeUndefined();
    expect(auditedSwap(withMembers(maker, 'Started', { secret: 'zz' })).secret).toBeUndefined();
  });

  it('are linked if a maker of 2019 stored only the secret', () => {
    const bare = withMembers(maker, 'Started', { secret_hash: undefined });
    const [first] = maker.events;
    const early = { ...bare, events: bare.events.slice(0, 1) };
    expect(first?.type).toBe('Started');
    expect(auditedSwap(early).secretHash).toEqual(hash160(terms.secret));
    expect(auditedSwap(withMembers(early, 'Started', { secret: ZEROS })).secretHash).toBeUndefined();
  });

  it('are revealed by a redeem script if the log hides both', () => {
    const hidden = withMembers(maker, 'Started', { secret_hash: undefined, secret: ZEROS });
    expect(auditedSwap(hidden).secretHash).toEqual(terms.secretHash);
    expect(auditedSwap(without(hidden, 'TakerPaymentSpent')).secretHash).toBeUndefined();
    const joined = withTransaction(hidden, 'TakerPaymentSpent', ({ inputs }) => ({
      inputs: [...inputs.map((input) => ({ ...input, scriptSig: new Uint8Array() })), ...inputs],
    }));
    expect(auditedSwap(joined).secretHash).toEqual(terms.secretHash);
    const shorn = withMembers(taker, 'Negotiated', { secret_hash: undefined });
    expect(auditedSwap(shorn).secretHash).toEqual(terms.secretHash);
    expect(auditedSwap(without(shorn, 'TakerPaymentSpent')).secretHash).toEqual(terms.secretHash);
    expect(auditedSwap(withMembers(hidden, 'TakerPaymentSpent', { tx_hex: '00' })).secretHash).toBeUndefined();
  });

  it('are revealed by a refund too, but not by a payment or the fee', () => {
    const path = ['Started', 'Negotiated', 'MakerPaymentSent', 'MakerPaymentRefunded', 'Finished'];
    const refunded = buildSwapPair({ seed: 191, makerPath: path }).maker;
    const hidden = withMembers(refunded, 'Started', { secret_hash: undefined, secret: ZEROS });
    expect(auditedSwap(hidden).secretHash).toEqual(terms.secretHash);
    const refund = sealed(transactionOf(refunded, 'MakerPaymentRefunded'));
    const paid = withMembers(without(hidden, 'MakerPaymentRefunded'), 'MakerPaymentSent', refund);
    expect(auditedSwap(paid).transactions[0]?.utxo).toBeDefined();
    expect(auditedSwap(paid).secretHash).toBeUndefined();
  });

  it('of a negotiated text of another length are kept as they are', () => {
    const odd = withMembers(taker, 'Negotiated', { secret_hash: 'abcd' });
    expect(auditedSwap(odd).secretHash).toEqual(hexToBytes('abcd'));
    expect(bytesToHex(terms.secretHash)).toHaveLength(40);
  });
});

describe("a log that may have been made from the other party's", () => {
  const noFees = Object.fromEntries(
    [
      ...['fee_to_send_taker_fee', 'taker_payment_trade_fee', 'maker_payment_spend_trade_fee'],
      ...['maker_payment_trade_fee', 'taker_payment_spend_trade_fee'],
    ].map((name) => [name, undefined]),
  );
  const INSTRUCTIONS = ['TakerPaymentInstructionsReceived', 'MakerPaymentInstructionsReceived'];
  const madeTaker = without(withMembers(taker, 'Started', noFees), ...INSTRUCTIONS);
  const madeMaker = without(withMembers(maker, 'Started', { ...noFees, secret: '00'.repeat(32) }), ...INSTRUCTIONS);
  const perhaps = (log: SwapLog) => auditedSwap(log).perhapsRecreated;

  it('holds nothing that recreate_swap_data never writes', () => {
    expect([perhaps(madeTaker), perhaps(madeMaker)]).toEqual([true, true]);
    expect([perhaps(taker), perhaps(maker)]).toEqual([false, false]);
    expect(perhaps(withMembers(madeMaker, 'Started', { secret: undefined }))).toBe(true);
  });

  it('has no fees for miners, instructions or secret of a maker', () => {
    const fee = { coin: 'DOC', amount: '1' };
    for (const name of ['fee_to_send_taker_fee', 'taker_payment_trade_fee', 'maker_payment_spend_trade_fee']) {
      expect(perhaps(withMembers(madeTaker, 'Started', { [name]: fee }))).toBe(false);
      expect(perhaps(withMembers(madeTaker, 'Started', { [name]: null }))).toBe(true);
      expect(perhaps(withMembers(madeTaker, 'Started', { [name]: '' }))).toBe(true);
    }
    for (const name of ['maker_payment_trade_fee', 'taker_payment_spend_trade_fee']) {
      expect(perhaps(withMembers(madeMaker, 'Started', { [name]: fee }))).toBe(false);
    }
    expect(perhaps(withMembers(madeMaker, 'Started', { secret: 'ab'.repeat(32) }))).toBe(false);
    expect(perhaps(withMembers(madeTaker, 'Started', { secret: 'ab'.repeat(32) }))).toBe(true);
    expect(perhaps(without(withMembers(taker, 'Started', noFees)))).toBe(false);
    expect(perhaps(without(withMembers(maker, 'Started', { ...noFees, secret: undefined })))).toBe(false);
  });

  it("has the id of its order if it is a taker's, and lists of names since the end of 2021", () => {
    expect(perhaps(withHead(madeTaker, { my_order_uuid: null }))).toBe(false);
    expect(perhaps(withHead(madeMaker, { my_order_uuid: null }))).toBe(true);
    const names = (length: number) => Array.from({ length }, (_, index) => `Event${index}`);
    for (const [log, success, error] of [
      [madeTaker, 10, 13],
      [madeMaker, 11, 13],
    ] as const) {
      expect(perhaps(withHead(log, { success_events: names(success), error_events: names(error) }))).toBe(true);
      expect(perhaps(withHead(log, { success_events: names(success - 1) }))).toBe(false);
      expect(perhaps(withHead(log, { error_events: names(error - 1) }))).toBe(false);
    }
  });

  it('has no details beside its transactions', () => {
    expect(perhaps(withMembers(madeTaker, 'TakerFeeSent', { total_amount: '1' }))).toBe(false);
    expect(perhaps(withMembers(madeTaker, 'TakerFeeSent', { total_amount: '' }))).toBe(true);
  });
});
