import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Want } from '../../../machines/definition.ts';
import type { TakerSwapEffect } from '../../../machines/swap-effects.ts';
import type { Outcome } from '../../../machines/swap-verdict.ts';
import type { TakerSwapContext } from '../../../machines/taker-swap/context.ts';
import { takerSwapInvariants } from '../../../machines/taker-swap/invariants.ts';
import { at, SECRET, START, takerContext, tx } from '../../support/swap-contexts.ts';

/** What the machine answers in place of its own rules, where a test says so. */
const planted = vi.hoisted(() => ({
  wants: null as readonly Want<TakerSwapEffect>[] | null,
  outcome: null as Outcome | null,
}));

vi.mock(import('../../../machines/taker-swap/wants.ts'), async (original) => {
  const own = await original();
  return { ...own, takerSwapWants: (...given) => planted.wants ?? own.takerSwapWants(...given) };
});

vi.mock(import('../../../machines/taker-swap/verdict.ts'), async (original) => {
  const own = await original();
  const takerSwapVerdict: typeof own.takerSwapVerdict = (...given) => {
    const verdict = own.takerSwapVerdict(...given);
    return planted.outcome === null ? verdict : { ...verdict, outcome: planted.outcome };
  };
  return { ...own, takerSwapVerdict };
});

afterEach(() => Object.assign(planted, { wants: null, outcome: null }));

type Facts = Partial<TakerSwapContext>;

function holds(id: string, state: string, facts: Facts = {}): boolean {
  const invariant = takerSwapInvariants.find((one) => one.id === id);
  if (invariant === undefined) throw new Error(`there is no ${id}`);
  return invariant.holds(state, takerContext(facts));
}

const wanting = (...effects: readonly TakerSwapEffect[]) => {
  planted.wants = effects.map((effect) => ({ effect }));
};

const paid: Facts = { makerPayment: tx('maker pays'), makerPaymentValidated: true, takerPayment: tx('taker pays') };
const secretSeen: Facts = { ...paid, secret: SECRET, takerPaymentSpend: tx('maker takes') };
const failure = (event: string) => ({ event, at: at(0), error: 'down' });

describe('an invariant of the taker is broken', () => {
  it('T1: by the wish to pay for a maker payment that was not validated', () => {
    expect(holds('T1', 'sendingTakerPayment')).toBe(false);
    expect(holds('T1', 'sendingTakerPayment', { makerPaymentValidated: true })).toBe(true);
    expect(holds('T1', 'confirmingMakerPayment')).toBe(true);
  });

  it('T2: by anything but the claim once the secret is public, until the claim is confirmed', () => {
    wanting('findTakerPaymentSpend', 'spendMakerPayment', 'confirmMakerPaymentSpend');
    expect(holds('T2', 'refunding', secretSeen)).toBe(true);
    for (const effect of ['refundTakerPayment', 'finish', 'waitForTakerPaymentSpend'] as const) {
      wanting('spendMakerPayment', effect);
      expect(holds('T2', 'refunding', secretSeen), effect).toBe(false);
      expect(holds('T2', 'refunding', paid), effect).toBe(true);
      expect(holds('T2', 'refunding', { ...secretSeen, makerPaymentSpendConfirmed: true }), effect).toBe(true);
      expect(holds('T2', 'finished', secretSeen), effect).toBe(true);
    }
  });

  it('T3: by a claim that nothing in the log explains', () => {
    const claimed = { ...paid, makerPaymentSpend: tx('claim'), makerPaymentSpentBy: 'self' } as const;
    expect(holds('T3', 'confirmingClaim', claimed)).toBe(false);
    expect(holds('T3', 'confirmingClaim', { ...claimed, failures: [failure('TakerPaymentWaitForSpendFailed')] })).toBe(
      false,
    );
    const explanations: readonly Facts[] = [
      { makerPaymentSpend: null },
      { makerPaymentSpentBy: 'watcher' },
      { secret: SECRET },
      { watcherPreimages: [null, null] },
      { failures: [failure('StartFailed'), failure('MakerPaymentSpendConfirmFailed')] },
    ];
    for (const one of explanations) expect(holds('T3', 'confirmingClaim', { ...claimed, ...one })).toBe(true);
  });
});

