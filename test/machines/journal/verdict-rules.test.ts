import { describe, expect, it } from 'vitest';
import {
  initialJournalContext,
  type JournalContext,
  NO_JOURNAL,
  type Settlement,
} from '../../../machines/journal/context.ts';
import { judge, undoneEnds } from '../../../machines/journal/verdict.ts';
import { makerSwapVerdict } from '../../../machines/maker-swap/verdict.ts';
import { makerSwapWants } from '../../../machines/maker-swap/wants.ts';
import type { LegFunds, NextStep, Outcome, Party, SwapVerdict } from '../../../machines/swap-verdict.ts';
import { takerSwapVerdict } from '../../../machines/taker-swap/verdict.ts';
import { takerSwapWants } from '../../../machines/taker-swap/wants.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { makerContext, SECRET, TAKER_LOCK, takerContext, tx } from '../../support/swap-contexts.ts';
import { requestOf } from '../../support/swap-pair.ts';
import { preparedOf } from '../../support/turns.ts';

const AT = 1_700_000_000_000 as Millis;
const FINAL = 'ee'.repeat(32);
const TOLD = 'aa'.repeat(32);
const PERSON: NextStep = { action: 'look', who: 'operator', notBefore: null, until: null, text: 'Look at it.' };
const PARTIES = ['maker', 'taker'] as const;
const otherOf = (party: Party) => (party === 'maker' ? 'taker' : 'maker');
const legOf = (party: Party) => `${party}Payment` as const;

const leg = (party: Party, changes: Partial<LegFunds> = {}): LegFunds => ({
  coin: party === 'maker' ? 'DOC' : 'MARTY',
  amount: (party === 'maker' ? '1.5' : '3') as DecimalText,
  status: 'locked',
  tx: TOLD,
  by: null,
  claimable: [{ by: party, how: 'refund', from: null, until: null }],
  ...changes,
});
const verdictOf = (
  outcome: Outcome,
  {
    maker = {},
    taker = {},
    next = PERSON,
  }: { maker?: Partial<LegFunds>; taker?: Partial<LegFunds>; next?: NextStep | null } = {},
): SwapVerdict => ({ outcome, next, funds: { makerPayment: leg('maker', maker), takerPayment: leg('taker', taker) } });

const end = (payment: Party, how: Settlement['how'], tx_hash: string | null = FINAL): Settlement => ({
  payment,
  how,
  by: 'self',
  tx_hash,
  confirmations: 3,
  at: AT,
});
const settled = (...ends: Settlement[]): Partial<JournalContext> => ({
  settled: { maker: null, taker: null, ...Object.fromEntries(ends.map((one) => [one.payment, one])) },
});
const undone = (payment: Party): Partial<JournalContext> => ({
  reorged: { maker: null, taker: null, [payment]: { payment, tx_hash: TOLD, confirmations: 0, before: 3, at: AT } },
});

type Given = { readonly role?: Party; readonly state?: string; readonly journal?: Partial<JournalContext> };
const live = (verdict: SwapVerdict, { role = 'taker', state = 'finished', journal = {} }: Given = {}) =>
  judge(verdict, { role, state, journal: { ...initialJournalContext(), request: requestOf(role), ...journal } });

