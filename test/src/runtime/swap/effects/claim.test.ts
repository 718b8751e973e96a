import { describe, expect, it } from 'vitest';
import type { Race } from '../../../../../machines/deadlines/race.ts';
import type { LockExpiry, PaymentView } from '../../../../../src/ports/chain.ts';
import type { Height, Millis, UnixSeconds } from '../../../../../src/primitives/time.ts';
import { NEVER } from '../../../../../src/runtime/command.ts';
import { claim, confirmClaim } from '../../../../../src/runtime/swap/effects/claim.ts';
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
  wantOf,
} from '../../../../support/effect-turns.ts';
import { after, NOW, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const POLICY = { freshness: 7, spendPoll: 20, confirmationPoll: 40 };

/** A maker whose secret nobody has seen, before a taker payment that is ready. */
const makerTurn = ({ swap, events, facts, ...rest }: TurnChanges = {}) =>
  turnOf({
    policy: POLICY,
    ...rest,
    swap: { role: 'maker', own: 'maker', other: 'taker', state: 'claiming', secret: SECRET, ...swap },
    events: { ...SAID, ...events },
    facts: { payments: { taker: looked({ funding: fundedBy() }) }, ...facts },
  });

/** A taker that knows the secret. */
const takerTurn = ({ swap, events, facts, ...rest }: TurnChanges = {}) =>
  turnOf({
    policy: POLICY,
    ...rest,
    swap: { state: 'claiming', secret: SECRET, secretIsPublic: true, ...swap },
    events: { ...SAID, ...events },
    facts: { payments: { maker: looked({ funding: fundedBy() }) }, ...facts },
  });

const { race } = makerTurn().swap;
/** A claim that may show the secret until this moment. */
const revealing = (by: Millis) =>
  wantOf('spendTakerPayment', { until: by, revealBy: by, race: race as Race, clock: 'host' });
const WANT = revealing(after(100));
const asMaker = (changes: TurnChanges = {}, want = WANT) => decided((turn) => claim(turn, want), makerTurn(changes));
const asTaker = (changes: TurnChanges = {}) =>
  decided((turn) => claim(turn, wantOf('spendMakerPayment')), takerTurn(changes));
const taker = (view: Partial<PaymentView>, ago = 0) => ({ payments: { taker: looked(view, ago) } });
const maker = (view: Partial<PaymentView>, ago = 0) => ({ payments: { maker: looked(view, ago) } });

const SIGNS = { kind: 'ask', key: 'taker:prepare:claim' };

describe('a claim that a node has taken while its chain says nothing of the payment', () => {
  const mine = preparedOf({ tx: TAKEN });
  const silent = (ok: boolean) => ({
    payments: { taker: null },
    tries: failed('taker:payment'),
    broadcasts: new Map([
      [
        TAKEN.tx_hash,
        ok ? ({ ok, value: 'sent' } as const) : ({ ok, fault: { kind: 'unavailable', message: '' } } as const),
      ],
    ]),
  });
  const told = appended(event('BroadcastAccepted', { purpose: 'claim', tx_hash: TAKEN.tx_hash, how: 'sent' }));

  it('is recorded at once, so that a restarted process knows that the secret is public', () => {
    const journal = { prepared: { claim: [mine] } };
    expect(asMaker({ journal, facts: silent(true) })[0]).toStrictEqual(told);
    expect(asMaker({ journal, facts: silent(true) }, revealing(after(-900)))[0]).toStrictEqual(told);
    expect(asMaker({ journal, facts: silent(false) })[0]).toBeNull();
  });

  it('is looked up first if the chain answers, and recorded once', () => {
    const journal = { prepared: { claim: [mine] } };
    expect(asMaker({ journal, facts: { ...silent(true), tries: new Map() } })[0]).toMatchObject({
      key: 'taker:payment',
    });
    const dearer = preparedOf({ tx: { ...TAKEN, tx_hash: 'dd' }, acceptedAt: after(-5) });
    expect(asMaker({ journal: { prepared: { claim: [mine, dearer] } }, facts: silent(true) })[0]).toBeNull();
  });
});

describe('before a maker shows its secret', () => {
  it('it looks at the payment at most seven seconds before, and not for the look’s own sake', () => {
    const query = { terms: makerTurn().swap.otherTerms as never };
    expect(asMaker({ facts: { payments: { taker: null } } })[0]).toStrictEqual(
      asked('taker', { op: 'payment', query }),
    );
    expect(asMaker({ facts: taker({ funding: fundedBy() }, 7001) })[0]).toMatchObject({ key: 'taker:payment' });
    const [proposal, wakes] = asMaker({ facts: taker({ funding: fundedBy() }, 7000) });
    expect(proposal).toMatchObject(SIGNS);
    expect(wakes).toBe(NEVER - NOW);
  });

  it.each<[string, Partial<PaymentView>, TurnChanges['swap']?]>([
    ['is not on the chain', {}],
    ['is not the agreed one', { funding: fundedBy(), problem: 'too little' }],
    ['waits in the mempool', { funding: fundedBy({ confirmations: 0 }) }],
    ['lacks a confirmation', { funding: fundedBy({ confirmations: 1 }) }, { otherConfirmations: 2 }],
    ['is not notarised', { funding: fundedBy() }, { otherRequiresNota: true }],
  ])('a payment that %s is looked at again after a while', (_, view, swap = {}) => {
    expect(asMaker({ facts: taker(view), swap })).toEqual([null, 40_000]);
  });
});

describe('the time in which a maker may show its secret', () => {
  it('the time must suffice by the latest clock, to the millisecond', () => {
    const [made] = asMaker({
      now: after(100),
      facts: { payments: { taker: { ...looked({ funding: fundedBy() }), at: after(100) } } },
    });
    expect(made).toMatchObject(SIGNS);
    const now = inMillis(100_001);
    const late = asMaker({ now, facts: { payments: { taker: { ...looked({ funding: fundedBy() }), at: now } } } })[0];
    const seconds = after(100) / 1000;
    expect(late).toStrictEqual(
      appended(
        event('DeadlineReached', { kind: 'spendTakerPayment', deadline: after(100), clock: 'host' }),
        event('claimFailed', `Timeout ${seconds + 1} > ${seconds}`),
      ),
    );
    const clock = (seconds + 1) as UnixSeconds;
    expect(asMaker({ facts: taker({ funding: fundedBy(), clock }) })[0]).toMatchObject({
      events: [{ data: { clock: 'takerChain' } }, { data: `Timeout ${seconds + 1} > ${seconds}` }],
    });
  });

  it('the margin must be left as well', () => {
    const facts = taker({ funding: fundedBy() });
    expect(asMaker({ policy: { ...POLICY, margin: 100 }, facts })[0]).toMatchObject(SIGNS);
    expect(asMaker({ policy: { ...POLICY, margin: 101 }, facts })[0]).toMatchObject({ kind: 'append' });
  });

  it('a want without an end takes that of the secret', () => {
    const unbound = (revealBy: Millis) => wantOf('spendTakerPayment', { revealBy });
    expect(asMaker({}, unbound(after(-1)))[0]).toStrictEqual(
      appended(
        event('DeadlineReached', { kind: 'spendTakerPayment', deadline: after(-1), clock: 'host' }),
        event('claimFailed', `Timeout ${NOW / 1000} > ${NOW / 1000 - 1}`),
      ),
    );
    expect(asMaker({}, unbound(after(0)))[0]).toMatchObject(SIGNS);
    expect(asMaker({}, wantOf('spendTakerPayment'))[0]).toMatchObject(SIGNS);
  });

  it('a claim that is too late is given up only in the state that claims', () => {
    const want = revealing(after(-1));
    expect(asMaker({}, want)[0]).toMatchObject({ kind: 'append' });
    expect(asMaker({ swap: { state: 'waitingForRefund' } }, want)).toEqual([null, NEVER - NOW]);
  });

  it('one that an operator asks for is made too late, as long as the payment is ready', () => {
    const want = revealing(after(-1));
    const journal = { recoverSince: after(-5) };
    expect(asMaker({ journal }, want)[0]).toMatchObject(SIGNS);
    const unready = taker({ funding: fundedBy(), refundable: true });
    expect(asMaker({ journal, facts: unready }, want)[0]).toMatchObject({ kind: 'append' });
  });
});

describe('a claim that the other side could race', () => {
  const { swap, traits } = makerTurn();
  const lock = swap.otherTerms?.lock as UnixSeconds;
  const seconds = (left: number): LockExpiry => ({ unit: 'seconds', at: lock, now: (lock - left) as UnixSeconds });
  const blocks = (left: number): LockExpiry => ({ unit: 'blocks', at: 5000 as Height, now: (5000 - left) as Height });
  // The want has no end of its own here, so that the chain alone decides.
  const unbound = wantOf('spendTakerPayment', { race: race as Race });
  const showing = (view: Partial<PaymentView>, changes: TurnChanges = {}) =>
    asMaker(
      {
        ...changes,
        traits: { taker: { ...traits.taker, blockTime: 90 }, maker: { ...traits.maker, blockTime: 7 } },
        facts: { ...taker({ funding: fundedBy(), ...view }), ...changes.facts },
      },
      unbound,
    )[0];
  /** The margin of 1560 s before the lock, told by the chain that holds the payment. */
  const held = (text: string) =>
    appended(
      event('DeadlineReached', { kind: 'spendTakerPayment', deadline: (lock - 1560) * 1000, clock: 'takerChain' }),
      event('claimFailed', text),
    );

  it('is held back from a fifth of the lock duration before the end of the lock, by the clock of the chain', () => {
    expect(showing({ expiry: seconds(1560) })).toMatchObject(SIGNS);
    const clock = (lock - 1559) as UnixSeconds;
    expect(showing({ clock, expiry: seconds(1559) })).toStrictEqual(held(`Timeout ${lock - 1559} > ${lock - 1560}`));
    // Where the chain tells no expiry, its clock and the lock of the terms do.
    expect(showing({ clock: (lock - 1560) as UnixSeconds })).toMatchObject(SIGNS);
    expect(showing({ clock })).toStrictEqual(held(`Timeout ${lock - 1559} > ${lock - 1560}`));
  });

  it('is held back by a quarter more blocks than that time nominally takes, if the lock counts blocks', () => {
    // 1560 s are 17.33 blocks of 90 s, and a quarter more of them 21.67.
    expect(showing({ expiry: blocks(22) })).toMatchObject(SIGNS);
    expect(showing({ expiry: blocks(21) })).toStrictEqual(held('Timeout 4979 > 4978 blocks'));
    expect(showing({ expiry: blocks(-3) })).toStrictEqual(held('Timeout 5003 > 4978 blocks'));
  });

  it('is held back if the lock counts blocks and it is unknown how long a block takes', () => {
    const traitsNow = { taker: { ...traits.taker } };
    const facts = taker({ funding: fundedBy(), expiry: blocks(900) });
    expect(asMaker({ traits: traitsNow, facts })[0]).toMatchObject({ events: [{ data: { clock: 'takerChain' } }, {}] });
  });

  it('is held back once the chain accepts a refund', () => {
    expect(showing({ refundable: true })).toMatchObject({ events: [{ data: { clock: 'takerChain' } }, {}] });
    expect(showing({ refundable: true }, { swap: { state: 'waitingForRefund' } })).toBeNull();
  });

  it('keeps a margin of the operator’s beside that', () => {
    const policy = { ...POLICY, margin: 90 };
    expect(showing({ expiry: seconds(1650) }, { policy })).toMatchObject(SIGNS);
    expect(showing({ expiry: seconds(1649) }, { policy })).toMatchObject({ kind: 'append' });
    expect(showing({ expiry: blocks(23) }, { policy })).toMatchObject(SIGNS);
    expect(showing({ expiry: blocks(22) }, { policy })).toMatchObject({ kind: 'append' });
  });

  it('is made when an operator orders it, as long as the chain accepts no refund', () => {
    const journal = { recoverSince: after(-5) };
    expect(showing({ expiry: blocks(2) }, { journal })).toMatchObject(SIGNS);
    expect(showing({ expiry: blocks(2), refundable: true }, { journal })).toMatchObject({ kind: 'append' });
  });

  it('that was recorded and that no node accepted is held back as if it had never existed', () => {
    const record = preparedOf({ target: PAID.tx_hash, refused: 'unavailable' });
    const journal = { prepared: { claim: [record] } };
    const sends = { kind: 'ask', key: `taker:broadcast:${record.tx.tx_hash}` };
    expect(showing({ expiry: blocks(22) }, { journal })).toMatchObject(sends);
    expect(showing({ expiry: blocks(21) }, { journal })).toStrictEqual(held('Timeout 4979 > 4978 blocks'));
    expect(asMaker({ journal, facts: taker({ funding: fundedBy() }, 7001) })[0]).toMatchObject({
      key: 'taker:payment',
    });
    const taken = { prepared: { claim: [{ ...record, acceptedAt: after(-50), dropped: true }] } };
    const unknown = { transactions: found(record.tx.tx_hash, {}) };
    expect(showing({ expiry: blocks(2) }, { journal: taken, facts: unknown })).toMatchObject(sends);
    // The answer of the node is there, and on its way into the log.
    const broadcasts = new Map([[record.tx.tx_hash, { ok: true, value: 'sent' } as const]]);
    expect(showing({ expiry: blocks(2) }, { journal, facts: { broadcasts } })).toMatchObject({
      events: [{ type: 'BroadcastAccepted' }, { type: 'claimed' }],
    });
    const refused = new Map([[record.tx.tx_hash, { ok: false, fault: { kind: 'unavailable', message: '' } } as const]]);
    expect(showing({ expiry: blocks(2) }, { journal, facts: { broadcasts: refused } })).toStrictEqual(
      held('Timeout 4998 > 4978 blocks'),
    );
  });

  it('continues at once when the other side has taken the own payment, which shows that it has the secret', () => {
    const other = { ...looked({ funding: fundedBy(), expiry: blocks(2) }) };
    const own = looked({ funding: fundedBy(), spend: spentWith('secret', { confirmations: 0 }) });
    const state = { state: 'waitingForRefund' };
    expect(asMaker({ swap: state, facts: { payments: { taker: other, maker: own } } })[0]).toMatchObject(SIGNS);
    const back = looked({ funding: fundedBy(), spend: spentWith('refund') });
    expect(asMaker({ swap: state, facts: { payments: { taker: other, maker: back } } })[0]).toBeNull();
    const settled = (payment: 'maker' | 'taker') => ({ settled: { [payment]: { how: 'claimed' } as never } });
    expect(asMaker({ swap: state, journal: settled('maker'), facts: { payments: { taker: other } } })[0]).toMatchObject(
      SIGNS,
    );
    expect(asMaker({ swap: state, journal: settled('taker'), facts: { payments: { taker: other } } })[0]).toBeNull();
  });
});

describe('once the secret may be known, a claim', () => {
  it('needs no time and no confirmation, and its look is repeated for its own sake', () => {
    const facts = taker({ funding: fundedBy({ confirmations: 0 }), refundable: true }, 20_000);
    const attempted = { prepared: { claim: [preparedOf({ target: 'other', acceptedAt: after(-50) })] } };
    const want = { ...WANT, until: after(-1000) };
    for (const changes of [{ journal: attempted }, { swap: { secretIsPublic: true } }]) {
      const [proposal, wakes] = asMaker({ ...changes, facts }, want);
      expect(proposal).toMatchObject(SIGNS);
      expect(wakes).toBe(1);
    }
    expect(asMaker({ journal: attempted, facts: taker({}, 20_001) })[0]).toMatchObject({ key: 'taker:payment' });
  });

  it('that was only signed does not count as known', () => {
    const signed = { prepared: { claim: [preparedOf({ target: 'other', attemptedAt: null })] } };
    expect(asMaker({ journal: signed, facts: taker({}) })).toEqual([null, 40_000]);
  });
});

describe('a spend with the secret that the chain shows', () => {
  const shown = (changes = {}) => maker({ funding: fundedBy(), spend: spentWith('secret', changes) });
  const ownClaim = (changes = {}) => ({ prepared: { claim: [preparedOf({ ...changes, tx: TAKEN })] } });

  it('is the claim of this side, which had no answer to its broadcast', () => {
    expect(asTaker({ journal: ownClaim(), facts: shown() })[0]).toStrictEqual(
      appended(
        event('BroadcastAccepted', { purpose: 'claim', tx_hash: TAKEN.tx_hash, how: 'confirmed' }),
        event('claimed', TAKEN),
      ),
    );
    const waiting = asTaker({ journal: ownClaim(), facts: shown({ confirmations: 0 }) })[0];
    expect(waiting).toMatchObject({ events: [{ data: { how: 'known' } }, { type: 'claimed' }] });
    const broadcasts = new Map([[TAKEN.tx_hash, { ok: true, value: 'sent' } as const]]);
    const answered = asTaker({ journal: ownClaim(), facts: { ...shown(), broadcasts } })[0];
    expect(answered).toMatchObject({ events: [{ data: { how: 'sent' } }, { type: 'claimed' }] });
    const accepted = ownClaim({ acceptedAt: after(-5) });
    expect(asTaker({ journal: accepted, facts: shown() })[0]).toStrictEqual(appended(event('claimed', TAKEN)));
  });

  it('is a watcher’s if the taker did not make it, and may have been watched', () => {
    const byOther = appended(event('claimedByOther', TAKEN));
    const other = { prepared: { claim: [preparedOf({ acceptedAt: after(-5) })] } };
    expect(asTaker({ journal: { ...other, request: requested() }, facts: shown() })[0]).toStrictEqual(byOther);
    const open = { prepared: { claim: [preparedOf()] }, request: requested() };
    expect(asTaker({ journal: open, facts: shown() })[0]).toStrictEqual(byOther);
    expect(asTaker({ swap: { watched: true }, facts: shown() })[0]).toStrictEqual(byOther);
    expect(asTaker({ facts: shown() })[0]).toStrictEqual(appended(event('claimed', TAKEN)));
    const own = { ...ownClaim({ acceptedAt: after(-5) }), request: requested() };
    expect(asTaker({ journal: own, facts: shown() })[0]).toStrictEqual(appended(event('claimed', TAKEN)));
  });

  it('is always the own claim for a maker, who has no watchers', () => {
    const facts = taker({ funding: fundedBy(), spend: spentWith('secret') });
    expect(asMaker({ journal: { request: requested() }, facts })[0]).toStrictEqual(appended(event('claimed', TAKEN)));
  });

  it('without its bytes is waited for', () => {
    expect(asTaker({ facts: shown({ tx: null }) })).toEqual([null, 20_000]);
  });
});

describe('a payment that went back to the other side', () => {
  const gone = (changes = {}) => maker({ spend: spentWith('refund', { confirmations: 2, ...changes }) });
  const settled = (data: object = {}) =>
    event('PaymentSettled', {
      payment: 'maker',
      how: 'refunded',
      by: 'counterparty',
      tx_hash: TAKEN.tx_hash,
      confirmations: 2,
      ...data,
    });
  const text = `the maker payment was refunded by transaction ${TAKEN.tx_hash}`;

  it('ends the claim once that is final', () => {
    expect(asTaker({ facts: gone({ confirmations: 1 }) })).toEqual([null, 20_000]);
    expect(asTaker({ facts: gone() })[0]).toStrictEqual(appended(settled(), event('claimFailed', text)));
    expect(asTaker({ swap: { claim: TAKEN }, facts: gone() })[0]).toStrictEqual(
      appended(settled(), event('claimUnconfirmed', text)),
    );
  });

  it('is named if the chain refunds it automatically', () => {
    expect(asTaker({ facts: gone({ tx: null }) })[0]).toStrictEqual(
      appended(
        settled({ tx_hash: null }),
        event('claimFailed', 'the maker payment was refunded by transaction of the chain itself'),
      ),
    );
  });

  it('is recorded once', () => {
    const refunded = { settled: { maker: { how: 'refunded' } as never } };
    expect(asTaker({ journal: refunded, facts: gone() })[0]).toBeNull();
    const claimed = { settled: { maker: { how: 'claimed' } as never, taker: { how: 'refunded' } as never } };
    expect(asTaker({ journal: claimed, facts: gone() })[0]).toMatchObject({ kind: 'append' });
  });

  it('closes nothing for a taker who never had the secret, but does end the claim of a maker', () => {
    const unknown = { swap: { secretIsPublic: false, secret: null }, facts: gone() };
    expect(asTaker(unknown)[0]).toStrictEqual(appended(settled()));
    const facts = taker({ spend: spentWith('refund', { confirmations: 3 }) });
    expect(asMaker({ facts })[0]).toStrictEqual(
      appended(settled({ payment: 'taker', confirmations: 3 }), event('claimFailed', text.replace('maker', 'taker'))),
    );
  });
});

describe('a claim that is in the log', () => {
  const confirming = (changes: TurnChanges = {}) =>
    decided((turn) => confirmClaim(turn, wantOf('confirmMakerPaymentSpend')), takerTurn(changes));
  const spent = (confirmations: number, ago = 0) =>
    maker({ funding: fundedBy(), spend: spentWith('secret', { confirmations }) }, ago);
  const own = { prepared: { claim: [preparedOf({ tx: TAKEN, target: PAID.tx_hash, acceptedAt: after(-5) })] } };
  const settled = (by: string) =>
    event('PaymentSettled', {
      payment: 'maker',
      how: 'claimed',
      by,
      tx_hash: TAKEN.tx_hash,
      confirmations: 2,
    });

  it('is looked at as often as confirmations are', () => {
    expect(confirming({ facts: spent(1, 40_000) })).toEqual([null, 1]);
    expect(confirming({ facts: spent(2, 40_001) })[0]).toMatchObject({ key: 'maker:payment' });
  });

  it('is confirmed once it is final, and the log names who made it', () => {
    expect(confirming({ facts: spent(1) })).toEqual([null, 40_001]);
    const done = (by: string) => appended(settled(by), event('claimConfirmed'));
    expect(confirming({ facts: spent(2), journal: own })[0]).toStrictEqual(done('self'));
    expect(confirming({ facts: spent(2) })[0]).toStrictEqual(done('self'));
    expect(confirming({ facts: spent(2), swap: { watched: true } })[0]).toStrictEqual(done('watcher'));
    expect(confirming({ facts: spent(2), journal: own, swap: { watched: true } })[0]).toStrictEqual(done('self'));
  });

  it('that has no bytes is recorded without an id', () => {
    const facts = maker({ spend: spentWith('secret', { tx: null, confirmations: 2 }) });
    expect(confirming({ facts, journal: own, swap: { watched: true } })[0]).toMatchObject({
      events: [{ data: { by: 'watcher', tx_hash: null } }, {}],
    });
  });

  it('in the mempool is watched closely; one that left the chain is brought back', () => {
    expect(confirming({ facts: spent(0), journal: own })).toEqual([null, 20_000]);
    expect(confirming({ facts: maker({ funding: fundedBy() }) })[0]).toMatchObject({ key: 'maker:prepare:claim' });
  });

  it('is lost when the payment went back for good', () => {
    const facts = maker({ spend: spentWith('refund', { confirmations: 2 }) });
    expect(confirming({ facts, swap: { claim: TAKEN } })[0]).toMatchObject({
      events: [{ type: 'PaymentSettled' }, { type: 'claimUnconfirmed' }],
    });
  });
});
