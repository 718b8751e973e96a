import { describe, expect, it } from 'vitest';
import { guard, recover, recoverUnfinished } from '../../../../../src/runtime/swap/effects/finished.ts';
import {
  appended,
  decided,
  event,
  failed,
  found,
  fundedBy,
  looked,
  PAID,
  requested,
  SAID,
  SECRET,
  spentWith,
  TAKEN,
  takerContext,
} from '../../../../support/effect-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const POLICY = { refundPoll: 40, spendPoll: 20, guardFor: 1000, bumpAfter: 600 };
const OTHER = { tx_hex: 'bb00', tx_hash: 'bb'.repeat(32) };
const KNOWING = takerContext({ secret: SECRET, takerPayment: PAID, makerPayment: OTHER });
const BLIND = takerContext({ takerPayment: PAID, makerPayment: OTHER });

/** A finished swap of a taker that knows the secret. */
const finished = ({ swap, ...rest }: TurnChanges = {}) => {
  const own = { state: 'finished', ownPayment: PAID, otherPayment: OTHER, lastEventAt: after(-900), ...swap };
  return turnOf({ policy: POLICY, events: SAID, context: KNOWING, ...rest, swap: { ...own, secret: SECRET } });
};
const ordered = (changes: TurnChanges = {}) => decided(recover, finished(changes));
const refuses = (reason: unknown) => appended(event('RecoveryRefused', { reason }));

const sees = (maker: Parameters<typeof looked>[0] | null, taker: Parameters<typeof looked>[0] | null = null) => ({
  payments: { maker: maker === null ? null : looked(maker), taker: taker === null ? null : looked(taker) },
});
const spent = (how: 'secret' | 'refund', confirmations: number, changes: object = {}) => ({
  funding: fundedBy(),
  spend: spentWith(how, { confirmations, ...changes }),
});
const settled = (data: object) =>
  event('PaymentSettled', {
    payment: 'maker',
    how: 'claimed',
    by: 'self',
    tx_hash: TAKEN.tx_hash,
    confirmations: 3,
    ...data,
  });
const ownClaim = { prepared: { claim: [preparedOf(), preparedOf({ tx: TAKEN })] } };
const ownRefund = { prepared: { refund: [preparedOf(), preparedOf({ tx: TAKEN })] } };

describe('an order to recover', () => {
  it('needs the terms of both payments once the swap has started', () => {
    const reason = 'The log does not hold the terms of the payments, so that they cannot be searched for';
    for (const unknown of [{ ownTerms: null }, { otherTerms: null }]) {
      expect(ordered({ swap: unknown })[0]).toStrictEqual(refuses(reason));
      const never = { swap: { ...unknown, startedAt: null }, context: takerContext({ started: null }) };
      expect(ordered(never)[0]).toStrictEqual(refuses('Taker payment is not found, swap is not recoverable'));
    }
  });

  it('does what is legal', () => {
    expect(ordered({ facts: sees({ funding: fundedBy({ tx: OTHER }) }) })[0]).toMatchObject({
      key: 'maker:prepare:claim',
    });
    const refundable = sees(null, { funding: fundedBy(), refundable: true });
    expect(ordered({ context: BLIND, facts: refundable })[0]).toMatchObject({ key: 'taker:prepare:refund' });
  });

  it('waits for a lock, for a chain that refunds automatically, and for one that does not answer', () => {
    const open = sees(null, { funding: fundedBy() });
    expect(ordered({ context: BLIND, facts: open })).toMatchObject([null, 20_001]);
    const patient = { ...POLICY, spendPoll: 90 };
    expect(ordered({ context: BLIND, facts: open, policy: patient })).toEqual([null, 40_000]);
    const traits = { taker: { refund: 'automatic' } } as const;
    expect(ordered({ context: BLIND, facts: open, policy: patient, traits })).toEqual([null, 40_000]);
    expect(ordered({ facts: { tries: failed('maker:payment') } })).toEqual([null, 40_000]);
  });

  it('is refused where nothing is left to do', () => {
    const gone = { ...sees(null, {}), transactions: found(PAID.tx_hash, { status: 'reverted', confirmations: 3 }) };
    const refusal = refuses('Taker payment is not found, swap is not recoverable');
    expect(ordered({ context: BLIND, facts: gone })[0]).toStrictEqual(refusal);
    const payments = { ...gone.payments, maker: looked(spent('refund', 3)) };
    expect(ordered({ context: BLIND, facts: { ...gone, payments } })[0]).toStrictEqual(refusal);
  });
});