describe('a swap whose two payments the other side has', () => {
  const both = (role: Party) => settled(end(role, 'claimed', 'cc'.repeat(32)), end(otherOf(role), 'refunded'));
  const risk = verdictOf('funds-at-risk');

  it.each(PARTIES)('is lost for the %s, and nobody can act on it', (role) => {
    const { outcome, next, funds } = live(risk, { role, journal: both(role) });
    expect([outcome, next]).toEqual(['lost', null]);
    expect(funds[legOf(role)]).toMatchObject({
      status: 'spent',
      by: otherOf(role),
      tx: 'cc'.repeat(32),
      claimable: [],
    });
    expect(funds[legOf(otherOf(role))]).toMatchObject({ status: 'refunded', by: otherOf(role), tx: FINAL });
  });

  /** The verdict of a side that is still running, with both its payments known to be gone. */
  const running = (role: Party, state: string, journal: Partial<JournalContext>) => {
    const known = { takerPayment: tx('theirs'), makerPayment: tx('theirs') };
    const whole = { ...initialJournalContext(), request: requestOf(role), ...journal };
    return role === 'taker'
      ? takerSwapVerdict(state, takerContext({ ...known, secret: SECRET, takerPaymentSpend: tx('taken') }), whole)
      : makerSwapVerdict(state, makerContext({ ...known, takerPaymentSpend: tx('claim') }), whole);
  };

  it.each([
    ['taker', 'claiming'],
    ['taker', 'claimFailed'],
    ['maker', 'claimUnconfirmed'],
    ['maker', 'refunding'],
    ['maker', 'refundFailed'],
  ] as const)('is closed by the engine of the %s while it is %s', (role, state) => {
    const { outcome, next, funds } = running(role, state, both(role));
    expect([outcome, next?.action, next?.who]).toEqual(['lost', 'closeLost', 'engine']);
    expect([funds.makerPayment.claimable, funds.takerPayment.claimable]).toEqual([[], []]);
  });

  it('is not lost while either end is not final', () => {
    for (const role of PARTIES) {
      for (const one of [end(role, 'claimed'), end(otherOf(role), 'refunded')]) {
        expect(live(risk, { role, journal: settled(one) }).outcome).not.toBe('lost');
      }
    }
  });

  it('is not lost if the ends are those of a completed swap, or of two refunds', () => {
    for (const role of PARTIES) {
      const swapped = settled(end(role, 'claimed'), end(otherOf(role), 'claimed'));
      expect(live(risk, { role, journal: swapped }).outcome).toBe('completed');
      const back = settled(end(role, 'refunded'), end(otherOf(role), 'refunded'));
      expect(live(risk, { role, journal: back }).outcome).toBe('refunded');
    }
  });

  it('is closed once a spend of the own payment is public and the other one went back', () => {
    const back = settled(end('maker', 'refunded'));
    expect(running('taker', 'claimFailed', back)).toMatchObject({
      outcome: 'claim-pending',
      next: { action: 'closeLost', who: 'engine', text: 'Close the swap, whose coins are lost.' },
    });
    expect(running('taker', 'claimFailed', {}).next).toMatchObject({ action: 'spendMakerPayment', who: 'engine' });
  });
});

describe('a taker’s payment that was claimed after the maker’s refund, while neither end is final', () => {
  const known = { takerPayment: tx('paid'), secret: SECRET, takerPaymentSpend: tx('taken'), finishedAt: TAKER_LOCK };
  const verdict = (journal: Partial<JournalContext>) =>
    takerSwapVerdict('finished', takerContext(known), {
      ...initialJournalContext(),
      request: requestOf('taker'),
      ...journal,
    });

  it('is not settled: it must be refunded, unless the maker has claimed it', () => {
    expect(verdict(settled(end('maker', 'refunded')))).toMatchObject({
      outcome: 'refund-pending',
      funds: { takerPayment: { status: 'uncertain', by: null, tx: 'taken' } },
      next: { action: 'refundTakerPayment', who: 'engine' },
    });
  });

  it('is the maker’s if that is final, and the maker’s own payment was not refunded', () => {
    const lost = settled(end('maker', 'refunded'), end('taker', 'claimed'));
    for (const journal of [lost, {}]) {
      expect(verdict(journal).funds.takerPayment).toMatchObject({ status: 'spent', by: 'maker' });
    }
  });
});

describe('who does the next step', () => {
  it('is the engine while the swap runs, or while an order is open after its end', () => {
    const verdict = verdictOf('in-progress');
    expect(live(verdict).next).toEqual(PERSON);
    expect(live(verdict, { state: 'refunding' }).next).toEqual({ ...PERSON, who: 'engine' });
    expect(live(verdict, { journal: { recoverSince: AT } }).next).toEqual({ ...PERSON, who: 'engine' });
    expect(live({ ...verdict, next: null }, { state: 'refunding' })).toEqual({ ...verdict, next: null });
    const mine = { ...verdict, next: { ...PERSON, who: 'engine' } as const };
    expect(live(mine, { state: 'refunding' })).toBe(mine);
  });
});

