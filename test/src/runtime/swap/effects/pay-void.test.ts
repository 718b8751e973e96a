import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../../machines/journal/context.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import { findOwnPayment, voidPayment } from '../../../../../src/runtime/swap/effects/pay.ts';
import {
  appended,
  asked,
  broadcastOf,
  decided,
  event,
  found,
  fundedBy,
  looked,
  PAID,
  requested,
  SAID,
  wantOf,
} from '../../../../support/effect-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const POLICY = { confirmationPoll: 40, refundPoll: 70, bumpAfter: 600 };
const PAYMENT = preparedOf({ tx: PAID, urgency: 2 });
const CLOSING = [event('closed', 1)];
const LATER = [null, 40_000];

const voidOf = (changes: Parameters<typeof preparedOf>[0] = {}) =>
  preparedOf({ acceptedAt: after(-5), urgency: 3, ...changes, tx: { tx_hash: 'f0' } });

const voided = (
  view: Parameters<typeof found>[1],
  made: PreparedRecord[] = [],
  { facts, ...rest }: TurnChanges = {},
) => {
  const journal = { prepared: { payment: [PAYMENT], void: made } };
  const transactions = found(PAID.tx_hash, view);
  return decided(
    (turn) => voidPayment(turn, PAYMENT, CLOSING),
    turnOf({ policy: POLICY, journal, ...rest, facts: { transactions, ...facts } }),
  );
};

const signing = (target: PreparedRecord, urgency: number) => {
  const request = { purpose: 'void', target: target.tx, urgency } as const;
  return asked('taker', { op: 'prepare', request, key: 'prepare:void' });
};

const hash = PAID.tx_hash;

describe('an own payment that came too late', () => {
  it('is looked for as often as confirmations are', () => {
    const look = asked('taker', { op: 'transaction', hash, key: `transaction:${hash}` });
    expect(voided({}, [], { facts: { transactions: new Map() } })[0]).toStrictEqual(look);
    expect(voided({}, [], { facts: { transactions: found(hash, {}, 40_001) } })[0]).toStrictEqual(look);
    const soon = { transactions: found(hash, { status: 'conflicted' }, 40_000) };
    expect(voided({}, [voidOf()], { facts: soon })).toEqual([null, 1]);
  });

  it.each(['conflicted', 'reverted'] as const)(
    'is settled when it is %s for good, and then the swap is closed',
    (status) => {
      const settled = (tx_hash: string | null) => {
        const data = { payment: 'taker', how: 'voided', by: 'self', tx_hash, confirmations: 3 };
        return appended(event('PaymentSettled', data), ...CLOSING);
      };
      expect(voided({ status, confirmations: 3 })[0]).toStrictEqual(settled(null));
      expect(voided({ status, confirmations: 3 }, [voidOf()])[0]).toStrictEqual(settled('f0'));
      expect(voided({ status, confirmations: 2 }, [voidOf()])).toEqual(LATER);
    },
  );

  it('is made impossible at a higher price; the first try names the payment', () => {
    for (const status of ['unknown', 'mempool', 'confirmed'] as const) {
      expect(voided({ status, confirmations: 9 })[0]).toStrictEqual(signing(PAYMENT, 3));
    }
    const made = { tx_hex: 'f0', tx_hash: 'f0', spends: ['x'], fee: '0.1' as DecimalText };
    const facts = { transactions: found(hash, {}), prepared: new Map([['void', made] as const]) };
    expect(voided({}, [], { facts })[0]).toStrictEqual(
      appended(
        event('TransactionPrepared', { purpose: 'void', tx: made, target: hash, urgency: 3 }),
        event('BroadcastAttempted', { purpose: 'void', tx_hash: 'f0' }),
      ),
    );
  });
});

describe('a payment that came too late', () => {
  it('has its replacement broadcast', () => {
    const open = voidOf({ acceptedAt: null });
    expect(voided({}, [open])[0]).toStrictEqual(
      broadcastOf('taker', open.tx, { spends: open.tx.spends, fee: open.tx.fee }),
    );
    expect(voided({ status: 'conflicted' }, [voidOf()])).toEqual(LATER);
  });
});

describe('after a log that says that the payment was not sent', () => {
  const attempted = { prepared: { payment: [PAYMENT] } };
  const finished = event('Finished');
  const finding = (changes: TurnChanges, view: Parameters<typeof looked>[0] = {}) => {
    const facts = { payments: { taker: looked(view, 40_000) }, ...changes.facts };
    const given = turnOf({ policy: POLICY, events: SAID, ...changes, facts });
    return decided((turn) => findOwnPayment(turn, wantOf('findOwnPayment')), given);
  };

  it('the swap is over if the payment was made impossible, or nobody can have it', () => {
    const settled = { taker: { how: 'voided' } as never };
    expect(finding({ journal: { ...attempted, settled } })[0]).toStrictEqual(appended(finished));
    const never = { request: requested(), prepared: { payment: [preparedOf({ attemptedAt: null })] } };
    expect(finding({ journal: never })[0]).toStrictEqual(appended(finished));
    const theirs = { maker: { how: 'voided' } as never };
    expect(finding({ journal: { ...attempted, settled: theirs } })[0]).toMatchObject({ kind: 'ask' });
  });

  it('a payment that is on the chain continues', () => {
    const sent = appended(event('ownSent', PAID));
    expect(finding({ journal: { request: requested(), ...attempted } }, { funding: fundedBy() })[0]).toStrictEqual(
      sent,
    );
    expect(finding({}, { funding: fundedBy(), refundable: true })[0]).toStrictEqual(sent);
  });

  it('the chain is asked as often as confirmations are', () => {
    expect(finding({ facts: { payments: { taker: looked({}, 40_001) } } })[0]).toMatchObject({ key: 'taker:payment' });
    expect(finding({})).toEqual([null, 1]);
  });

  it('a payment that somebody may have is made impossible, without an end of its own', () => {
    expect(finding({ journal: attempted })[0]).toMatchObject({ question: { op: 'transaction' } });
    const facts = {
      payments: { taker: looked() },
      transactions: found(PAID.tx_hash, { status: 'conflicted', confirmations: 3 }),
    };
    const data = { payment: 'taker', how: 'voided', by: 'self', tx_hash: null, confirmations: 3 };
    expect(finding({ journal: attempted, facts })[0]).toStrictEqual(appended(event('PaymentSettled', data)));
  });

  it('a payment that the log does not hold is over when its lock ends', () => {
    const data = { payment: 'taker', how: 'voided', by: 'chain', tx_hash: null, confirmations: 0 };
    expect(finding({}, { refundable: true })[0]).toStrictEqual(appended(event('PaymentSettled', data), finished));
    expect(finding({ facts: { payments: { taker: looked() } } })).toEqual([null, 40_001]);
    const patient = { policy: { ...POLICY, refundPoll: 30 }, facts: { payments: { taker: looked() } } };
    expect(finding(patient)).toEqual([null, 30_000]);
  });
});