const recovered = (action: string, coin: string, tx: unknown = TAKEN) => event('FundsRecovered', { action, coin, tx });
const byRefund = { payment: 'taker', how: 'refunded' };
const refund = (changes: object = {}) => sees(null, spent('refund', 3, changes));

describe('what an order to recover has brought', () => {
  it('is recorded once the claim is final', () => {
    const facts = sees(spent('secret', 1));
    expect(ordered({ journal: ownClaim, facts })).toEqual([null, 20_000]);
    expect(ordered({ journal: ownClaim, facts: sees(spent('secret', 2)) })[0]).toStrictEqual(
      appended(settled({ confirmations: 2 }), recovered('SpentOtherPayment', 'DOC')),
    );
  });

  it('is nothing if somebody else’s claim was there already', () => {
    const reason = `Maker payment was already spent by DOC tx ${TAKEN.tx_hash}`;
    expect(ordered({ facts: sees(spent('secret', 3)) })[0]).toStrictEqual(
      appended(settled({}), event('RecoveryRefused', { reason })),
    );
    const nameless = sees(spent('secret', 3, { tx: null }));
    expect(ordered({ journal: ownClaim, facts: nameless })[0]).toMatchObject({
      events: [{ type: 'PaymentSettled' }, { type: 'RecoveryRefused' }],
    });
  });

  it('is the refund, its own or the chain’s', () => {
    expect(ordered({ context: BLIND, journal: ownRefund, facts: refund() })[0]).toStrictEqual(
      appended(settled(byRefund), recovered('RefundedMyPayment', 'MARTY')),
    );
    expect(ordered({ context: BLIND, facts: refund({ tx: null }) })[0]).toStrictEqual(
      appended(settled({ ...byRefund, by: 'chain', tx_hash: null }), recovered('RefundedMyPayment', 'MARTY', null)),
    );
    const reason = `Taker payment has been refunded already by transaction ${TAKEN.tx_hash}`;
    expect(ordered({ context: BLIND, facts: refund(), swap: { watched: true } })[0]).toStrictEqual(
      appended(settled({ ...byRefund, by: 'watcher' }), event('RecoveryRefused', { reason })),
    );
  });

  it('is nothing if the other side has both payments', () => {
    const lost = sees(spent('refund', 3), spent('secret', 3));
    expect(ordered({ facts: lost, journal: ownRefund })[0]).toStrictEqual(
      appended(
        settled({ how: 'refunded', by: 'counterparty' }),
        event('RecoveryRefused', { reason: `Maker payment was already refunded by DOC tx ${TAKEN.tx_hash}` }),
      ),
    );
  });

  it('is recorded only in the journal after the end of the swap', () => {
    const journal = { ...ownClaim, recoverSince: after(-5) };
    const facts = sees(spent('secret', 3));
    expect(decided(guard, finished({ journal, facts }))[0]).toMatchObject({
      events: [{ type: 'PaymentSettled' }, { type: 'FundsRecovered' }],
    });
    const claim = preparedOf({ tx: TAKEN, target: OTHER.tx_hash });
    const broadcasts = new Map([[TAKEN.tx_hash, { ok: true, value: 'sent' } as const]]);
    const open = { ...sees({ funding: fundedBy({ tx: OTHER }) }), broadcasts };
    const order = { prepared: { claim: [claim] }, recoverSince: after(-5) };
    expect(decided(guard, finished({ journal: order, facts: open }))[0]).toStrictEqual(
      appended(event('BroadcastAccepted', { purpose: 'claim', tx_hash: TAKEN.tx_hash, how: 'sent' })),
    );
  });
});

const undone = { maker: { payment: 'maker' } as never };
const repaired = ({ journal, ...changes }: TurnChanges) =>
  decided(guard, finished({ journal: { reorged: undone, ...journal }, ...changes }));