describe('a payment whose fate the log does not know', () => {
  const doubt = (role: Party, outcome: Outcome = 'funds-at-risk') =>
    verdictOf(outcome, { [role]: { status: 'uncertain' } });
  const NONE = { status: 'none', tx: null, by: null, claimable: [] };
  const attempted = { ...initialJournalContext().prepared, payment: [preparedOf()] };

  for (const role of PARTIES) {
    it(`is not in doubt if the ${role} handed it to nobody, or if it can never confirm`, () => {
      const { coin, amount } = leg(role);
      const given = doubt(role);
      const expected = { ...given.funds, [legOf(role)]: { coin, amount, ...NONE } };
      const kept = live(given, { role, state: 'paying' });
      expect(kept).toEqual({
        outcome: 'failed-before-payment',
        funds: expected,
        next: { action: 'finish', who: 'engine', notBefore: null, until: null, text: 'Close the swap.' },
      });
      expect(live(given, { role })).toEqual({ outcome: 'failed-before-payment', funds: expected, next: null });
      const voided = { ...settled(end(role, 'voided', null)), prepared: attempted };
      expect(live(given, { role, journal: voided })).toEqual({ ...kept, next: null });
    });
  }

  it('stays in doubt if it may be out, or if the earlier journal is missing', () => {
    const given = doubt('taker');
    expect(live(given, { journal: { prepared: attempted } })).toEqual(given);
    expect(live(given, { journal: { request: null } })).toEqual(given);
    expect(
      live(given, { journal: { ...settled(end('taker', 'claimed')), prepared: attempted } }).funds.takerPayment.status,
    ).toBe('spent');
    const other = { ...settled(end('maker', 'voided', null)), prepared: attempted };
    expect(live(given, { journal: other })).toEqual(given);
  });

  it('leaves an outcome that rests on something else', () => {
    const given = doubt('taker', 'claim-pending');
    expect(live(given)).toMatchObject({ outcome: 'claim-pending', next: PERSON, funds: { takerPayment: NONE } });
    const sure = verdictOf('funds-at-risk');
    expect(live(sure)).toEqual(sure);
  });
});

describe('an end that the journal saw final', () => {
  for (const role of PARTIES) {
    const other = otherOf(role);
    it(`is a claim of the ${role}: it completes the swap if that was open, or is over`, () => {
      const journal = settled(end(other, 'claimed'));
      const { coin, amount } = leg(other);
      for (const [outcome, state] of [
        ['funds-at-risk', 'claiming'],
        ['claim-pending', 'claiming'],
        ['funds-at-risk', 'finished'],
        ['refunded', 'finished'],
      ] as const) {
        const given = verdictOf(outcome);
        expect(live(given, { role, state, journal }), `${outcome} ${state}`).toEqual({
          outcome: 'completed',
          funds: {
            ...given.funds,
            [legOf(other)]: { coin, amount, status: 'spent', tx: FINAL, by: role, claimable: [] },
          },
          next: null,
        });
      }
    });

    it(`is a refund of the ${role}: a finished swap with coins at risk is refunded`, () => {
      const journal = settled(end(role, 'refunded'));
      const { coin, amount } = leg(role);
      const given = verdictOf('funds-at-risk');
      expect(live(given, { role, journal })).toEqual({
        outcome: 'refunded',
        funds: {
          ...given.funds,
          [legOf(role)]: { coin, amount, status: 'refunded', tx: FINAL, by: role, claimable: [] },
        },
        next: null,
      });
      expect(live(given, { role, state: 'refunding', journal }).outcome).toBe('funds-at-risk');
      expect(live(verdictOf('claim-pending'), { role, journal }).outcome).toBe('claim-pending');
    });
  }
});

