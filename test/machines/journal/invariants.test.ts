import { describe, expect, it } from 'vitest';
import { initialJournalContext, type JournalContext, NO_JOURNAL } from '../../../machines/journal/context.ts';
import { isEndOf, journalInvariants, wantsEnough } from '../../../machines/journal/invariants.ts';
import { makerSwap } from '../../../machines/maker-swap/definition.ts';
import { makerSwapInvariants } from '../../../machines/maker-swap/invariants.ts';
import type { Outcome, Party } from '../../../machines/swap-verdict.ts';
import { takerSwap } from '../../../machines/taker-swap/definition.ts';
import { takerSwapInvariants } from '../../../machines/taker-swap/invariants.ts';
import { requestOf } from '../../support/swap-pair.ts';
import { NOW, preparedOf } from '../../support/turns.ts';

type Settled = NonNullable<JournalContext['settled']['maker']>;

const settled = (payment: Party, how: Settled['how']): Settled => ({
  ...{ payment, how, by: 'self', tx_hash: 'ee', confirmations: 9, at: NOW },
});
const undone = (payment: Party) => ({ payment, tx_hash: 'ee', confirmations: 0, before: 4, at: NOW });

const journalOf = (changes: Partial<JournalContext> = {}, role: Party = 'taker'): JournalContext => ({
  ...initialJournalContext(),
  request: requestOf(role),
  ...changes,
});
const withPayment = (payment: Parameters<typeof preparedOf>[0], changes: Partial<JournalContext> = {}) => {
  const journal = journalOf(changes);
  return { ...journal, prepared: { ...journal.prepared, payment: [preparedOf(payment)] } };
};

/** Which rules a taker breaks, of which the other side has done its part or not, and which is judged so. */
function broken(
  journal: JournalContext | undefined,
  { ready = true, outcome = 'in-progress' }: { readonly ready?: boolean; readonly outcome?: Outcome } = {},
): readonly string[] {
  const rules = journalInvariants<null>({
    role: 'taker',
    ids: ['paid', 'denied', 'ended'],
    mayPay: () => ready,
    verdict: () => ({ outcome }),
  });
  return rules.filter(({ holds }) => !holds('any', null, journal)).map(({ id }) => id);
}

describe('a rule about the journal is broken', () => {
  it('by a payment that was handed out before the other side had done its part', () => {
    expect(broken(withPayment({}), { ready: false })).toEqual(['paid']);
    expect(broken(withPayment({}))).toEqual([]);
    expect(broken(withPayment({ attemptedAt: null }), { ready: false })).toEqual([]);
    // Of a log that came from elsewhere nobody knows what its events leave out.
    expect(broken(withPayment({}, { request: null }), { ready: false })).toEqual([]);
  });

  it('by a payment that a node accepted and the verdict denies, unless it was made impossible', () => {
    const failed = { outcome: 'failed-before-payment' } as const;
    const taken = { acceptedAt: NOW };
    expect(broken(withPayment(taken), failed)).toEqual(['denied']);
    expect(broken(withPayment(taken))).toEqual([]);
    expect(broken(withPayment({}), failed)).toEqual([]);
    const ends = (maker: Settled | null, taker: Settled | null) =>
      broken(withPayment({ acceptedAt: NOW }, { settled: { maker, taker } }), failed);
    expect(ends(null, settled('taker', 'voided'))).toEqual([]);
    expect(ends(settled('maker', 'voided'), null)).toEqual(['denied']);
    expect(ends(null, settled('taker', 'refunded'))).toEqual(['denied']);
  });

  it('by an end that is final and undone at once', () => {
    for (const payment of ['maker', 'taker'] as const) {
      const other = payment === 'maker' ? 'taker' : 'maker';
      const none = { maker: null, taker: null };
      const ended = { ...none, [payment]: settled(payment, 'claimed') };
      expect(broken(journalOf({ settled: ended, reorged: { ...none, [payment]: undone(payment) } }))).toEqual([
        'ended',
      ]);
      expect(broken(journalOf({ settled: ended, reorged: { ...none, [other]: undone(other) } }))).toEqual([]);
    }
  });

  it('by no log without an engine', () => {
    expect(broken(undefined, { ready: false, outcome: 'failed-before-payment' })).toEqual([]);
  });
});

describe('what a state wants', () => {
  const enough = (state: string, effects: readonly string[], journal: Partial<JournalContext>) =>
    wantsEnough(state, effects, { ...NO_JOURNAL, ...journal });

  it('is something until the end, unless it is paused', () => {
    expect([enough('any', [], {}), enough('any', ['pay'], {}), enough('any', [], { paused: true })]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('at the end is what its engine does there, and nothing for a log without an engine', () => {
    const ends = [[], ['guard'], ['finish'], ['guard', 'finish']];
    expect(ends.map((effects) => enough('finished', effects, { kept: true }))).toEqual([false, true, false, false]);
    expect(ends.map((effects) => enough('finished', effects, {}))).toEqual([true, false, false, false]);
  });
});

describe('an end that a chain has shown for good', () => {
  it('is that of the own payment for a refund, and of the other payment for a claim', () => {
    const maker = journalOf({ settled: { maker: settled('maker', 'refunded'), taker: settled('taker', 'claimed') } });
    expect(isEndOf('refunded', 'maker', maker)).toBe(true);
    expect(isEndOf('completed', 'maker', maker)).toBe(true);
    expect(isEndOf('refunded', 'taker', maker)).toBe(false);
    expect(isEndOf('completed', 'taker', maker)).toBe(false);
  });

  it('is also what was recovered', () => {
    const recovered = (action: 'RefundedMyPayment' | 'SpentOtherPayment') =>
      journalOf({ recovered: { action, coin: 'DOC', tx: null } });
    const ends = (action: Parameters<typeof recovered>[0]) =>
      (['refunded', 'completed'] as const).map((outcome) => isEndOf(outcome, 'maker', recovered(action)));
    expect([ends('RefundedMyPayment'), ends('SpentOtherPayment')]).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

it('each side pays only once the other one has done its part', () => {
  const journal = withPayment({});
  const holds = <C>(
    rules: readonly { readonly id: string; holds: (s: string, c: C, j: JournalContext) => boolean }[],
    id: string,
    context: C,
  ) => rules.find((rule) => rule.id === id)?.holds('any', context, journal);
  const [taker, maker] = [takerSwap.initialContext(), makerSwap.initialContext()];
  const tx = { tx_hex: '00', tx_hash: 'ff' };
  expect(holds(takerSwapInvariants, 'T9', taker)).toBe(false);
  expect(holds(takerSwapInvariants, 'T9', { ...taker, makerPaymentValidated: true })).toBe(true);
  expect(holds(makerSwapInvariants, 'M10', maker)).toBe(false);
  expect(holds(makerSwapInvariants, 'M10', { ...maker, takerFee: tx })).toBe(true);
});
