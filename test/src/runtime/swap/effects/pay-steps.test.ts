import { describe, expect, it } from 'vitest';
import type { Race } from '../../../../../machines/deadlines/race.ts';
import type { LockExpiry, PaymentView } from '../../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import type { Height, UnixSeconds } from '../../../../../src/primitives/time.ts';
import { NEVER, type NewEvent } from '../../../../../src/runtime/command.ts';
import { pay } from '../../../../../src/runtime/swap/effects/pay.ts';
import type { TurnTraits } from '../../../../../src/runtime/swap/turn.ts';
import {
  appended,
  asked,
  broadcastOf,
  decided,
  event,
  failed,
  found,
  fundedBy,
  inMillis,
  looked,
  PAID,
  seen,
  spentWith,
  TAKEN,
  wantOf,
} from '../../../../support/effect-turns.ts';
import { PAYING_POLICY as POLICY, READY, takerTurn } from '../../../../support/paying-turns.ts';
import { after, NOW, preparedOf, quoteOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const NO_TERMS = {
  lock: 0 as UnixSeconds,
  secretHash: '',
  sender: '',
  receiver: '',
  amount: '0' as DecimalText,
  contract: null,
};
const WANT = wantOf('sendTakerPayment', { until: after(100), race: turnOf().swap.race as Race });
const MAKER = { role: 'maker', own: 'maker', other: 'taker' } as const;
const asTaker = (changes: TurnChanges = {}, want = WANT) => decided((given) => pay(given, want), takerTurn(changes));
const asMaker = (changes: TurnChanges = {}) =>
  decided(
    (given) => pay(given, WANT),
    takerTurn({ ...changes, swap: MAKER, facts: { ...changes.facts, payments: { maker: looked() } } }),
  );

const TERMS = turnOf().swap.ownTerms ?? NO_TERMS;

const signing = asked('taker', {
  op: 'prepare',
  request: { purpose: 'payment', terms: turnOf().swap.ownTerms as never, urgency: 0, replaces: null },
  key: 'prepare:payment',
});
const SENDS = { kind: 'ask', key: `taker:broadcast:${PAID.tx_hash}` };
const withPayment = (changes: Parameters<typeof preparedOf>[0] = {}) => ({
  prepared: { payment: [preparedOf({ ...changes, tx: PAID })] },
});
const taken = new Map([[PAID.tx_hash, { ok: true, value: 'sent' } as const]]);

describe('a side that pays', () => {
  it('first looks for an existing payment, seconds before it acts', () => {
    const terms = turnOf().swap.ownTerms as never;
    expect(asTaker({ facts: { payments: { taker: null } } })[0]).toStrictEqual(
      asked('taker', { op: 'payment', query: { terms, own: true } }),
    );
    expect(asTaker({ facts: { payments: { taker: looked({}, 7001) } } })[0]).toMatchObject({ key: 'taker:payment' });
    expect(asTaker({ facts: { payments: { taker: looked({}, 7000) } } })).toEqual([signing, NEVER - NOW]);
  });

  it('takes what is on the chain under its terms as its payment, even late', () => {
    const facts = { payments: { taker: looked({ funding: fundedBy() }) } };
    const sent = appended(event('ownSent', PAID));
    expect(asTaker({ facts })[0]).toStrictEqual(sent);
    expect(asTaker({ facts }, { ...WANT, until: after(-1) })[0]).toStrictEqual(sent);
    const known = appended(
      event('BroadcastAccepted', { purpose: 'payment', tx_hash: PAID.tx_hash, how: 'confirmed' }),
      event('ownSent', PAID),
    );
    expect(asTaker({ facts, journal: withPayment() })[0]).toStrictEqual(known);
    const answered = asTaker({ facts: { ...facts, broadcasts: taken }, journal: withPayment() })[0];
    expect(answered).toMatchObject({ events: [{ data: { how: 'sent' } }, { type: 'ownSent' }] });
    expect(asTaker({ facts, journal: withPayment({ acceptedAt: after(-5) }) })[0]).toStrictEqual(sent);
    const another = { prepared: { payment: [preparedOf()] } };
    expect(asTaker({ facts, journal: another })[0]).toStrictEqual(sent);
  });

  it('records that a node has accepted its payment although no look shows it: its chain is silent or behind, or its time is over', () => {
    const told = appended(
      event('BroadcastAccepted', { purpose: 'payment', tx_hash: PAID.tx_hash, how: 'sent' }),
      event('ownSent', PAID),
    );
    const journal = withPayment();
    const silent = { payments: { taker: null }, tries: failed('taker:payment'), broadcasts: taken };
    expect(asTaker({ journal, facts: silent })[0]).toStrictEqual(told);
    const behind = { payments: { taker: looked() }, broadcasts: taken };
    expect(asTaker({ journal, facts: behind }, { ...WANT, until: after(-1) })[0]).toStrictEqual(told);
    const unready = { payments: { taker: looked(), maker: looked() }, broadcasts: taken };
    expect(asTaker({ journal, facts: unready })[0]).toStrictEqual(told);
    expect(asTaker({ journal, facts: { ...silent, broadcasts: new Map() } })[0]).toBeNull();
  });

  it('waits for the payment beneath a spend that the chain shows', () => {
    expect(asTaker({ facts: { payments: { taker: looked({ spend: spentWith('refund') }) } } })).toEqual([null, 40_000]);
  });

  it('as a maker, asks nothing about the taker’s payment', () => {
    expect(asMaker()[0]).toMatchObject({ kind: 'ask', key: 'maker:prepare:payment' });
  });
});

describe('a taker pays only against a maker payment that', () => {
  const theirs = (view: Partial<PaymentView>, ago = 0) => ({ facts: { payments: { maker: looked(view, ago) } } });
  const funding = fundedBy({ tx: TAKEN });

  it('it has looked at in this moment', () => {
    expect(asTaker({ facts: { payments: { maker: null } } })[0]).toMatchObject({ key: 'maker:payment' });
    expect(asTaker(theirs({ funding }, 7001))[0]).toMatchObject({ key: 'maker:payment' });
    expect(asTaker(theirs({ funding }, 7000))[0]).toStrictEqual(signing);
  });

  it.each<[string, Partial<PaymentView>, TurnChanges['swap']?]>([
    ['is there', {}],
    ['is the agreed one', { funding, problem: 'too little' }],
    ['is unspent', { funding, spend: spentWith('refund') }],
    ['cannot go back', { funding, refundable: true }],
    ['is in a block', { funding: fundedBy({ confirmations: 0 }) }],
    ['is as deep as agreed', { funding }, { otherConfirmations: 2 }],
    ['is notarised where that was agreed', { funding }, { otherRequiresNota: true }],
  ])('%s', (_, view, swap = {}) => {
    expect(asTaker({ ...theirs(view), swap })).toEqual([null, 40_000]);
    expect(asTaker({ ...theirs(view), swap, journal: withPayment() })).toEqual([null, 40_000]);
  });

  it('is locked for long enough, even if its blocks come a quarter faster than nominal', () => {
    // The own payment is locked for 7500 s from now, and the margin is 1560 s: 9060 s are 125.8 blocks of 90 s at that pace.
    const { maker, taker } = turnOf().traits;
    const traits = { maker: { ...maker, blockTime: 90 }, taker: { ...taker, blockTime: 7 } };
    const locked = (left: number) => {
      const expiry = { unit: 'blocks', at: 5000 as Height, now: (5000 - left) as Height } as const;
      return theirs({ funding, expiry });
    };
    expect(asTaker({ ...locked(126), traits })[0]).toStrictEqual(signing);
    expect(asTaker({ ...locked(125), traits })).toEqual([null, 40_000]);
    expect(asTaker(locked(900))).toEqual([null, 40_000]);
  });

  describe('outlasts a payment whose lock starts with the block that holds it', () => {
    // 7800 s are 1114 blocks of 7 s, which begin within a hundred: 10 622.5 s where they come a quarter slower. The margin is 1560 s.
    const outlived = appended(
      event('ownSendFailed', expect.stringContaining('is not locked for so much longer') as string),
    );
    const { maker, taker } = turnOf().traits;
    const counts = { ...taker, blockTime: 7, refund: 'automatic', counter: 'own' } as const;
    const swap = { ownTerms: { ...TERMS, counted: { duration: 7800, leg: 'taker' } } } as const;
    const inSeconds = (left: number) =>
      ({ unit: 'seconds', at: (50_000 + left) as UnixSeconds, now: 50_000 as UnixSeconds }) as const;
    const inBlocks = (left: number) => ({ unit: 'blocks', at: 5000 as Height, now: (5000 - left) as Height }) as const;
    const told = (expiry: LockExpiry, other: Partial<TurnTraits> = {}) =>
      asTaker({ ...theirs({ funding, expiry }), swap, traits: { maker: { ...maker, ...other }, taker: counts } })[0];

    it('by the margin, by a clock that counts seconds', () => {
      expect(told(inSeconds(12_183))).toMatchObject({ kind: 'ask', key: 'taker:prepare:payment' });
      expect(told(inSeconds(12_182))).toStrictEqual(outlived);
    });

    it('by the margin, by the blocks of another chain, which come a quarter quicker', () => {
      expect(told(inBlocks(170), { blockTime: 90 })).toMatchObject({ key: 'taker:prepare:payment' });
      expect(told(inBlocks(169), { blockTime: 90 })).toStrictEqual(outlived);
    });

    it('by the margin alone, by the blocks of the same chain, which run alike for both', () => {
      expect(told(inBlocks(1493), { blockTime: 7, counter: 'own' })).toMatchObject({ key: 'taker:prepare:payment' });
      expect(told(inBlocks(1492), { blockTime: 7, counter: 'own' })).toStrictEqual(outlived);
      expect(told(inBlocks(1493), { blockTime: 7, counter: 'another' })).toStrictEqual(outlived);
      const { counter: _, ...unnamed } = counts;
      const traits = { maker: { ...maker, blockTime: 7 }, taker: unnamed };
      expect(asTaker({ ...theirs({ funding, expiry: inBlocks(1493) }), swap, traits })[0]).toStrictEqual(outlived);
    });

    it('never if it is unknown how long its blocks take', () => {
      const { blockTime: _, ...timeless } = counts;
      const traits = { maker, taker: timeless };
      expect(asTaker({ ...theirs({ funding, expiry: inSeconds(900_000) }), swap, traits })[0]).toStrictEqual(outlived);
    });

    it('while it is confirmed, and if nothing is under way yet', () => {
      const early = { ...funding, confirmations: 0 };
      const traits = { maker, taker: counts };
      const asked = (given: TurnChanges) =>
        asTaker({ ...given, ...theirs({ funding, expiry: inSeconds(12_182) }), swap, traits })[0];
      expect(asTaker({ ...theirs({ funding: early, expiry: inSeconds(12_182) }), swap, traits })[0]).toBeNull();
      expect(asked({ journal: withPayment({ attemptedAt: null }) })).toStrictEqual(outlived);
      expect(asked({ journal: withPayment({ attemptedAt: NOW }) })).toBeNull();
    });
  });
});

describe('the last moment of a payment', () => {
  const late = (deadline: number, text: string) =>
    appended(
      event('DeadlineReached', { kind: 'sendTakerPayment', deadline, clock: 'host' }),
      event('ownSendFailed', text),
    );
  const at = (millis: number) => {
    const now = inMillis(millis);
    return { now, facts: { payments: { taker: { ...looked(), at: now }, maker: { ...READY, at: now } } } };
  };
  const text = `Timeout ${NOW / 1000 + 101} > ${NOW / 1000 + 100}`;

  it('is in time; one millisecond later is not', () => {
    expect(asTaker(at(100_000))[0]).toStrictEqual(signing);
    expect(asTaker(at(100_001))[0]).toStrictEqual(late(after(100), text));
    expect(asTaker(at(100_001), wantOf('sendTakerPayment'))[0]).toStrictEqual(signing);
  });

  it('keeps the margin', () => {
    expect(asTaker({ policy: { ...POLICY, margin: 100 } })[0]).toStrictEqual(signing);
    const tight = asTaker({ policy: { ...POLICY, margin: 101 } })[0];
    expect(tight).toStrictEqual(late(after(100), `Timeout ${NOW / 1000} > ${NOW / 1000 - 1}`));
  });

  it('ends a payment that is signed and that nobody can have', () => {
    expect(asTaker({ ...at(100_001), journal: withPayment({ attemptedAt: null }) })[0]).toStrictEqual(
      late(after(100), text),
    );
  });

  it('first makes one that somebody may have impossible', () => {
    const { now, facts } = at(100_001);
    expect(asTaker({ now, facts, journal: withPayment() })[0]).toMatchObject({ question: { op: 'transaction' } });
    const gone = found(PAID.tx_hash, { status: 'conflicted', confirmations: 3 });
    const settled = { payment: 'taker', how: 'voided', by: 'self', tx_hash: null, confirmations: 3 };
    const transactions = new Map([...gone].map(([hash, look]) => [hash, { ...look, at: now }] as const));
    expect(asTaker({ now, facts: { ...facts, transactions }, journal: withPayment() })[0]).toStrictEqual(
      appended(
        event('PaymentSettled', settled),
        event('DeadlineReached', { kind: 'sendTakerPayment', deadline: after(100), clock: 'host' }),
        event('ownSendFailed', text),
      ),
    );
  });

  it('names the coins that were missing for the claim until then', () => {
    const { now, facts } = at(100_001);
    const poor = { ...seen(quoteOf({ spendable: '0' as DecimalText, spendFeeFrom: 'wallet' })), since: null };
    const changes = { now, facts: { ...facts, quotes: { maker: { ...poor, at: now } } } };
    expect(asTaker(changes)[0]).toMatchObject({
      events: [{}, { data: expect.stringContaining('Not enough DOC for swap: available 0') }],
    });
  });
});

describe('a payment that is to be signed', () => {
  const made = { ...PAID, spends: ['x'], fee: '0.1' as DecimalText };
  const back = { ...TAKEN, spends: ['y'], fee: '0.2' as DecimalText };
  const facts = { prepared: new Map([['payment', made] as const]) };
  const log = (...more: readonly NewEvent[]) =>
    appended(
      event('TransactionPrepared', { purpose: 'payment', tx: made, target: null, urgency: 0 }),
      ...more,
      event('BroadcastAttempted', { purpose: 'payment', tx_hash: PAID.tx_hash }),
    );

  it('needs the coins for the claim', () => {
    const swap = { claimFee: { coin: 'DOC', amount: '0.1' as DecimalText, paid_from_trading_vol: false } };
    expect(asTaker({ swap })[0]).toMatchObject({ key: 'maker:quote' });
    expect(asTaker({ swap, journal: withPayment() })[0]).toMatchObject(SENDS);
  });

  it('needs its terms', () => {
    const swap = { ownTerms: null };
    expect(asTaker({ swap })[0]).toStrictEqual(
      appended(event('ownSendFailed', 'the terms of the payment are not known')),
    );
  });

  it.each(['insufficientFunds', 'invalid', 'unsupported'])('has failed if the wallet says %s', (kind) => {
    const tries = failed('taker:prepare:payment', { kind, message: 'no coins' });
    expect(asTaker({ facts: { tries } })[0]).toStrictEqual(appended(event('ownSendFailed', 'no coins')));
    expect(asTaker({ facts: { ...facts, tries } })[0]).toStrictEqual(log());
  });

  it('is tried again after any other fault', () => {
    expect(asTaker({ facts: { tries: failed('taker:prepare:payment') } })).toEqual([null, 60_000]);
  });

  it('goes into the log before anybody can see it', () => {
    expect(asTaker({ facts })[0]).toStrictEqual(log());
  });

  it('has its refund signed beside it if nothing else waits for that refund', () => {
    const traits = { taker: { watchers: true } };
    const request = {
      purpose: 'refund',
      terms: turnOf().swap.ownTerms as never,
      funding: PAID,
      urgency: 0,
      replaces: null,
    } as const;
    expect(asTaker({ facts, traits })[0]).toStrictEqual(
      asked('taker', { op: 'prepare', request, key: 'prepare:refund' }),
    );
    const both = { prepared: new Map([...facts.prepared, ['refund', back] as const]) };
    const kit = event('TransactionPrepared', { purpose: 'refund', tx: back, target: PAID.tx_hash, urgency: 0 });
    expect(asTaker({ facts: both, traits })[0]).toStrictEqual(log(kit));
    const automatic = { taker: { watchers: true, refund: 'automatic' } } as const;
    expect(asTaker({ facts, traits: automatic })[0]).toStrictEqual(log());
  });
});

describe('a payment that was signed', () => {
  it('is broadcast, and recorded once a node has accepted it', () => {
    expect(asTaker({ journal: withPayment() })[0]).toStrictEqual(
      broadcastOf('taker', PAID, { spends: ['input:0'], fee: '0.0001' }),
    );
    expect(asTaker({ journal: withPayment(), facts: { broadcasts: taken } })[0]).toStrictEqual(
      appended(
        event('BroadcastAccepted', { purpose: 'payment', tx_hash: PAID.tx_hash, how: 'sent' }),
        event('ownSent', PAID),
      ),
    );
  });

  it('is replaced by one that pays more if it pays too little', () => {
    const cheap = preparedOf({ refused: 'feeTooLow', urgency: 3, tx: PAID });
    const request = {
      purpose: 'payment',
      terms: turnOf().swap.ownTerms as never,
      urgency: 4,
      replaces: cheap.tx,
    } as const;
    expect(asTaker({ journal: { prepared: { payment: [cheap] } } })[0]).toStrictEqual(
      asked('taker', { op: 'prepare', request, key: 'prepare:payment' }),
    );
    const made = { tx_hex: 'e1', tx_hash: 'e1', spends: ['x'], fee: '0.1' as DecimalText };
    const facts = { prepared: new Map([['payment', made] as const]) };
    expect(asTaker({ journal: { prepared: { payment: [cheap] } }, facts })[0]).toStrictEqual(
      appended(
        event('TransactionPrepared', { purpose: 'payment', tx: made, target: null, urgency: 4 }),
        event('BroadcastAttempted', { purpose: 'payment', tx_hash: 'e1' }),
      ),
    );
  });

  it.each(['inputsSpent', 'nonceUsed'])(
    'and refused as %s is given up once something else is final in its place',
    (refused) => {
      const journal = withPayment({ refused });
      const hash = PAID.tx_hash;
      const key = `transaction:${hash}`;
      expect(asTaker({ journal })[0]).toStrictEqual(asked('taker', { op: 'transaction', hash, key }));
      const shown = (view: Parameters<typeof found>[1], ago = 0) =>
        asTaker({ journal, facts: { transactions: found(hash, view, ago) } });
      const gone = appended(event('TransactionReverted', { purpose: 'payment', tx_hash: hash }));
      expect(shown({ status: 'conflicted', confirmations: 3 })[0]).toStrictEqual(gone);
      expect(shown({ status: 'conflicted', confirmations: 2 })).toEqual([null, 40_000]);
      expect(shown({ status: 'confirmed', confirmations: 3 })).toEqual([null, 40_000]);
      expect(shown({ status: 'conflicted', confirmations: 3 }, 40_001)[0]).toMatchObject({ kind: 'ask' });
    },
  );

  it('sends the cheapest variant that no node refused recently; with watchers, the one for which they get what they need', () => {
    const refusedFor = (tx_hash: string, seconds: number) =>
      preparedOf({ tx: { tx_hash, tx_hex: 'e0' }, refused: 'feeTooLow', refusedAt: after(-seconds), urgency: 12 });
    const [old, recent, last] = [refusedFor('a', 601), refusedFor('b', 600), refusedFor('c', 5)];
    const sends = (...payment: ReturnType<typeof preparedOf>[]) => asTaker({ journal: { prepared: { payment } } })[0];
    expect(sends(old, recent, last)).toMatchObject({ key: 'taker:broadcast:a' });
    expect(sends(recent, last)).toMatchObject({ key: 'taker:broadcast:c' });
    const answered = new Map([['a', { ok: true, value: 'sent' } as const]]);
    const journal = { prepared: { payment: [old, last] } };
    expect(asTaker({ journal, facts: { broadcasts: answered } })[0]).toStrictEqual(
      appended(
        event('BroadcastAccepted', { purpose: 'payment', tx_hash: 'a', how: 'sent' }),
        event('ownSent', { tx_hash: 'a', tx_hex: 'e0' }),
      ),
    );
    const traits = { maker: { watchers: true }, taker: { watchers: true } };
    const request = { use_watchers: true } as never;
    const watched = asTaker({ journal: { ...journal, request }, traits, swap: { otherPayment: TAKEN } })[0];
    expect(watched).toMatchObject({ key: expect.stringContaining('claimPreimage') });
    const kit = new Map([
      ['claimPreimage', {} as never],
      ['refundPreimage', {} as never],
    ] as const);
    expect(
      asTaker({ journal: { ...journal, request }, traits, swap: { otherPayment: TAKEN }, facts: { prepared: kit } })[0],
    ).toMatchObject({ key: 'taker:broadcast:c' });
  });
});