describe('what the other side did after the end', () => {
  for (const role of PARTIES) {
    const other = otherOf(role);
    it(`is what the ${other} claimed of the ${role}’s, or refunded, after the end`, () => {
      const taken = live(verdictOf('failed-before-payment'), { role, journal: settled(end(role, 'claimed')) });
      expect(taken.funds).toEqual({
        ...verdictOf('failed-before-payment').funds,
        [legOf(role)]: leg(role, { status: 'spent', by: other, tx: FINAL, claimable: [] }),
      });
      const back = live(verdictOf('completed'), { role, journal: settled(end(other, 'refunded')) });
      expect(back).toEqual({
        ...verdictOf('completed'),
        funds: {
          ...verdictOf('completed').funds,
          [legOf(other)]: leg(other, { status: 'refunded', by: other, tx: FINAL, claimable: [] }),
        },
      });
      expect(
        live(verdictOf('in-progress', { next: null }), {
          role,
          state: 'waiting',
          journal: settled(end(other, 'refunded')),
        }),
      ).toEqual(verdictOf('in-progress', { next: null }));
    });
  }

  it('changes nothing in a swap that continues, or that is completed as the log says', () => {
    const journal = settled(end('maker', 'claimed', TOLD));
    const going = verdictOf('in-progress', { next: null });
    expect(live(going, { state: 'claiming', journal })).toBe(going);
    const done = verdictOf('completed', { maker: { status: 'spent' }, next: null });
    expect(live(done, { journal })).toBe(done);
    const refund = verdictOf('funds-at-risk');
    expect(live(refund, { journal: settled(end('taker', 'voided', null)) })).toBe(refund);
  });
});

describe('what an order has brought', () => {
  const tx = { tx_hex: 'aa', tx_hash: FINAL };
  for (const role of PARTIES) {
    const other = otherOf(role);
    it(`to the ${role} is in the verdict, whatever it was before`, () => {
      const recovered = { action: 'RefundedMyPayment', coin: 'any', tx } as const;
      expect(live(verdictOf('funds-at-risk'), { role, journal: { recovered } })).toMatchObject({
        outcome: 'refunded',
        next: null,
        funds: {
          [legOf(role)]: leg(role, { status: 'refunded', by: role, tx: FINAL, claimable: [] }),
          [legOf(other)]: leg(other),
        },
      });
      const spent = { action: 'SpentOtherPayment', coin: 'any', tx: null } as const;
      expect(live(verdictOf('in-progress'), { role, state: 'any', journal: { recovered: spent } })).toMatchObject({
        outcome: 'completed',
        next: null,
        funds: {
          [legOf(role)]: leg(role),
          [legOf(other)]: leg(other, { status: 'spent', by: role, tx: null, claimable: [] }),
        },
      });
    });
  }
});

describe('an end that was undone', () => {
  for (const role of PARTIES) {
    const other = otherOf(role);
    it(`is repaired by the engine: the ${role}’s claim, or its own payment`, () => {
      const given = verdictOf('funds-at-risk');
      expect(live(given, { role, journal: undone(other) })).toEqual({
        ...given,
        outcome: 'claim-pending',
        next: {
          ...PERSON,
          who: 'engine',
          text: `A reorganisation has undone the claim of the ${other} payment. Look at it.`,
        },
      });
      expect(live({ ...given, next: null }, { role, journal: undone(role) })).toEqual({
        ...given,
        outcome: 'refund-pending',
        next: {
          action: 'repair',
          who: 'engine',
          notBefore: null,
          until: null,
          text: `A reorganisation has undone the end of the ${role} payment.`,
        },
      });
    });

    it(`by the ${other}’s own refund leaves the ${role}’s payment to be refunded`, () => {
      const given = verdictOf('funds-at-risk');
      const own = role === 'maker' ? '1.5 DOC' : '3 MARTY';
      expect(live(given, { role, journal: settled(end(other, 'refunded', TOLD)) })).toMatchObject({
        outcome: 'refund-pending',
        next: {
          action: role === 'maker' ? 'refundMakerPayment' : 'refundTakerPayment',
          who: 'engine',
          notBefore: null,
          until: null,
          text: `The ${other} has taken its payment back: refund the ${role} payment (${own}) unless the ${other} has taken it.`,
        },
      });
      const both = settled(end(other, 'refunded', TOLD), end(role, 'claimed', TOLD));
      expect(live(given, { role, journal: both })).toMatchObject({ outcome: 'lost', next: null });
    });
  }

  it('is nothing before the end, or if no coins are at risk', () => {
    const risk = verdictOf('funds-at-risk');
    expect(live(risk, { state: 'claiming', journal: undone('maker') })).toMatchObject({ outcome: 'funds-at-risk' });
    const refused = settled(end('maker', 'refunded'));
    expect(live(risk, { state: 'claiming', journal: refused })).toMatchObject({ outcome: 'funds-at-risk' });
    const early = verdictOf('failed-before-payment');
    expect(live(early, { journal: undone('taker') })).toBe(early);
    expect(live(early, { journal: refused })).toMatchObject({ outcome: 'failed-before-payment' });
    const claimed = settled(end('maker', 'voided', null));
    expect(live(risk, { journal: claimed })).toBe(risk);
  });
});