describe('a swap whose end was undone', () => {
  it('is brought to an end again, however long ago it ended', () => {
    const facts = sees({ funding: fundedBy({ tx: OTHER }) });
    expect(repaired({ facts, swap: { lastEventAt: after(-9000) } })[0]).toMatchObject({ key: 'maker:prepare:claim' });
    const taker = { maker: null, taker: { payment: 'taker' } as never };
    expect(repaired({ facts, journal: { reorged: taker } })[0]).toMatchObject({ key: 'maker:prepare:claim' });
  });

  it('is also open if the other side has its payment back and the own one is not settled', () => {
    const theirs = { maker: { how: 'refunded' } as never };
    const facts = sees(spent('refund', 9), { funding: fundedBy(), refundable: true });
    const open = { journal: { settled: theirs }, facts };
    expect(decided(guard, finished(open))[0]).toMatchObject({ key: 'taker:prepare:refund' });
    const closed = { journal: { settled: { ...theirs, taker: { how: 'claimed' } as never } }, facts };
    expect(decided(guard, finished(closed))[0]).toEqual({ kind: 'done' });
    const claimed = { journal: { settled: { maker: { how: 'claimed', confirmations: 3 } as never } }, facts };
    expect(decided(guard, finished(claimed))[0]).toMatchObject({ events: [{ type: 'PaymentReorged' }] });
  });

  it('records a claim as soon as it is final again, once', () => {
    expect(repaired({ facts: sees(spent('secret', 1)) })).toEqual([null, 20_000]);
    const final = sees(spent('secret', 2));
    expect(repaired({ facts: final })[0]).toStrictEqual(appended(settled({ confirmations: 2 })));
    expect(repaired({ facts: final, journal: { settled: { maker: { how: 'claimed' } as never } } })).toEqual([
      null,
      20_000,
    ]);
    const other = { settled: { maker: { how: 'refunded' } as never } };
    expect(repaired({ facts: final, journal: other })[0]).toStrictEqual(appended(settled({ confirmations: 2 })));
  });

  it('records the other side’s claim of the own payment only if that payment is open', () => {
    const facts = sees({ funding: fundedBy({ tx: OTHER }) }, spent('secret', 3));
    expect(repaired({ facts })[0]).toMatchObject({ key: 'maker:prepare:claim' });
    const own = { maker: null, taker: { payment: 'taker' } as never };
    const claimed = settled({ payment: 'taker', by: 'counterparty' });
    expect(repaired({ facts, journal: { reorged: own } })[0]).toStrictEqual(appended(claimed));
    const theirs = { settled: { maker: { how: 'refunded' } as never } };
    const lost = sees(spent('refund', 3), spent('secret', 3));
    expect(repaired({ facts: lost, journal: { ...theirs } })[0]).toStrictEqual(appended(claimed));
  });
});

describe('a swap whose end was undone and that cannot act at once', () => {
  it('waits for a payment that another node has to bring back, as long as it is watched', () => {
    const transactions = found(OTHER.tx_hash, { status: 'conflicted', confirmations: 3 });
    const facts = { ...sees({}, spent('secret', 3)), transactions };
    const patient = { policy: { ...POLICY, spendPoll: 90 } };
    expect(repaired({ ...patient, facts, swap: { lastEventAt: after(-1060) } })).toEqual([null, 40_000]);
    expect(repaired({ ...patient, facts, swap: { lastEventAt: after(-1061) } })[0]).toEqual({ kind: 'done' });
  });

  it('makes an own payment that is gone permanently impossible', () => {
    const payment = preparedOf({ tx: PAID });
    const transactions = found(PAID.tx_hash, { status: 'reverted', confirmations: 3 });
    const facts = { ...sees(null, {}), transactions };
    const data = { payment: 'taker', how: 'voided', by: 'self', tx_hash: null, confirmations: 3 };
    const journal = { prepared: { payment: [payment] } };
    expect(repaired({ context: BLIND, facts, journal })[0]).toStrictEqual(appended(event('PaymentSettled', data)));
    expect(repaired({ context: BLIND, facts, policy: { ...POLICY, spendPoll: 90 } })).toEqual([null, 40_000]);
    // A step that only public events tell of is none after the end.
    expect(repaired({ context: BLIND, facts, journal, swap: { state: 'waitingForRefund' } })[0]).toBeNull();
  });

  it('reports once that an own payment was made impossible, and watches what made it so', () => {
    const voided = { how: 'voided', tx_hash: null, confirmations: 3 } as never;
    const journal = { prepared: { payment: [preparedOf({ tx: PAID })] }, settled: { taker: voided } };
    const stands = (status: 'conflicted' | 'mempool', confirmations: number) => {
      const facts = { ...sees(null, {}), transactions: found(PAID.tx_hash, { status, confirmations }) };
      return repaired({ context: BLIND, policy: { ...POLICY, spendPoll: 90, guardFactor: 2 }, facts, journal });
    };
    expect(stands('conflicted', 3)).toEqual([null, 40_000]);
    expect(stands('conflicted', 6)[0]).toEqual({ kind: 'done' });
    // It may come back: whoever has its bytes can bring it.
    expect(stands('mempool', 0)[0]).toBeNull();
  });

  it('waits for a lock as long as for a refund', () => {
    const policy = { ...POLICY, spendPoll: 90 };
    const facts = sees(null, { funding: fundedBy() });
    for (const lastEventAt of [after(-900), after(-9000)]) {
      expect(repaired({ context: BLIND, policy, facts, swap: { lastEventAt } })).toEqual([null, 40_000]);
    }
  });
});

