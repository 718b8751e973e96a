import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../../machines/journal/context.ts';
import { keepPayment, tellTaken } from '../../../../../src/runtime/swap/effects/keep-payment.ts';
import {
  appended,
  broadcastOf,
  decided,
  event,
  fundedBy,
  looked,
  PAID,
  TAKEN,
} from '../../../../support/effect-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const READY = looked({ funding: fundedBy({ tx: TAKEN }) });
const PAYMENT = preparedOf({ tx: PAID });
const kept = ({ facts, ...rest }: TurnChanges) =>
  decided(keepPayment, turnOf({ ...rest, facts: { ...facts, payments: { maker: READY, ...facts?.payments } } }))[0];
const sends = ({ tx }: PreparedRecord) => broadcastOf('taker', tx, { spends: tx.spends, fee: tx.fee });
const told = appended(event('BroadcastAccepted', { purpose: 'payment', tx_hash: PAID.tx_hash, how: 'sent' }));
const broadcasts = new Map([[PAID.tx_hash, { ok: true, value: 'sent' } as const]]);

describe('an own payment that is to stay on the chain', () => {
  it('is brought back from the log', () => {
    const taken = preparedOf({ tx: PAID, acceptedAt: after(-5) });
    const journal = { prepared: { payment: [taken] } };
    expect(kept({ journal })).toStrictEqual(sends(taken));
    // An answer that is kept for something else is no reason to note it again.
    expect(kept({ journal, facts: { broadcasts } })).toStrictEqual(sends(taken));
    expect(kept({ journal, facts: { payments: { maker: null } } })).toStrictEqual(sends(taken));
  });

  it('that was seen before any node took it has its first answer noted', () => {
    const journal = { prepared: { payment: [PAYMENT] } };
    expect(kept({ journal })).toStrictEqual(sends(PAYMENT));
    expect(kept({ journal, facts: { broadcasts } })).toStrictEqual(told);
    expect(kept({ journal, facts: { broadcasts, payments: { maker: null } } })).toStrictEqual(told);
  });

  it('goes out for the first time only if it may be paid; a maker is not held to that', () => {
    const journal = { prepared: { payment: [PAYMENT] } };
    const facts = { payments: { maker: looked() } };
    expect(kept({ journal, facts })).toBeNull();
    expect(kept({ journal, facts: { payments: { maker: null } } })).toMatchObject({ key: 'maker:payment' });
    const swap = { role: 'maker', own: 'maker', other: 'taker' } as const;
    expect(kept({ journal, facts, swap })).toStrictEqual({ ...sends(PAYMENT), leg: 'maker', key: expect.any(String) });
  });

  it('in a log from elsewhere is broadcast again if the log holds its bytes', () => {
    expect(kept({ swap: { ownPayment: PAID } })).toStrictEqual(broadcastOf('taker', PAID));
    expect(kept({ swap: { ownPayment: { ...PAID, tx_hex: '' } } })).toBeNull();
    expect(kept({})).toBeNull();
  });
});

it('a node that has just taken the own payment is noted, and nothing else', () => {
  const journal = { prepared: { payment: [PAYMENT] } };
  const noted = (changes: TurnChanges) => decided(tellTaken, turnOf(changes))[0];
  expect(noted({ journal, facts: { broadcasts } })).toStrictEqual(told);
  const refused = new Map([[PAID.tx_hash, { ok: false, fault: { kind: 'feeTooLow', message: '' } } as const]]);
  expect(noted({ journal, facts: { broadcasts: refused } })).toBeNull();
  expect(noted({ journal })).toBeNull();
  expect(noted({ journal: { prepared: { refund: [PAYMENT] } }, facts: { broadcasts } })).toBeNull();
});