describe('the id of an end', () => {
  it('is that of the transaction that became final, on each side, for refunds as for claims', () => {
    for (const [how, status] of [
      ['claimed', 'spent'],
      ['refunded', 'refunded'],
    ] as const) {
      for (const party of PARTIES) {
        const given = verdictOf('in-progress', { [party]: { status }, next: null });
        const told = live(given, { state: 'going', journal: settled(end(party, how)) });
        expect(told.funds[legOf(party)]).toEqual({ ...given.funds[legOf(party)], tx: FINAL });
        expect(told.funds[legOf(otherOf(party))]).toEqual(given.funds[legOf(otherOf(party))]);
      }
    }
  });

  it('stays if the final one is the same, is unknown, or ended otherwise', () => {
    const spent = verdictOf('in-progress', { maker: { status: 'spent' }, next: null });
    const ends = [
      end('maker', 'claimed', null),
      end('maker', 'claimed', TOLD),
      end('maker', 'refunded'),
      end('taker', 'claimed'),
    ];
    for (const one of ends) expect(live(spent, { state: 'going', journal: settled(one) })).toBe(spent);
  });
});

describe('what the log says about its end', () => {
  const judged = (role: Party, state: string, journal: Partial<JournalContext>) =>
    undoneEnds({ role, state, journal: { ...initialJournalContext(), ...journal } });

  for (const role of PARTIES) {
    const other = otherOf(role);

    it(`holds for a ${role} as long as nothing undid it`, () => {
      for (const journal of [
        {},
        settled(end(other, 'claimed')),
        settled(end(role, 'refunded')),
        settled(end(role, 'voided')),
      ]) {
        expect(judged(role, 'finished', journal)).toEqual({ claim: false, refund: false, taken: false });
      }
    });

    it(`is taken back for a ${role} if a chain has undone it, or shows another end`, () => {
      expect(judged(role, 'finished', undone(other))).toEqual({ claim: true, refund: false, taken: false });
      // Nothing final is known of the own payment: what took it may lose to a refund yet.
      const back = settled(end(other, 'refunded'));
      expect(judged(role, 'finished', back)).toEqual({ claim: true, refund: false, taken: true });
      const both = settled(end(other, 'refunded'), end(role, 'claimed'));
      expect(judged(role, 'finished', both)).toEqual({ claim: true, refund: true, taken: false });
      for (const journal of [undone(role), settled(end(role, 'claimed'))]) {
        expect(judged(role, 'finished', journal)).toEqual({ claim: false, refund: true, taken: false });
      }
      expect(judged(role, 'finished', { ...undone(other), ...settled(end(role, 'claimed')) })).toEqual({
        claim: true,
        refund: true,
        taken: false,
      });
    });

    it(`is not touched before the end of a ${role}’s swap`, () => {
      expect(judged(role, 'claiming', undone(other))).toEqual({ claim: false, refund: false, taken: false });
    });
  }

  it('is a claim in doubt, and no refund: the coins are at risk again', () => {
    const claimed = takerContext({
      takerPayment: tx('paid'),
      makerPayment: tx('theirs'),
      secret: SECRET,
      makerPaymentSpend: tx('claim'),
      makerPaymentSpendConfirmed: true,
      makerPaymentValidated: true,
      finishedAt: TAKER_LOCK,
    });
    const judgedAs = (journal: Partial<JournalContext>) =>
      takerSwapVerdict('finished', claimed, { ...initialJournalContext(), ...journal });
    expect(judgedAs({}).outcome).toBe('completed');
    expect(judgedAs(undone('maker'))).toMatchObject({
      outcome: 'claim-pending',
      funds: { makerPayment: { status: 'uncertain' } },
    });
    const refunded = makerContext({
      makerPayment: tx('paid'),
      makerPaymentRefunded: true,
      makerPaymentRefund: tx('refund'),
      finishedAt: TAKER_LOCK,
    });
    const back = (journal: Partial<JournalContext>) =>
      makerSwapVerdict('finished', refunded, { ...initialJournalContext(), ...journal });
    expect(back({}).outcome).toBe('refunded');
    expect(back(undone('maker'))).toMatchObject({
      outcome: 'refund-pending',
      funds: { makerPayment: { status: 'locked', tx: 'paid' } },
    });
    expect(back(settled(end('maker', 'claimed'))).funds.makerPayment).toMatchObject({ status: 'spent', by: 'taker' });
  });
});

