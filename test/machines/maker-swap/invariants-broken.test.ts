import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Want } from '../../../machines/definition.ts';
import type { MakerSwapContext } from '../../../machines/maker-swap/context.ts';
import { makerSwapInvariants } from '../../../machines/maker-swap/invariants.ts';
import type { MakerSwapEffect } from '../../../machines/swap-effects.ts';
import type { Outcome } from '../../../machines/swap-verdict.ts';
import { makerContext, START, tx } from '../../support/swap-contexts.ts';

/** What the machine answers in place of its own rules, where a test says so. */
const planted = vi.hoisted(() => ({
  wants: null as readonly Want<MakerSwapEffect>[] | null,
  outcome: null as Outcome | null,
}));

vi.mock(import('../../../machines/maker-swap/wants.ts'), async (original) => {
  const own = await original();
  return { ...own, makerSwapWants: (...given) => planted.wants ?? own.makerSwapWants(...given) };
});

vi.mock(import('../../../machines/maker-swap/verdict.ts'), async (original) => {
  const own = await original();
  const makerSwapVerdict: typeof own.makerSwapVerdict = (...given) => {
    const verdict = own.makerSwapVerdict(...given);
    return planted.outcome === null ? verdict : { ...verdict, outcome: planted.outcome };
  };
  return { ...own, makerSwapVerdict };
});

afterEach(() => Object.assign(planted, { wants: null, outcome: null }));

type Facts = Partial<MakerSwapContext>;

function holds(id: string, state: string, facts: Facts = {}): boolean {
  const invariant = makerSwapInvariants.find((one) => one.id === id);
  if (invariant === undefined) throw new Error(`there is no ${id}`);
  return invariant.holds(state, makerContext(facts));
}

const wanting = (...effects: readonly MakerSwapEffect[]) => {
  planted.wants = effects.map((effect) => ({ effect }));
};

const paid: Facts = { takerFee: tx('fee'), makerPayment: tx('maker pays') };
const bothPaid: Facts = { ...paid, takerPayment: tx('taker pays'), takerPaymentValidated: true };
const claimed: Facts = { ...bothPaid, takerPaymentSpend: tx('claim') };

describe('an invariant of the maker is broken', () => {
  it('M1: by the wish to pay before the fee of the taker was validated', () => {
    expect(holds('M1', 'sendingMakerPayment')).toBe(false);
    expect(holds('M1', 'sendingMakerPayment', { takerFee: tx('fee') })).toBe(true);
    expect(holds('M1', 'waitingForTakerFee')).toBe(true);
  });

  it('M2: by a claim, which shows the secret, of a payment that was not validated', () => {
    expect(holds('M2', 'claimSent', { ...claimed, takerPaymentValidated: false })).toBe(false);
    expect(holds('M2', 'claimSent', claimed)).toBe(true);
    expect(holds('M2', 'confirmingTakerPayment', { ...bothPaid, takerPaymentValidated: false })).toBe(true);
  });

  it('M3: by the refund of a payment that was not sent', () => {
    expect(holds('M3', 'refunding')).toBe(false);
    expect(holds('M3', 'refunding', paid)).toBe(true);
    expect(holds('M3', 'negotiating')).toBe(true);
  });

  it('M4: by a state that waits for nothing, and by an end that wants something', () => {
    expect(holds('M4', 'negotiating')).toBe(true);
    expect(holds('M4', 'finished')).toBe(true);
    wanting();
    expect(holds('M4', 'negotiating')).toBe(false);
    wanting('finish');
    expect(holds('M4', 'finished')).toBe(false);
  });

  it('M5: by a swap that is refunded and called completed without a confirmed claim', () => {
    const refunded = { ...claimed, takerPaymentSpendDoubtful: true, makerPaymentRefunded: true };
    expect(holds('M5', 'finished', refunded)).toBe(true);
    planted.outcome = 'completed';
    expect(holds('M5', 'finished', refunded)).toBe(false);
    expect(holds('M5', 'finished', { ...refunded, takerPaymentSpendConfirmed: true })).toBe(true);
    expect(holds('M5', 'finished', claimed)).toBe(true);
  });

  it('M6: by an end without a moment, and a moment without an end', () => {
    expect(holds('M6', 'negotiating', { finishedAt: START })).toBe(false);
    expect(holds('M6', 'finished', { finishedAt: null })).toBe(false);
    expect(holds('M6', 'negotiating', { finishedAt: null })).toBe(true);
    expect(holds('M6', 'finished', { finishedAt: START })).toBe(true);
  });
});

describe('an invariant of the maker about a claim or a refund is broken', () => {
  it('M7: by anything but the claim once it was broadcast, until it is confirmed', () => {
    wanting('spendTakerPayment', 'confirmTakerPaymentSpend');
    expect(holds('M7', 'claimUnconfirmed', claimed)).toBe(true);
    for (const effect of ['refundMakerPayment', 'findMakerPaymentSpend', 'finish'] as const) {
      wanting('spendTakerPayment', effect);
      expect(holds('M7', 'claimUnconfirmed', claimed), effect).toBe(false);
      expect(holds('M7', 'claimUnconfirmed', bothPaid), effect).toBe(true);
      expect(holds('M7', 'claimUnconfirmed', { ...claimed, takerPaymentSpendConfirmed: true }), effect).toBe(true);
      expect(holds('M7', 'finished', claimed), effect).toBe(true);
    }
  });

  it('M8: by a wanted claim without the moment from which the taker can refund', () => {
    const unchecked = { ...bothPaid, takerPaymentValidated: false };
    expect(holds('M8', 'claiming', bothPaid)).toBe(true);
    expect(holds('M8', 'claiming', unchecked)).toBe(false);
    expect(holds('M8', 'claiming', { ...unchecked, negotiated: null })).toBe(true);
    expect(holds('M8', 'confirmingTakerPayment', unchecked)).toBe(true);
  });

  it('M9: by the claim of a taker payment that is already spent or was never announced', () => {
    expect(holds('M9', 'claiming', claimed)).toBe(false);
    expect(holds('M9', 'claiming')).toBe(false);
    expect(holds('M9', 'claiming', { ...claimed, takerPaymentSpendDoubtful: true })).toBe(true);
    expect(holds('M9', 'claiming', bothPaid)).toBe(true);
    expect(holds('M9', 'claimSent', claimed)).toBe(true);
  });

  it('M9: by the refund of a maker payment that came back already or was never sent', () => {
    expect(holds('M9', 'refunding', { ...paid, makerPaymentRefunded: true })).toBe(false);
    expect(holds('M9', 'refunding')).toBe(false);
    expect(holds('M9', 'refunding', paid)).toBe(true);
    expect(holds('M9', 'refunded', { ...paid, makerPaymentRefunded: true })).toBe(true);
    expect(holds('M9', 'finished')).toBe(true);
  });
});
