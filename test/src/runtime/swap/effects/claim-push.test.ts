import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../../machines/journal/context.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import { MOST_URGENT } from '../../../../../src/runtime/policy.ts';
import { bringBack, bumpClaim, pushClaim } from '../../../../../src/runtime/swap/effects/claim.ts';
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
  SAID,
  SECRET,
  spentWith,
  TAKEN,
} from '../../../../support/effect-turns.ts';
import { after, NOW, paymentOf, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const POLICY = { spendPoll: 20, bumpAfter: 600 };
const VIEW = paymentOf({ funding: fundedBy() });

/** A claim of the payment that is on the chain, which no node has answered yet. */
const claimOf = ({ tx, ...changes }: Parameters<typeof preparedOf>[0] = {}) =>
  preparedOf({ target: PAID.tx_hash, ...changes, tx: { ...TAKEN, ...tx } });

const turn = ({ swap, ...rest }: TurnChanges = {}) =>
  turnOf({ policy: POLICY, events: SAID, ...rest, swap: { secret: SECRET, secretIsPublic: true, ...swap } });

const pushed = (changes: TurnChanges = {}, view = VIEW) => decided((given) => pushClaim(given, view), turn(changes));
const withClaims = (...claim: PreparedRecord[]) => ({ prepared: { claim } });

const signing = (urgency: number, replaces: PreparedRecord | null, secret = SECRET) => {
  const request = {
    purpose: 'claim',
    terms: turn().swap.otherTerms as never,
    funding: PAID,
    secret,
    urgency,
    replaces: replaces?.tx ?? null,
  } as const;
  return asked('maker', { op: 'prepare', request, key: 'prepare:claim' });
};

const sends = ({ tx }: PreparedRecord) => broadcastOf('maker', tx, { spends: tx.spends, fee: tx.fee });

describe('a claim that is to be signed', () => {
  it('spends the payment that the chain shows, at the lowest price', () => {
    expect(pushed()[0]).toStrictEqual(signing(0, null));
  });

  it('goes into the log with what it spends and its price', () => {
    const made = { ...TAKEN, spends: ['x'], fee: '0.1' as DecimalText };
    expect(pushed({ facts: { prepared: new Map([['claim', made]]) } })[0]).toStrictEqual(
      appended(
        event('TransactionPrepared', { purpose: 'claim', tx: made, target: PAID.tx_hash, urgency: 0 }),
        event('BroadcastAttempted', { purpose: 'claim', tx_hash: TAKEN.tx_hash }),
      ),
    );
  });

  it('pays more than those that blocks included without effect, and replaces one for another funding', () => {
    const dead = claimOf({ dead: true, urgency: 2 });
    const elsewhere = claimOf({ target: 'elsewhere', tx: { tx_hash: 'e0' } });
    expect(pushed({ journal: withClaims(dead) })[0]).toStrictEqual(signing(3, null));
    expect(pushed({ journal: withClaims(elsewhere, dead) })[0]).toStrictEqual(signing(3, elsewhere));
  });

  it('needs the terms of the payment', () => {
    expect(pushed({ swap: { otherTerms: null } })[0]).toBeNull();
  });

  it('reads the secret from the spend of the own payment if the log does not hold it', () => {
    const swap = { secret: null };
    const terms = turn().swap.ownTerms as never;
    expect(pushed({ swap })[0]).toStrictEqual(asked('taker', { op: 'payment', query: { terms, own: true } }));
    const other = 'ab'.repeat(32);
    const taken = looked({ spend: spentWith('secret', { secret: other }) }, 20_000);
    expect(pushed({ swap, facts: { payments: { taker: taken } } })[0]).toStrictEqual(signing(0, null, other));
    for (const spend of [null, spentWith('secret', { secret: null })]) {
      expect(pushed({ swap, facts: { payments: { taker: looked({ spend }) } } })).toEqual([null, 20_000]);
    }
  });
});

describe('a claim that was signed', () => {
  it('is broadcast, and recorded once a node has accepted it', () => {
    const record = claimOf();
    const journal = withClaims(claimOf({ tx: { tx_hash: 'e0' } }), record);
    expect(pushed({ journal })[0]).toStrictEqual(sends(record));
    const broadcasts = new Map([[TAKEN.tx_hash, { ok: true, value: 'sent' } as const]]);
    const accepted = event('BroadcastAccepted', { purpose: 'claim', tx_hash: TAKEN.tx_hash, how: 'sent' });
    expect(pushed({ journal, facts: { broadcasts } })[0]).toStrictEqual(appended(accepted, event('claimed', TAKEN)));
    expect(pushed({ journal, facts: { broadcasts }, swap: { claim: TAKEN } })[0]).toStrictEqual(appended(accepted));
  });

  it('of another funding is of no use', () => {
    expect(pushed({ journal: withClaims(claimOf({ target: 'elsewhere' })) })[0]).toMatchObject({
      question: { op: 'prepare' },
    });
  });

  it.each([
    ['was taken and is not seen', { acceptedAt: after(-5) }],
    ['spends a nonce that is spent', { refused: 'nonceUsed' }],
    ['a node calls invalid', { refused: 'invalid' }],
  ])('and %s is looked for before it is broadcast again', (_, changes) => {
    const record = claimOf(changes);
    const journal = withClaims(record);
    const hash = TAKEN.tx_hash;
    expect(pushed({ journal })[0]).toStrictEqual(
      asked('maker', { op: 'transaction', hash, key: `transaction:${hash}` }),
    );
    expect(pushed({ journal, facts: { transactions: found(hash, { status: 'mempool' }) } })).toEqual([null, 20_000]);
    const reverted = { transactions: found(hash, { status: 'reverted' }) };
    expect(pushed({ journal, facts: reverted })[0]).toStrictEqual(
      appended(event('TransactionReverted', { purpose: 'claim', tx_hash: hash })),
    );
    const dropped = withClaims(claimOf({ ...changes, dropped: true }));
    expect(pushed({ journal: dropped, facts: { transactions: found(hash, {}) } })[0]).toStrictEqual(sends(record));
  });

  it('and was refused for another reason is broadcast again without a look', () => {
    expect(pushed({ journal: withClaims(claimOf({ refused: 'unavailable' })) })[0]).toMatchObject({
      question: { op: 'broadcast' },
    });
  });
});

describe('a dearer claim', () => {
  it('replaces one that pays too little, up to the highest price', () => {
    const cheap = claimOf({ refused: 'feeTooLow', urgency: MOST_URGENT - 1 });
    expect(pushed({ journal: withClaims(cheap) })[0]).toStrictEqual(signing(MOST_URGENT, cheap));
    const dearest = claimOf({ refused: 'feeTooLow', urgency: MOST_URGENT });
    expect(pushed({ journal: withClaims(dearest) })[0]).toStrictEqual(sends(dearest));
  });

  it('replaces one that can never confirm and was signed more than ten minutes ago', () => {
    const gone = { transactions: found(TAKEN.tx_hash, {}) };
    const at = claimOf({ preparedAt: after(-600), refused: 'inputsSpent' });
    expect(pushed({ journal: withClaims(at), facts: gone })[0]).toStrictEqual(sends(at));
    const stuck = claimOf({ preparedAt: inMillis(-600_001), urgency: 4, refused: 'inputsSpent' });
    expect(pushed({ journal: withClaims(stuck) })[0]).toMatchObject({ question: { op: 'transaction' } });
    expect(pushed({ journal: withClaims(stuck), facts: gone })[0]).toStrictEqual(signing(5, stuck));
  });

  it.each([null, 'unavailable', 'disagreement', 'insufficientFunds', 'tooManyAncestors'])(
    'does not replace one about which nodes only said %s: nothing was shown to be too cheap',
    (refused) => {
      const unheard = claimOf({ preparedAt: after(-9000), refused });
      const gone = { transactions: found(TAKEN.tx_hash, {}) };
      expect(pushed({ journal: withClaims(unheard) })[0]).toMatchObject({ question: { op: 'transaction' } });
      expect(pushed({ journal: withClaims(unheard), facts: gone })[0]).toStrictEqual(sends(unheard));
      const heard = { ...unheard, acceptedAt: after(-9000), dropped: true };
      expect(pushed({ journal: withClaims(heard), facts: gone })[0]).toStrictEqual(signing(1, heard));
    },
  );

  it('goes out again at the highest price', () => {
    const dearest = claimOf({ preparedAt: after(-9000), urgency: MOST_URGENT });
    expect(pushed({ journal: withClaims(dearest) })[0]).toStrictEqual(sends(dearest));
  });

  it('is counted from when the last one was taken, or an operator asked for a new try', () => {
    const taken = { preparedAt: after(-9000), acceptedAt: after(-600) };
    const look = { question: { op: 'transaction' } };
    expect(pushed({ journal: withClaims(claimOf(taken)) })[0]).toMatchObject(look);
    const before = claimOf({ ...taken, acceptedAt: inMillis(-600_001), dropped: true });
    const gone = { facts: { transactions: found(TAKEN.tx_hash, {}) } };
    expect(pushed({ ...gone, journal: withClaims(before) })[0]).toStrictEqual(signing(1, before));
    const ordered = { ...withClaims(before), retryAt: after(-600) };
    expect(pushed({ ...gone, journal: ordered })[0]).toStrictEqual(sends(before));
  });

  it('does not replace one that may have been included, without effect or with it', () => {
    const journal = withClaims(claimOf({ preparedAt: after(-9000), acceptedAt: after(-900) }));
    const hash = TAKEN.tx_hash;
    expect(pushed({ journal })[0]).toMatchObject({ question: { op: 'transaction', hash } });
    const reverted = { transactions: found(hash, { status: 'reverted', confirmations: 1 }) };
    expect(pushed({ journal, facts: reverted })[0]).toStrictEqual(
      appended(event('TransactionReverted', { purpose: 'claim', tx_hash: hash })),
    );
    const included = { transactions: found(hash, { status: 'confirmed', confirmations: 1 }) };
    expect(pushed({ journal, facts: included })[0]).toBeNull();
  });

  it('waits after those that were included without effect', () => {
    const dead = claimOf({ dead: true, urgency: 2, acceptedAt: after(-59) });
    const policy = { ...POLICY, fees: { pause: 60 } };
    expect(pushed({ policy, journal: withClaims(dead) })).toEqual([null, 1000]);
    const over = claimOf({ dead: true, urgency: 2, acceptedAt: after(-60) });
    expect(pushed({ policy, journal: withClaims(over) })[0]).toStrictEqual(signing(3, null));
  });

  it('is not written down if the wallet makes the same one again, and the existing one goes out', () => {
    const stuck = claimOf({ acceptedAt: after(-900), dropped: true });
    const request = signing(1, stuck) as never as { question: { request: never } };
    const facts = {
      transactions: found(TAKEN.tx_hash, {}),
      prepared: new Map([['claim', { ...TAKEN, spends: ['input:0'], fee: '0.0001' as DecimalText }]]),
      preparedFor: new Map([['claim', request.question.request]]),
    };
    expect(pushed({ journal: withClaims(stuck), facts } as never)[0]).toStrictEqual(sends(stuck));
  });

  it('follows one that an earlier release wrote down twice', () => {
    const first = claimOf({ acceptedAt: after(-9000), dropped: true });
    const facts = { transactions: found(TAKEN.tx_hash, {}) };
    const again = claimOf({ preparedAt: after(-700), urgency: 1 });
    const variants = withClaims(first, again);
    expect(pushed({ journal: variants, facts })[0]).toStrictEqual(signing(2, again));
  });

  it('is not signed in the pause after one that had no effect', () => {
    const dead = claimOf({ tx: { tx_hash: 'e0', spends: ['account:0'] }, dead: true, acceptedAt: after(-30) });
    const stuck = claimOf({ preparedAt: after(-900), acceptedAt: after(-900), dropped: true });
    const facts = { transactions: found(TAKEN.tx_hash, {}) };
    const policy = { ...POLICY, fees: { pause: 60 } };
    expect(pushed({ policy, journal: withClaims(stuck, dead), facts })[0]).toStrictEqual(sends(stuck));
    expect(pushed({ policy, journal: withClaims(stuck), facts })[0]).toStrictEqual(signing(1, stuck));
  });

  it('is not signed when three of twenty variants are left, nor a new claim when none is, except by order', () => {
    const variants = (count: number, changes: Parameters<typeof claimOf>[0]) =>
      Array.from({ length: count }, (_, index) =>
        claimOf({ ...changes, acceptedAt: after(-7000), tx: { tx_hash: `e${index}` } }),
      );
    const facts = (count: number) => ({ transactions: found(`e${count - 1}`, {}) });
    const swap = { otherTerms: { ...turn().swap.otherTerms, lock: NOW / 1000 - 8000 } } as never;
    const given = (count: number, changes: Parameters<typeof claimOf>[0], journal = {}) =>
      pushed({ swap, facts: facts(count), journal: { ...withClaims(...variants(count, changes)), ...journal } });
    expect(given(16, { dropped: true })[0]).toMatchObject({ question: { op: 'prepare' } });
    expect(given(17, { dropped: true })[0]).toMatchObject({ question: { op: 'broadcast' } });
    expect(given(19, { dead: true })[0]).toMatchObject({ question: { op: 'prepare' } });
    expect(given(20, { dead: true })).toEqual([null, turn().policy.refundPoll * 1000]);
    expect(given(20, { dead: true }, { retryAt: after(-5) })[0]).toMatchObject({ question: { op: 'prepare' } });
  });

  it('takes a free nonce if the previous one waited long for a nonce that nobody uses', () => {
    const first = claimOf({ tx: { tx_hash: 'e0' }, preparedAt: after(-700) });
    const blocked = claimOf({ refused: 'nonceGap', preparedAt: inMillis(-99_999), urgency: 1 });
    expect(pushed({ journal: withClaims(first, blocked) })[0]).toStrictEqual(signing(2, null));
    const soon = claimOf({ refused: 'nonceGap', preparedAt: after(-100), urgency: 1 });
    expect(pushed({ journal: withClaims(first, soon) })[0]).toMatchObject({ question: { op: 'broadcast' } });
  });
});

describe('a claim in the mempool', () => {
  const bumped = (changes: TurnChanges, view = paymentOf({ funding: fundedBy(), spend: spentWith('secret') })) =>
    decided((given) => bumpClaim(given, view), turn(changes));
  const WAITS = [null, 20_000];

  it('is left alone while it is fresh, or nothing is known of it', () => {
    expect(bumped({ journal: withClaims(claimOf({ acceptedAt: after(-5) })) })).toEqual(WAITS);
    expect(bumped({})).toEqual(WAITS);
    expect(bumped({ journal: withClaims(claimOf({ preparedAt: after(-900) })) }, paymentOf())).toEqual(WAITS);
  });

  it('that the chain shows is not broadcast again, although no answer to its broadcast is known', () => {
    expect(bumped({ journal: withClaims(claimOf()) })).toEqual(WAITS);
  });

  it('is replaced by a dearer one after ten minutes, which is brought to the chain', () => {
    const stuck = claimOf({ acceptedAt: inMillis(-600_001) });
    expect(bumped({ journal: withClaims(stuck) })[0]).toMatchObject({ leg: 'maker', question: { op: 'payment' } });
    const facts = (ago: number) => ({ payments: { maker: looked({}, ago) } });
    expect(bumped({ journal: withClaims(stuck), facts: facts(10_000) })[0]).toStrictEqual(signing(1, stuck));
    expect(bumped({ journal: withClaims(stuck), facts: facts(10_001) })[0]).toMatchObject({
      question: { op: 'payment' },
    });
    const dearer = claimOf({ tx: { tx_hash: 'e1' }, urgency: 1 });
    expect(bumped({ journal: withClaims(stuck, dearer) })[0]).toStrictEqual(sends(dearer));
    const taken = claimOf({ tx: { tx_hash: 'e1' }, urgency: 1, acceptedAt: after(-5) });
    expect(bumped({ journal: withClaims(stuck, taken) })).toEqual(WAITS);
  });

  it('makes what it may wait for go out again if nothing dearer is signed', () => {
    const earlier = claimOf({ tx: { tx_hash: 'e0', spends: ['account:6'] }, preparedAt: after(-9000), dead: true });
    const waiting = (seconds: number) => {
      const dearest = { acceptedAt: after(-seconds), urgency: MOST_URGENT, target: earlier.target };
      const tx = { tx_hash: spentWith('secret').tx?.tx_hash ?? '', spends: ['account:7'] };
      return bumped({ journal: withClaims(earlier, claimOf({ ...dearest, tx })) });
    };
    expect(waiting(1200)[0]).toStrictEqual(sends(earlier));
    expect(waiting(1190)).toEqual([null, 10_000]);
  });

  it('whose bytes the chain does not show, or that it no longer shows, makes the last claim go out again', () => {
    const record = claimOf();
    for (const spend of [null, spentWith('secret', { tx: null })]) {
      const view = paymentOf({ funding: fundedBy(), spend });
      expect(bumped({ journal: withClaims(record) }, view)[0]).toStrictEqual(sends(record));
    }
  });

  it('whose dearer variant has an answer first records that answer', () => {
    const dearer = claimOf({ tx: { tx_hash: 'e1' }, urgency: 1, preparedAt: after(-900), acceptedAt: after(-800) });
    const broadcasts = new Map([['e1', { ok: true, value: 'known' } as const]]);
    expect(bumped({ journal: withClaims(dearer), facts: { broadcasts } })[0]).toStrictEqual(
      appended(event('BroadcastAccepted', { purpose: 'claim', tx_hash: 'e1', how: 'known' })),
    );
  });
});

describe('a payment that left the chain', () => {
  const back = (changes: TurnChanges) => decided(bringBack, turn(changes));

  it('is broadcast again by whoever holds its bytes, also in place of a claim', () => {
    const swap = { otherPayment: PAID };
    expect(back({ swap })[0]).toStrictEqual(broadcastOf('maker', PAID));
    expect(pushed({ swap }, paymentOf())[0]).toStrictEqual(broadcastOf('maker', PAID));
  });

  it.each<[string, TurnChanges]>([
    ['it is not known', {}],
    ['its bytes are not known', { swap: { otherPayment: { ...PAID, tx_hex: '' } } }],
    [
      'a node has answered',
      {
        swap: { otherPayment: PAID },
        facts: { broadcasts: new Map([[PAID.tx_hash, { ok: true, value: 'sent' } as const]]) },
      },
    ],
  ])('is waited for if %s', (_, changes) => {
    expect(back(changes)).toEqual([null, 20_000]);
  });

  it('is tried again when the last try is long enough ago', () => {
    const tries = failed(`maker:broadcast:${PAID.tx_hash}`);
    expect(back({ swap: { otherPayment: PAID }, facts: { tries } })).toEqual([null, 60_000]);
  });
});