describe('what a chain has undone of a finished log', () => {
  const HASH = { claim: 'claim', refund: 'refund' };
  const verdict = (role: Party, facts: { readonly claim?: true; readonly refund?: true }, journal = {}) => {
    const whole = { ...initialJournalContext(), ...journal };
    const { claim = false, refund = false } = facts;
    const claimTx = claim ? tx(HASH.claim) : null;
    const refundTx = refund ? tx(HASH.refund) : null;
    const known = { makerPayment: tx('maker'), takerPayment: tx('taker'), finishedAt: TAKER_LOCK };
    if (role === 'taker') {
      const ends = { makerPaymentSpend: claimTx, makerPaymentSpendConfirmed: claim };
      const own = { takerPaymentRefund: refundTx, takerPaymentRefunded: refund, makerPaymentValidated: true };
      const secret = claim ? SECRET : null;
      return takerSwapVerdict('finished', takerContext({ ...known, ...ends, ...own, secret }), whole);
    }
    const ends = { takerPaymentSpend: claimTx, takerPaymentSpendConfirmed: claim, takerPaymentValidated: true };
    const own = { makerPaymentRefund: refundTx, makerPaymentRefunded: refund };
    return makerSwapVerdict('finished', makerContext({ ...known, ...ends, ...own }), whole);
  };

  for (const role of PARTIES) {
    const other = otherOf(role);

    it(`is not an end for the ${role}: the claim is in doubt, the refund does not count`, () => {
      expect(verdict(role, { claim: true }).funds[legOf(other)]).toMatchObject({ status: 'spent', tx: HASH.claim });
      const claim = verdict(role, { claim: true }, undone(other));
      expect(claim.outcome).toBe('claim-pending');
      expect(claim.funds[legOf(other)]).toMatchObject({ status: 'uncertain' });
      expect(verdict(role, { refund: true }).funds[legOf(role)]).toMatchObject({ status: 'refunded', tx: HASH.refund });
      const refund = verdict(role, { refund: true }, undone(role));
      expect(refund.outcome).toBe('refund-pending');
      expect(refund.funds[legOf(role)]).toMatchObject({ status: 'locked', tx: role });
    });

    it(`is no doubt about a claim that the ${role}’s log does not have`, () => {
      const { funds } = verdict(role, { refund: true }, undone(other));
      expect(funds[legOf(other)]).toMatchObject({ status: 'locked', tx: other });
      expect(funds[legOf(role)]).toMatchObject({ status: 'refunded', tx: HASH.refund });
    });
  }
});

describe('a log without a journal', () => {
  it('is judged by its events, and nobody drives it', () => {
    const given = verdictOf('funds-at-risk', { taker: { status: 'uncertain' } });
    expect(judge(given, { role: 'taker', state: 'refunding', journal: NO_JOURNAL })).toBe(given);
    const driven = judge(given, { role: 'taker', state: 'refunding', journal: initialJournalContext() });
    expect(driven).toEqual({ ...given, next: { ...PERSON, who: 'engine' } });
  });
});

