import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../../machines/journal/context.ts';
import type { PaymentView, PrepareRequest } from '../../../../../src/ports/chain.ts';
import { unixSecondsOf } from '../../../../../src/primitives/time.ts';
import { claim, confirmClaim } from '../../../../../src/runtime/swap/effects/claim.ts';
import { refund } from '../../../../../src/runtime/swap/effects/refund.ts';
import type { Turn } from '../../../../../src/runtime/swap/turn.ts';
import {
  appended,
  asked,
  decided,
  event,
  failed,
  fundedBy,
  looked,
  PAID,
  SAID,
  SECRET,
  spentWith,
  TAKEN,
  wantOf,
} from '../../../../support/effect-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

// One of two servers answers. Its word is a fault of the question, and no look.

const doubtful = (changes: Partial<PaymentView> = {}) => looked({ funding: fundedBy(), ...changes }, 3000);
const claimOf = ({ tx, ...changes }: Parameters<typeof preparedOf>[0] = {}) =>
  preparedOf({ target: PAID.tx_hash, ...changes, tx: { ...TAKEN, ...tx } });
const withClaims = (...claims: PreparedRecord[]) => ({ prepared: { claim: claims } });
const sends = (leg: 'maker' | 'taker', { tx }: PreparedRecord) =>
  asked(leg, { op: 'broadcast', transaction: tx, doubtful: true, key: `broadcast:${tx.tx_hash}` });

/** A taker that knows the secret, on a maker chain of which one server tells. */
function taker({ swap, facts, ...rest }: TurnChanges = {}): Turn {
  return turnOf({
    events: SAID,
    ...rest,
    swap: { state: 'claiming', secret: SECRET, secretIsPublic: true, otherPayment: PAID, ...swap },
    facts: { doubtful: { maker: doubtful(), taker: null }, tries: failed('maker:payment'), ...facts },
  });
}

/** A maker that is to claim on a taker chain of which one server tells. */
function maker({ swap, facts, ...rest }: TurnChanges = {}): Turn {
  return turnOf({
    events: SAID,
    ...rest,
    swap: { role: 'maker', state: 'claiming', secret: SECRET, otherPayment: PAID, otherValidated: true, ...swap },
    facts: { doubtful: { maker: null, taker: doubtful() }, tries: failed('taker:payment'), ...facts },
  });
}

const claims = (turn: Turn) => decided((given) => claim(given, wantOf('claim')), turn)[0];
type ClaimRequest = Extract<PrepareRequest, { readonly purpose: 'claim' }>;

function request({ swap: { otherTerms: terms } }: Turn, changes: Partial<ClaimRequest> = {}): ClaimRequest {
  if (terms === null) throw new Error('the turn has no terms of the other side');
  const claimed = { purpose: 'claim', terms, funding: PAID, secret: SECRET, doubtful: true } as const;
  return { ...claimed, urgency: 0, replaces: null, ...changes };
}
const signs = (turn: Turn, changes: Partial<ClaimRequest> = {}) =>
  asked('maker', { op: 'prepare', request: request(turn, changes), key: 'prepare:claim' });

