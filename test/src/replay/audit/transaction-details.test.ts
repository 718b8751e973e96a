import { describe, expect, it } from 'vitest';
import { transactionDetailsRule } from '../../../../src/replay/audit/transaction-details.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import {
  judge,
  notCheckable,
  ONE_JOIN_SPLIT,
  transactionOf,
  verified,
  violated,
  withMembers,
  withTransaction,
} from '../../../support/audited.ts';
import { storedEvm } from '../../../support/evm-transactions.ts';

const { taker, transactions } = buildSwapPair({ seed: 181 });
const FEE = 2;
const id = transactions.takerFee().tx_hash;
const change = transactionOf(taker, 'TakerFeeSent').outputs.reduce((sum, { value }) => sum + value, 0n);

/** Satoshi as an amount of coins. */
const coins = (units: bigint) => (Number(units) / 1e8).toFixed(8);

function detailed(members: object, log = taker) {
  return judge(transactionDetailsRule, withMembers(log, 'TakerFeeSent', { coin: 'MARTY', ...members }));
}

const COIN = verified(FEE, 'MARTY');

describe('the coin and the id beside a transaction', () => {
  it('are looked for only if a release stored details', () => {
    expect(judge(transactionDetailsRule, taker)).toEqual([]);
    expect(detailed({})).toEqual([COIN]);
    expect(detailed({ coin: '', internal_id: 'x' })).toEqual([]);
  });

  it('are the coin of the payer', () => {
    expect(detailed({ coin: 'DOC' })).toEqual([violated(FEE, { expected: 'MARTY', found: 'DOC', reason: 'coin' })]);
    const both = withMembers(withMembers(taker, 'MakerPaymentReceived', { coin: 'DOC' }), 'MakerPaymentSpent', {
      coin: 'MARTY',
    });
    expect(judge(transactionDetailsRule, both)).toEqual([
      verified(4, 'DOC'),
      violated(9, { expected: 'DOC', found: 'MARTY', reason: 'coin' }),
    ]);
    expect(detailed({}, withMembers(taker, 'Started', { taker_coin: undefined }))).toEqual([
      notCheckable(FEE, 'the log does not name the coin'),
    ]);
  });

  it('are the id of a UTXO transaction; other texts of another length are numbers of a program', () => {
    expect(detailed({ internal_id: id })).toEqual([COIN, verified(FEE, id)]);
    const found = '11'.repeat(32);
    expect(detailed({ internal_id: found })).toEqual([
      COIN,
      violated(FEE, { expected: id, found, reason: 'internal_id' }),
    ]);
    for (const internal_id of ['', '12', undefined, 5]) expect(detailed({ internal_id })).toEqual([COIN]);
    const evm = storedEvm({ to: 'aa'.repeat(20) });
    expect(detailed({ ...evm, internal_id: found })).toEqual([COIN]);
  });
});

describe('the change of the balance', () => {
  const balance = (my_balance_change: unknown, received_by_me: unknown, spent_by_me: unknown) =>
    detailed({ my_balance_change, received_by_me, spent_by_me }).slice(1);

  it('is what was received less what was spent', () => {
    expect(balance('-0.5', '1', '1.5')).toEqual([verified(FEE, '-0.5')]);
    expect(balance('0.50', '2', '1.5')).toEqual([verified(FEE, '0.50')]);
    expect(balance('0.5', '1', '1.5')).toEqual([
      violated(FEE, { expected: '-0.5', found: '0.5', reason: 'my_balance_change' }),
    ]);
  });

  it('is exact in texts alone: numbers were rounded', () => {
    const rounded = notCheckable(FEE, 'my_balance_change was rounded by the release that wrote it');
    expect(balance(-0.4, '1', '1.5')).toEqual([rounded]);
    expect(balance('-0.4', 1, '1.5')).toEqual([rounded]);
    expect(balance('-0.4', '1', 1.5)).toEqual([rounded]);
    expect(balance(-0.5, 1, 1.5)).toEqual([verified(FEE, '-0.5')]);
  });

  it('needs all three members', () => {
    expect(balance(undefined, '1', '1.5')).toEqual([]);
    expect(balance('1', undefined, '1.5')).toEqual([]);
    expect(balance('1', '1', undefined)).toEqual([]);
  });

  it('is a decimal number, as every amount is', () => {
    for (const name of ['my_balance_change', 'received_by_me', 'spent_by_me', 'total_amount']) {
      expect(detailed({ [name]: 'one' })).toEqual([
        COIN,
        violated(FEE, { expected: 'a decimal number', found: 'one', reason: name }),
      ]);
      for (const sound of ['', '1', 1, null]) expect(detailed({ [name]: sound })).toEqual([COIN]);
    }
  });
});

describe('the total of a transaction', () => {
  const total = (total_amount: unknown, amount: unknown, log = taker) =>
    detailed({ total_amount, fee_details: { amount } }, log).slice(1);
  const [exact, more, less] = [change + 1000n, change + 1001n, change + 999n].map(coins) as [string, string, string];

  it('is the outputs plus the fee', () => {
    expect(total(exact, '0.00001')).toEqual([verified(FEE, exact)]);
    for (const found of [more, less]) {
      const [finding, ...others] = total(found, '0.00001');
      expect(others).toEqual([]);
      expect(finding).toMatchObject({ status: 'violated', found, reason: 'total_amount' });
      expect(Number(finding?.expected)).toBe(Number(exact));
    }
  });

  it('is exact in texts alone', () => {
    const rounded = [notCheckable(FEE, 'total_amount was rounded by the release that wrote it')];
    expect(total(Number(more), '0.00001')).toEqual(rounded);
    expect(total(more, 0.00001)).toEqual(rounded);
  });

  it('is unknown without the fee, the total or all outputs', () => {
    expect(total(undefined, '0.00001')).toEqual([]);
    expect(total(more, undefined)).toEqual([]);
    expect(total(more, '0.00001', withMembers(taker, 'TakerFeeSent', { tx_hex: '00' }))).toEqual([]);
    const shielded = ONE_JOIN_SPLIT;
    expect(
      total(
        more,
        '0.00001',
        withTransaction(taker, 'TakerFeeSent', () => ({ shielded })),
      ),
    ).toEqual([]);
  });

  it('is less on Komodo by the interest, which is at most 6 per cent', () => {
    const outputs = [{ value: 106_000_000n, script: Uint8Array.of(0x51) }];
    const komodo = withTransaction(taker, 'TakerFeeSent', () => ({ outputs }));
    const paid = (total_amount: string, coin = 'KMD') =>
      detailed({ coin, total_amount, fee_details: { amount: '0' } }, komodo)[1];
    const interest = notCheckable(FEE, 'the outputs hold more than the inputs, which may be interest of Komodo');
    expect(paid('1')).toEqual(interest);
    expect(paid('1.05999999')).toEqual(interest);
    expect(paid('0.99999999')?.status).toBe('violated');
    expect(paid('1.06')).toEqual(verified(FEE, '1.06'));
    expect(paid('1.06000001')?.status).toBe('violated');
    expect(paid('1', 'MARTY')?.status).toBe('violated');
  });
});