describe('what is left of a swap whose other payment was refunded', () => {
  const back = (role: Party, more: Settlement[] = []) => ({
    ...initialJournalContext(),
    ...settled(end(otherOf(role), 'refunded'), ...more),
  });

  it('is not a claim: the own payment is refunded, or closed once it is', () => {
    const taker = takerContext({ takerPayment: tx('paid') });
    expect(effects(takerSwapWants('waitingForSpend', taker, back('taker')))).toEqual(['refundTakerPayment']);
    const refunded = { ...taker, takerPaymentRefunded: true };
    expect(effects(takerSwapWants('refunded', refunded, back('taker')))).toEqual(['finishRefund']);
    expect(effects(takerSwapWants('refundFailed', refunded, back('taker')))).toEqual(['finish']);
    const maker = makerContext({ makerPayment: tx('paid'), takerPaymentValidated: true });
    expect(effects(makerSwapWants('refunding', maker, back('maker')))).toEqual(['refundMakerPayment']);
  });

  it('is what it was if the other payment was claimed or made impossible', () => {
    const taker = takerContext({ takerPayment: tx('paid'), secret: SECRET });
    const maker = makerContext({ makerPayment: tx('paid'), takerPaymentValidated: true });
    for (const how of ['claimed', 'voided'] as const) {
      const journal = (payment: Party) => ({ ...initialJournalContext(), ...settled(end(payment, how)) });
      expect(takerSwapWants('claiming', taker, journal('maker'))).toEqual(takerSwapWants('claiming', taker));
      expect(makerSwapWants('refunding', maker, journal('taker'))).toEqual(makerSwapWants('refunding', maker));
    }
  });

  it('is a maker’s refund whatever its log says about its claim, unless its own payment was claimed', () => {
    const claimed = makerContext({ makerPayment: tx('paid'), takerPaymentSpend: tx('claim') });
    const wants = (more: Settlement[]) => effects(makerSwapWants('claimUnconfirmed', claimed, back('maker', more)));
    expect([wants([]), wants([end('maker', 'refunded')])]).toEqual([['refundMakerPayment'], ['refundMakerPayment']]);
    expect(wants([end('maker', 'claimed')])).toEqual(['closeLost']);
    const refunded = { ...claimed, makerPaymentRefunded: true };
    expect(effects(makerSwapWants('refunded', refunded, back('maker')))).toEqual(['finishRefund']);
    expect(effects(makerSwapWants('refundFailed', refunded, back('maker')))).toEqual(['finish']);
  });

  it('is nothing if the own payment is claimed too', () => {
    const taker = takerContext({ takerPayment: tx('paid'), secret: SECRET });
    expect(effects(takerSwapWants('claiming', taker, back('taker')))).toEqual(['closeLost']);
    const maker = makerContext({ makerPayment: tx('paid'), takerPaymentValidated: true });
    const lost = back('maker', [end('maker', 'claimed')]);
    expect(effects(makerSwapWants('refunding', maker, lost))).toEqual(['closeLost']);
    expect(makerSwapVerdict('claiming', maker, lost).next).toMatchObject({ action: 'closeLost', who: 'engine' });
  });
});