describe('a claim on the word of one server of two', () => {
  it('is signed, sent and sent again by a taker that knows the secret', () => {
    expect(claims(taker())).toEqual(signs(taker()));
    const signed = claimOf();
    expect(claims(taker({ journal: withClaims(signed) }))).toEqual(sends('maker', signed));
    const told = { broadcasts: new Map([[TAKEN.tx_hash, { ok: true, value: 'sent' } as const]]) };
    // What is noted is that it went out. That the payment is claimed is for two of them to say.
    expect(claims(taker({ journal: withClaims(signed), facts: told }))).toEqual(
      appended(event('BroadcastAccepted', { purpose: 'claim', tx_hash: TAKEN.tx_hash, how: 'sent' })),
    );
    const out = claimOf({ acceptedAt: after(-61) });
    expect(claims(taker({ journal: withClaims(out) }))).toEqual(sends('maker', out));
    const confirms = decided((given) => confirmClaim(given, wantOf('confirm')), taker({ journal: withClaims(out) }));
    expect(confirms[0]).toEqual(sends('maker', out));
  });

  it('waits if it was broadcast recently, or if no look followed', () => {
    const lately = taker({ journal: withClaims(claimOf({ acceptedAt: after(-59) })) });
    expect(decided((given) => claim(given, wantOf('claim')), lately)).toEqual([null, 1000]);
    const blind = { doubtful: { maker: looked({ funding: fundedBy() }, 70_000), taker: null } };
    expect(claims(taker({ journal: withClaims(claimOf({ acceptedAt: after(-65) })), facts: blind }))).toBeNull();
  });

  it('pays more if the server calls it too cheap or shows it waiting, but not if it hides it', () => {
    const cheap = claimOf({ refused: 'feeTooLow', refusedAt: after(-70), preparedAt: after(-99) });
    const dearer = (record: PreparedRecord) => ({ urgency: 1, replaces: record.tx });
    expect(claims(taker({ journal: withClaims(cheap) }))).toEqual(signs(taker(), dearer(cheap)));
    const waits = claimOf({ preparedAt: after(-700), acceptedAt: after(-700) });
    const spend = spentWith('secret', { confirmations: 0 });
    const shown = { doubtful: { maker: doubtful({ spend }), taker: null } };
    expect(claims(taker({ journal: withClaims(waits), facts: shown }))).toEqual(signs(taker(), dearer(waits)));
    expect(claims(taker({ journal: withClaims(waits) }))).toEqual(sends('maker', waits));
  });

  it('keeps to the usual bound of its fee, also when time runs out', () => {
    const clock = unixSecondsOf(after(14_890) / 1000);
    const told = { maker: null, taker: looked({ clock }, -14_890_000) };
    const late = (facts: NonNullable<TurnChanges['facts']>) =>
      taker({ now: after(14_900), policy: { fees: { share: 0.1 } }, facts });
    const tries = failed('maker:payment', { next: after(15_000) });
    expect(claims(late({ tries, payments: told }))).toMatchObject({ question: { request: { maxFee: '0.15' } } });
    // By two servers it could be all that is claimed.
    const settled = { ...told, maker: looked({ funding: fundedBy(), clock }, -14_895_000) };
    expect(claims(late({ payments: settled }))).toMatchObject({ question: { request: { maxFee: '1.49999991' } } });
  });

  it.each([
    ['another funding', { funding: fundedBy({ tx: { tx_hex: '99', tx_hash: '99'.repeat(32) } }) }],
    ['no payment', { funding: null }],
    ['a refund', { spend: spentWith('refund') }],
    ['a claim in a block', { spend: spentWith('secret') }],
    ['a claim of somebody', { spend: spentWith('secret', { confirmations: 0, tx: { tx_hex: '77', tx_hash: '77' } }) }],
  ] as const)('waits, and concludes nothing, if the server shows %s', (_, view) => {
    const facts = { doubtful: { maker: doubtful(view), taker: null } };
    expect(claims(taker({ journal: withClaims(claimOf()), facts }))).toBeNull();
  });

  it('is not begun by a maker whose secret nobody has: the one server could keep the claim and pass the secret on', () => {
    expect(claims(maker())).toBeNull();
    const signed = claimOf();
    expect(claims(maker({ journal: withClaims(signed) }))).toBeNull();
    const out = claimOf({ acceptedAt: after(-700) });
    expect(claims(maker({ journal: withClaims(out) }))).toEqual(sends('taker', out));
  });
});

describe('a refund on the word of one server of two', () => {
  const OWN = { tx_hex: 'bb00', tx_hash: 'bb'.repeat(32) };
  const refunding = (changes: TurnChanges = {}, view: Partial<PaymentView> = {}) =>
    turnOf({
      events: SAID,
      ...changes,
      swap: { state: 'refunding', ownPayment: OWN, ...changes.swap },
      facts: {
        doubtful: { taker: looked({ funding: fundedBy({ tx: OWN }), refundable: true, ...view }), maker: null },
        tries: failed('taker:payment'),
        ...changes.facts,
      },
    });
  const refunds = (turn: Turn) => decided((given) => refund(given, wantOf('refund')), turn)[0];
  const signed = preparedOf({ target: OWN.tx_hash, tx: { tx_hash: 'ef'.repeat(32) } });
  const kept = { prepared: { refund: [signed] } };

  it('continues if the log knows that the chain had passed the lock', () => {
    expect(refunds(refunding({ journal: kept }))).toEqual(sends('taker', signed));
    expect(refunds(refunding())).toMatchObject({
      leg: 'taker',
      question: { op: 'prepare', request: { purpose: 'refund', doubtful: true, funding: OWN } },
    });
  });

  it('does not begin, and nothing is announced', () => {
    for (const state of ['waitingForRefund', 'waitingForSpend'])
      expect(refunds(refunding({ swap: { state } }))).toBeNull();
  });

  it.each([
    ['says that the lock has not passed', { refundable: false }],
    ['shows the payment waiting', { funding: fundedBy({ tx: OWN, confirmations: 0 }) }],
    ['shows none', { funding: null }],
    ['shows the secret', { spend: spentWith('secret') }],
  ] as const)('waits if the server %s', (_, view) => {
    expect(refunds(refunding({ journal: kept }, view))).toBeNull();
  });

  it('waits beside a claim that cannot be ruled out', () => {
    const known = { secretIsPublic: true, otherPayment: PAID };
    const facts = { payments: { maker: looked({ funding: fundedBy(), spend: spentWith('secret') }), taker: null } };
    expect(refunds(refunding({ journal: kept, swap: known, facts }))).toBeNull();
  });
});

it('nothing goes out if no server shows the payment', () => {
  const silent = { doubtful: { maker: null, taker: null } };
  expect(claims(taker({ journal: withClaims(claimOf()), facts: silent }))).toBeNull();
});
