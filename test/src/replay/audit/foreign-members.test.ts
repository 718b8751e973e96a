import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { foreignMembersRule } from '../../../../src/replay/audit/foreign-members.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { judge, notCheckable, verified, violated, withMembers } from '../../../support/audited.ts';

const { taker, maker } = buildSwapPair({ seed: 201 });
const FEE = 2;

/** Eight members of other events, as a program leaves them that stores every event in one shape. */
const EIGHT = {
  lock_duration: 0,
  maker_amount: '',
  maker_coin: '',
  started_at: 0,
  uuid: '',
  error: '',
  transaction: null,
  maker_payment_lock: 0,
};
const DETAILS = [
  ...['block_height', 'coin', 'fee_details', 'from', 'internal_id', 'my_balance_change'],
  ...['received_by_me', 'spent_by_me', 'timestamp', 'to', 'total_amount'],
];
const empty = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '']));
const united = (members: object = {}, log: SwapLog = taker) =>
  judge(foreignMembersRule, withMembers(log, 'TakerFeeSent', { ...EIGHT, ...members }));
const all = (count: number) => verified(FEE, `${count} members of other events, all empty`);

describe('members of other events', () => {
  it('are the mark of another program from eight on', () => {
    expect(united()).toEqual([all(8)]);
    expect(united({ maker_payment_lock: undefined })).toEqual([]);
    expect(judge(foreignMembersRule, taker)).toEqual([]);
    expect(judge(foreignMembersRule, maker)).toEqual([]);
  });

  it('are empty in every spelling of empty', () => {
    for (const value of [null, '', 0, false]) expect(united({ lock_duration: value })).toEqual([all(8)]);
  });

  it('one alone that has a value was changed', () => {
    for (const value of ['x', 7, true, [], {}, '0']) {
      expect(united({ lock_duration: value })).toEqual([
        violated(FEE, { expected: 'no lock_duration', found: 'a value', reason: 'TakerFeeSent' }),
      ]);
    }
  });

  it('several that have a value may be the habit of a program', () => {
    const reason = (name: string, type: string) => `${name}, which does not belong to ${type}, has a value`;
    expect(united({ lock_duration: 7, uuid: 'x' })).toEqual([
      notCheckable(FEE, reason('lock_duration', 'TakerFeeSent')),
      notCheckable(FEE, reason('uuid', 'TakerFeeSent')),
    ]);
    const two = withMembers(taker, 'MakerPaymentReceived', { ...EIGHT, started_at: 9 });
    expect(united({ uuid: 'x' }, two)).toEqual([
      notCheckable(FEE, reason('uuid', 'TakerFeeSent')),
      notCheckable(4, reason('started_at', 'MakerPaymentReceived')),
    ]);
  });

  it('are not the own ones, nor names that no event has', () => {
    expect(united({ tx_hex: 'ab', unheard: 'x' })).toEqual([all(8)]);
    const events = taker.events.map((event) =>
      event.type === 'TakerFeeSent' ? { ...event, known: false, data: { ...EIGHT, uuid: 'x' } } : event,
    );
    expect(judge(foreignMembersRule, { ...taker, events })).toEqual([]);
  });
});

describe('details of a transaction', () => {
  it('belong to an event with a transaction', () => {
    expect(united({ ...empty(DETAILS), coin: 'MARTY' })).toEqual([all(8)]);
  });

  it('are foreign in other events', () => {
    const other = (members: object) => judge(foreignMembersRule, withMembers(taker, 'Negotiated', { ...members }));
    expect(other(empty(DETAILS))).toEqual([verified(1, '11 members of other events, all empty')]);
    for (const name of DETAILS) {
      expect(other({ ...empty(DETAILS), [name]: 'x' })).toEqual([
        violated(1, { expected: `no ${name}`, found: 'a value', reason: 'Negotiated' }),
      ]);
    }
  });

  it('are foreign beside a transaction that is one level down', () => {
    const spent = (members: object) =>
      judge(foreignMembersRule, withMembers(taker, 'TakerPaymentSpent', { ...EIGHT, ...members }));
    const transaction = { tx_hex: 'ab', tx_hash: 'cd' };
    expect(spent({ ...empty(DETAILS), transaction })).toEqual([verified(8, '18 members of other events, all empty')]);
    const nested = { ...empty(DETAILS), transaction: { tx_hex: 'ab' } };
    expect(united(nested)[0]).toMatchObject({ status: 'violated', expected: 'no transaction' });
    expect(united({ ...empty(DETAILS), transaction: {} })[0]).toMatchObject({ expected: 'no transaction' });
    expect(united({ ...nested, coin: 'x' })).toHaveLength(2);
    expect(united({ ...nested, transaction: { other: 1 }, coin: 'x' })).toHaveLength(1);
  });
});

describe('the fee of an EVM transaction', () => {
  const fee = (members: object) => united({ fee_details: { amount: '0.1', ...members } });

  it('is foreign beside the fee of a UTXO transaction', () => {
    expect(fee({ gas: 0, gas_price: '', total_fee: null })).toEqual([all(8)]);
    for (const name of ['gas', 'gas_price', 'total_fee']) {
      expect(fee({ [name]: 5 })).toEqual([
        violated(FEE, { expected: `no ${name}`, found: 'a value', reason: 'TakerFeeSent' }),
      ]);
      expect(united({ fee_details: { amount: '', [name]: 5 } })).toEqual([all(8)]);
      expect(united({ fee_details: { amount: 1, [name]: 5 } })).toEqual([all(8)]);
      expect(united({ fee_details: { [name]: 5 } })).toEqual([all(8)]);
    }
  });

  it('is also searched for in a transaction that is one level down', () => {
    const spent = (fee_details: unknown, beside: unknown = undefined) => {
      const transaction = { tx_hex: 'ab', tx_hash: 'cd', fee_details };
      const { transaction: _, ...others } = EIGHT;
      const members = { ...others, taker_pubkey: '', transaction, fee_details: beside };
      return judge(foreignMembersRule, withMembers(taker, 'TakerPaymentSpent', members));
    };
    expect(spent({ amount: '0.1', gas: 5 })).toEqual([
      violated(8, { expected: 'no gas', found: 'a value', reason: 'TakerPaymentSpent' }),
    ]);
    expect(spent({ amount: '0.1', gas: 0 })[0]?.status).toBe('verified');
    expect(spent({ amount: '', gas: 5 })[0]?.status).toBe('verified');
  });
});
