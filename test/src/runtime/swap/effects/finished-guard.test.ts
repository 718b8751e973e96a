import { describe, expect, it } from 'vitest';
import { guard } from '../../../../../src/runtime/swap/effects/finished.ts';
import {
  appended,
  asked,
  decided,
  event,
  failed,
  found,
  fundedBy,
  inMillis,
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

const POLICY = { refundPoll: 40, spendPoll: 20, guardFor: 1000, guardFactor: 2, bumpAfter: 600 };
const OTHER = { tx_hex: 'bb00', tx_hash: 'bb'.repeat(32) };
const DONE = [{ kind: 'done' }, Number.MAX_SAFE_INTEGER - after(0)];
const LATER = [null, 40_000];

/** A finished swap of a taker. */
const guarded = ({ swap, ...rest }: TurnChanges = {}) => {
  const own = { state: 'finished', ownPayment: PAID, otherPayment: OTHER, lastEventAt: after(-900), ...swap };
  const context = takerContext({ secret: SECRET, takerPayment: PAID, makerPayment: OTHER });
  return decided(guard, turnOf({ policy: POLICY, events: SAID, context, ...rest, swap: own }));
};

const settledAs = (how: string, changes: object = {}) =>
  ({ how, tx_hash: TAKEN.tx_hash, confirmations: 3, ...changes }) as never;
const seenAt = (leg: 'maker' | 'taker', view: Parameters<typeof looked>[0], ago = 0) => ({
  payments: { [leg]: looked(view, ago) },
});
const reorged = (data: object) => appended(event('PaymentReorged', data));

describe('a finished swap', () => {
  it('is watched for as long as the operator wants, and no longer', () => {
    const claim = { claim: TAKEN };
    // Nothing ends before the chain was asked, and then by its own clock, a minute behind the host's.
    expect(guarded({ swap: { ...claim, lastEventAt: after(-9000) } })[0]).toMatchObject({ key: 'maker:payment' });
    const facts = seenAt('maker', { funding: fundedBy(), spend: spentWith('secret', { confirmations: 1 }) });
    const watched = (seconds: number) => guarded({ swap: { ...claim, lastEventAt: after(seconds) }, facts })[0];
    expect(watched(-1060)).toBeNull();
    expect(watched(-1061)).toEqual({ kind: 'done' });
    // Of a chain that is silent, the host's clock is all that is left.
    const silent = { tries: failed('maker:payment') };
    expect(guarded({ swap: { ...claim, lastEventAt: after(-1000) }, facts: silent })[0]).toBeNull();
    expect(guarded({ swap: { ...claim, lastEventAt: inMillis(-1_000_001) }, facts: silent })[0]).toEqual({
      kind: 'done',
    });
  });

  it('that ended without a payment is not watched', () => {
    expect(guarded()).toEqual(DONE);
    expect(guarded({ journal: { settled: { taker: settledAs('claimed') } } })).toEqual(DONE);
  });

  it.each<[string, TurnChanges, string]>([
    ['its claim', { journal: { settled: { maker: settledAs('claimed'), taker: settledAs('refunded') } } }, 'maker'],
    ['its refund', { journal: { settled: { taker: settledAs('refunded') } }, swap: { claim: TAKEN } }, 'taker'],
    [
      'the other’s refund',
      { journal: { settled: { maker: settledAs('refunded'), taker: settledAs('claimed') } }, swap: { refunded: true } },
      'maker',
    ],
    ['the claim of which only the log tells', { swap: { claim: TAKEN, refunded: true } }, 'maker'],
    ['the refund of which only the log tells', { swap: { refunded: true } }, 'taker'],
  ])('is watched at %s', (_, changes, leg) => {
    expect(guarded(changes)[0]).toMatchObject({ kind: 'ask', leg, question: { op: 'payment' } });
  });
});

const claimed = { journal: { settled: { maker: settledAs('claimed') } } };
const shows = (how: 'secret' | 'refund', changes: object = {}) =>
  seenAt('maker', { funding: fundedBy(), spend: spentWith(how, changes) });

describe('the end of a swap that rests on a spend', () => {
  it('is looked at now and then until it is twice as deep as final', () => {
    expect(guarded({ ...claimed, facts: shows('secret', { confirmations: 3 }) })).toEqual(LATER);
    expect(guarded({ ...claimed, facts: shows('secret', { confirmations: 4 }) })[0]).toEqual({ kind: 'done' });
    expect(guarded({ ...claimed, facts: shows('secret', { confirmations: 1 }) })).toEqual(LATER);
    const old = seenAt('maker', { spend: spentWith('secret', { confirmations: 4 }) }, 40_001);
    expect(guarded({ ...claimed, facts: old })[0]).toMatchObject({ kind: 'ask' });
    const aged = seenAt('maker', { spend: spentWith('secret') }, 40_000);
    expect(guarded({ ...claimed, facts: aged })).toEqual([null, 1]);
  });

  it('is settled once it is final, if only the log shows it', () => {
    const swap = { claim: TAKEN };
    expect(guarded({ swap, facts: shows('secret', { confirmations: 1 }) })).toEqual(LATER);
    const data = { payment: 'maker', how: 'claimed', by: 'self', tx_hash: TAKEN.tx_hash, confirmations: 2 };
    expect(guarded({ swap, facts: shows('secret', { confirmations: 2 }) })[0]).toStrictEqual(
      appended(event('PaymentSettled', data)),
    );
    expect(
      guarded({ swap: { ...swap, watched: true }, facts: shows('secret', { confirmations: 3 }) })[0],
    ).toMatchObject({
      events: [{ data: { by: 'watcher' } }],
    });
  });
});

describe('an end that the log holds as deep as it is watched to', () => {
  const gone = seenAt('maker', { funding: fundedBy() });
  const deep = (confirmations: number) => ({ maker: settledAs('claimed', { confirmations }) });

  it('is not undone by a node that hides it from time to time, whose every answer would fill the log', () => {
    expect(guarded({ journal: { settled: deep(4) }, facts: gone })).toEqual(DONE);
    expect(guarded({ journal: { settled: deep(4) } })).toEqual(DONE);
    expect(guarded({ journal: { settled: deep(3) }, facts: gone })[0]).toMatchObject({
      events: [{ type: 'PaymentReorged' }],
    });
  });

  it('is judged by the depth on its own chain, also if a payment was made impossible', () => {
    const prepared = { payment: [preparedOf({ tx: PAID })] };
    const facts = { transactions: found(PAID.tx_hash, { status: 'mempool', confirmations: 0 }) };
    const voidedAt = (confirmations: number) =>
      guarded({ journal: { prepared, settled: { taker: settledAs('voided', { confirmations }) } }, facts });
    expect(voidedAt(6)).toEqual(DONE);
    expect(voidedAt(5)[0]).toMatchObject({ events: [{ type: 'PaymentReorged' }] });
  });
});

describe('the end of a swap that a chain may undo', () => {
  it.each([
    ['is in the mempool again', shows('secret', { confirmations: 0 })],
    ['is gone', seenAt('maker', { funding: fundedBy() })],
    ['is gone with the payment', seenAt('maker', {})],
    ['has made room for the refund', shows('refund', { tx: OTHER, confirmations: 9 })],
    ['has made room for a refund by the chain', shows('refund', { tx: null, confirmations: 9 })],
  ])('is undone if it %s', (_, facts) => {
    const data = { payment: 'maker', tx_hash: TAKEN.tx_hash, confirmations: 0, before: 3 };
    expect(guarded({ ...claimed, facts })[0]).toStrictEqual(reorged(data));
  });

  it('is also undone as a refund, and if only the log recorded it', () => {
    const refunded = { journal: { settled: { taker: settledAs('refunded') } } };
    const taken = seenAt('taker', { funding: fundedBy(), spend: spentWith('secret', { tx: OTHER }) });
    const data = { payment: 'taker', tx_hash: TAKEN.tx_hash, confirmations: 0, before: 3 };
    expect(guarded({ ...refunded, facts: taken })[0]).toStrictEqual(reorged(data));
    const unknown = { ...data, tx_hash: '', before: 0 };
    expect(guarded({ swap: { refunded: true }, facts: taken })[0]).toStrictEqual(reorged(unknown));
    const alone = seenAt('taker', { spend: spentWith('secret', { tx: OTHER }) });
    expect(guarded({ swap: { refunded: true }, facts: alone })[0]).toStrictEqual(reorged(unknown));
    const told = { payment: 'maker', tx_hash: TAKEN.tx_hash, confirmations: 0, before: 0 };
    expect(guarded({ swap: { claim: TAKEN }, facts: shows('refund', { tx: OTHER }) })[0]).toStrictEqual(reorged(told));
    const byItself = shows('refund', { tx: null, confirmations: 9 });
    expect(guarded({ swap: { claim: TAKEN }, facts: byItself })[0]).toStrictEqual(reorged(told));
    const nameless = {
      journal: { settled: { taker: settledAs('refunded', { tx_hash: null }) } },
      swap: { claim: OTHER },
    };
    expect(guarded({ ...nameless, facts: taken })[0]).toStrictEqual(reorged({ ...data, tx_hash: '' }));
  });

  it('is recorded with the depth to which it fell', () => {
    const facts = shows('refund', { confirmations: 2 });
    expect(guarded({ ...claimed, facts })[0]).toMatchObject({ events: [{ data: { confirmations: 2, before: 3 } }] });
  });

  it('in a log from elsewhere is undone only if the payment is gone for good', () => {
    const swap = { claim: TAKEN };
    const facts = seenAt('maker', {});
    const hash = OTHER.tx_hash;
    expect(guarded({ swap, facts })[0]).toStrictEqual(
      asked('maker', { op: 'transaction', hash, key: `transaction:${hash}` }),
    );
    const open = { ...facts, transactions: found(hash, { status: 'conflicted', confirmations: 1 }) };
    expect(guarded({ swap, facts: open })).toEqual(LATER);
    const gone = { ...facts, transactions: found(hash, { status: 'conflicted', confirmations: 2 }) };
    const data = { payment: 'maker', tx_hash: TAKEN.tx_hash, confirmations: 0, before: 0 };
    expect(guarded({ swap, facts: gone })[0]).toStrictEqual(reorged(data));
    const unspent = seenAt('maker', { funding: fundedBy() });
    expect(guarded({ swap, facts: unspent })[0]).toStrictEqual(reorged(data));
  });
});

describe('the refund that a finished swap rests on', () => {
  const refunded = (changes: TurnChanges, spend = spentWith('refund', { confirmations: 3 })) =>
    guarded({ ...changes, swap: { refunded: true, ...changes.swap }, facts: seenAt('taker', { spend }) })[0];
  const by = (who: string, tx_hash: string | null = TAKEN.tx_hash) =>
    appended(event('PaymentSettled', { payment: 'taker', how: 'refunded', by: who, tx_hash, confirmations: 3 }));
  const own = { prepared: { refund: [preparedOf(), preparedOf({ tx: TAKEN })] } };

  it('is named as its own, a watcher’s or the chain’s', () => {
    expect(refunded({})).toStrictEqual(by('self'));
    expect(refunded({ swap: { watched: true } })).toStrictEqual(by('watcher'));
    expect(refunded({ swap: { watched: true }, journal: own })).toStrictEqual(by('self'));
    expect(refunded({ journal: { request: requested(), prepared: { refund: [preparedOf()] } } })).toStrictEqual(
      by('watcher'),
    );
    const nameless = spentWith('refund', { tx: null, confirmations: 3 });
    expect(refunded({ swap: { watched: true } }, nameless)).toStrictEqual(by('chain', null));
  });
});

describe('an own payment that was made impossible', () => {
  const hash = PAID.tx_hash;
  const voided = (view: Parameters<typeof found>[1] | null, { journal, ...changes }: TurnChanges = {}, ago = 0) =>
    guarded({
      ...changes,
      journal: {
        settled: { taker: settledAs('voided') },
        prepared: { payment: [preparedOf({ tx: { tx_hash: 'e0' } }), preparedOf(), preparedOf({ tx: PAID })] },
        ...journal,
      },
      facts: view === null ? {} : { transactions: found(hash, view, ago) },
    });

  it('is looked at by the last transaction that was signed', () => {
    const look = asked('taker', { op: 'transaction', hash, key: `transaction:${hash}` });
    expect(voided(null)[0]).toStrictEqual(look);
    expect(voided({ status: 'conflicted', confirmations: 9 }, {}, 40_001)[0]).toStrictEqual(look);
    expect(voided(null, { journal: { prepared: {} } })[0]).toEqual({ kind: 'done' });
  });

  it.each(['conflicted', 'reverted'] as const)(
    'stays so while it is %s, until that is twice as deep as final',
    (status) => {
      expect(voided({ status, confirmations: 1 })).toEqual(LATER);
      expect(voided({ status, confirmations: 5 })).toEqual(LATER);
      expect(voided({ status, confirmations: 6 })[0]).toEqual({ kind: 'done' });
    },
  );

  it('is open again when what took its place is not in a block any more', () => {
    const open = reorged({ payment: 'taker', tx_hash: hash, confirmations: 0, before: 3 });
    for (const status of ['conflicted', 'reverted'] as const) {
      expect(voided({ status, confirmations: 0 })[0]).toStrictEqual(open);
    }
    for (const status of ['unknown', 'mempool', 'confirmed'] as const) {
      expect(voided({ status, confirmations: 7 })[0]).toStrictEqual(open);
    }
  });
});