describe('an operator', () => {
  const PAUSED = { ...initialJournalContext(), paused: true };
  const paying = takerContext({ makerPaymentValidated: true });

  const HELD = [
    ['taker', 'created', 'start'],
    ['taker', 'negotiating', 'negotiate'],
    ['taker', 'sendingTakerFee', 'sendTakerFee'],
    ['taker', 'waitingForMakerPayment', 'waitForMakerPayment'],
    ['taker', 'instructionsReceived', 'waitForMakerPayment'],
    ['taker', 'sendingTakerPayment', 'sendTakerPayment'],
    ['maker', 'created', 'start'],
    ['maker', 'negotiating', 'negotiate'],
    ['maker', 'waitingForTakerFee', 'waitForTakerFee'],
    ['maker', 'instructionsReceived', 'waitForTakerFee'],
    ['maker', 'sendingMakerPayment', 'sendMakerPayment'],
  ] as const;

  for (const [role, state, effect] of HELD) {
    it(`who pauses a ${role} in ${state} keeps ${effect} from being done as long as no payment may be out`, () => {
      const wants = (journal: Partial<JournalContext>) => {
        const whole = { ...initialJournalContext(), ...journal };
        return effects(
          role === 'taker'
            ? takerSwapWants(state, takerContext(), whole)
            : makerSwapWants(state, makerContext(), whole),
        );
      };
      const out = (attemptedAt: Millis | null) => ({
        prepared: { ...PAUSED.prepared, payment: [preparedOf({ attemptedAt: null }), preparedOf({ attemptedAt })] },
      });
      expect(wants({})).toEqual([effect]);
      expect(wants({ paused: true })).toEqual([]);
      expect(wants({ paused: true, ...out(null) })).toEqual([]);
      expect(wants({ paused: true, ...out(AT) })).toEqual([effect]);
      expect(wants({ paused: true, recoverSince: AT })).toEqual(['recover']);
    });
  }

  it('who pauses a swap blocks no claim, refund, close or watch of its end', () => {
    const known = takerContext({ takerPayment: tx('paid'), secret: SECRET });
    const shown = makerContext({ makerPayment: tx('paid'), takerPaymentValidated: true });
    const all = [
      takerSwapWants('claiming', known, PAUSED),
      takerSwapWants('startFailed', takerContext(), PAUSED),
      takerSwapWants('finished', known, PAUSED),
      takerSwapWants('confirmingMakerPayment', takerContext(), PAUSED),
      makerSwapWants('claiming', shown, PAUSED),
      makerSwapWants('refunding', shown, PAUSED),
      makerSwapWants('waitingForTakerPayment', shown, PAUSED),
    ];
    expect(all.map(effects)).toEqual([
      ['spendMakerPayment'],
      ['finish'],
      ['guard'],
      ['validateMakerPayment'],
      ['spendTakerPayment'],
      ['spendTakerPayment', 'findMakerPaymentSpend', 'refundMakerPayment'],
      ['waitForTakerPayment'],
    ]);
  });

  it('who pauses a swap stops new commitments, and nothing once the own payment may be out', () => {
    expect(effects(takerSwapWants('sendingTakerPayment', paying, PAUSED))).toEqual([]);
    const prepared = (attemptedAt: Millis | null) => ({
      ...PAUSED,
      prepared: { ...PAUSED.prepared, payment: [preparedOf({ attemptedAt })] },
    });
    expect(effects(takerSwapWants('sendingTakerPayment', paying, prepared(null)))).toEqual([]);
    expect(effects(takerSwapWants('sendingTakerPayment', paying, prepared(AT)))).toEqual(['sendTakerPayment']);
    expect(effects(takerSwapWants('refunding', paying, PAUSED))).toEqual([
      'findTakerPaymentSpend',
      'refundTakerPayment',
    ]);
    // What comes next once it goes on is told all the same.
    expect(takerSwapVerdict('sendingTakerPayment', paying, PAUSED).next?.action).toBe('sendTakerPayment');
  });

  it('who orders a recovery is answered first, before and after the end', () => {
    const ordered = { ...initialJournalContext(), recoverSince: AT };
    expect(effects(takerSwapWants('refunding', paying, ordered))).toEqual([
      'recover',
      'findTakerPaymentSpend',
      'refundTakerPayment',
    ]);
    expect(effects(takerSwapWants('finished', paying, ordered))).toEqual(['guard']);
  });

  it('has a finished swap guarded by the engine that keeps its log, and by no other', () => {
    expect(effects(makerSwapWants('finished', makerContext(), initialJournalContext()))).toEqual(['guard']);
    expect(makerSwapWants('finished', makerContext())).toEqual([]);
  });
});

function effects(wants: readonly { readonly effect: string }[]): readonly string[] {
  return wants.map(({ effect }) => effect);
}