describe('what a swap whose end was undone has in the mempool', () => {
  const helped = (changes: TurnChanges) =>
    decided(guard, finished({ ...changes, journal: { reorged: undone, ...changes.journal } }));
  const old = { tx: TAKEN, attemptedAt: after(-900), preparedAt: after(-900), target: PAID.tx_hash };

  it('is replaced by a variant that pays more, whether it is a claim or a refund', () => {
    const claim = { prepared: { claim: [preparedOf(old)] } };
    expect(helped({ journal: claim, facts: sees(spent('secret', 0)) })[0]).toMatchObject({
      key: 'maker:prepare:claim',
    });
    const refund = { prepared: { refund: [preparedOf(old)] } };
    const facts = sees(null, { ...spent('refund', 0), refundable: true });
    expect(helped({ context: BLIND, journal: refund, facts })[0]).toMatchObject({ key: 'taker:prepare:refund' });
  });

  it('is left alone once it is in a block', () => {
    const claim = { prepared: { claim: [preparedOf(old)] } };
    expect(helped({ journal: claim, facts: sees(spent('secret', 1)) })).toEqual([null, 20_000]);
    const refund = { prepared: { refund: [preparedOf(old)] } };
    expect(helped({ context: BLIND, journal: refund, facts: sees(null, spent('refund', 1)) })).toEqual([null, 20_000]);
  });
});

describe('an order on a swap that is not over', () => {
  const unfinished = ({ journal, swap, ...rest }: TurnChanges = {}) =>
    decided(
      recoverUnfinished,
      turnOf({
        policy: POLICY,
        context: takerContext({ makerPayment: OTHER }),
        ...rest,
        journal: { request: requested(), ...journal },
        swap: { otherPayment: OTHER, ...swap },
      }),
    )[0];
  const none = sees(null, {});

  it('is refused if there is nothing to recover', () => {
    expect(unfinished({ facts: none })).toStrictEqual(refuses('Taker payment is not found, swap is not recoverable'));
    const signed = { prepared: { payment: [preparedOf({ attemptedAt: null })] } };
    expect(unfinished({ facts: none, journal: signed })).toMatchObject({ events: [{ type: 'RecoveryRefused' }] });
    const before = takerContext({ started: null });
    expect(unfinished({ context: before })).toMatchObject({ events: [{ type: 'RecoveryRefused' }] });
  });

  it('is left to the swap itself if its payment may be out, or the log came from elsewhere', () => {
    const gone = { ...none, missingSince: { taker: 1 } };
    expect(unfinished({ facts: gone, journal: { request: null } })).toBeNull();
    expect(unfinished({ facts: gone, journal: { prepared: { payment: [preparedOf()] } } })).toBeNull();
    expect(unfinished({ facts: gone, swap: { ownPayment: PAID } })).toBeNull();
  });

  it('asks the chains, and does nothing else', () => {
    expect(unfinished()).toMatchObject({ kind: 'ask', key: 'taker:payment' });
    expect(unfinished({ facts: { tries: failed('taker:payment') } })).toBeNull();
    const refundable = sees(null, { funding: fundedBy(), refundable: true });
    expect(unfinished({ facts: refundable })).toBeNull();
    expect(unfinished({ facts: sees(null, { funding: fundedBy() }) })).toBeNull();
    const knowing = takerContext({ secret: SECRET, makerPayment: OTHER });
    const missing = { ...sees({}), transactions: found(OTHER.tx_hash, {}) };
    expect(unfinished({ context: knowing, facts: missing })).toMatchObject({ question: { op: 'broadcast' } });
  });
});