describe('an invariant of the taker about its end is broken', () => {
  it('T4: by a state that waits for nothing, and by an end that wants something', () => {
    expect(holds('T4', 'negotiating')).toBe(true);
    expect(holds('T4', 'finished')).toBe(true);
    wanting();
    expect(holds('T4', 'negotiating')).toBe(false);
    wanting('finish');
    expect(holds('T4', 'finished')).toBe(false);
  });

  it('T5: by a swap that is called refunded without a refund or with a public secret', () => {
    planted.outcome = 'refunded';
    const refunded = { ...paid, takerPaymentRefunded: true };
    expect(holds('T5', 'refunded', refunded)).toBe(true);
    expect(holds('T5', 'refunded', paid)).toBe(false);
    expect(holds('T5', 'refunded', { ...refunded, secret: SECRET })).toBe(false);
  });

  it('T5: by a swap that is called completed without a claim', () => {
    planted.outcome = 'completed';
    expect(holds('T5', 'finished', secretSeen)).toBe(false);
    expect(holds('T5', 'finished', { ...secretSeen, makerPaymentSpend: tx('claim') })).toBe(true);
    expect(holds('T5', 'finished', { ...secretSeen, makerPaymentSpendConfirmed: true })).toBe(true);
    planted.outcome = 'claim-pending';
    expect(holds('T5', 'finished', secretSeen)).toBe(true);
  });

  it('T6: by an end without a moment, and a moment without an end', () => {
    expect(holds('T6', 'negotiating', { finishedAt: START })).toBe(false);
    expect(holds('T6', 'finished', { finishedAt: null })).toBe(false);
    expect(holds('T6', 'negotiating', { finishedAt: null })).toBe(true);
    expect(holds('T6', 'finished', { finishedAt: START })).toBe(true);
  });
});

describe('an invariant of the taker about a claim or a refund is broken', () => {
  it('T7: by a wanted claim without the moment from which the maker can refund', () => {
    expect(holds('T7', 'claiming', secretSeen)).toBe(true);
    wanting('spendMakerPayment');
    expect(holds('T7', 'confirmingClaim', secretSeen)).toBe(true);
    expect(holds('T7', 'waitingForSpend', paid)).toBe(false);
    expect(holds('T7', 'waitingForSpend', { ...paid, negotiated: null })).toBe(true);
    wanting('waitForTakerPaymentSpend');
    expect(holds('T7', 'waitingForSpend', paid)).toBe(true);
  });

  it('T8: by the claim of a maker payment that is already spent', () => {
    const claimed: Facts = { ...secretSeen, makerPaymentSpend: tx('claim') };
    expect(holds('T8', 'claiming', claimed)).toBe(false);
    expect(holds('T8', 'claiming', { ...claimed, makerPaymentSpendDoubtful: true })).toBe(true);
    expect(holds('T8', 'claiming', secretSeen)).toBe(true);
    expect(holds('T8', 'claiming', { ...secretSeen, makerPayment: null })).toBe(true);
    expect(holds('T8', 'confirmingClaim', claimed)).toBe(true);
  });

  it('T8: by the refund of a taker payment that came back already', () => {
    expect(holds('T8', 'refunding', { ...paid, takerPaymentRefunded: true })).toBe(false);
    expect(holds('T8', 'refunding', paid)).toBe(true);
    expect(holds('T8', 'refunding')).toBe(true);
    expect(holds('T8', 'refunded', { ...paid, takerPaymentRefunded: true })).toBe(true);
    expect(holds('T8', 'finished')).toBe(true);
  });
});
