import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECOVERED_ACTION, type Recovery } from '../../../machines/recovery/facts.ts';
import { recoverFunds } from '../../../machines/recovery/recover.ts';
import { draws } from '../../support/draws.ts';
import { type Case, cases, decide, partsOf, type Role, secretOfCase, type World, worlds } from './world.ts';

const ROLES: readonly Role[] = ['taker', 'maker'];

const claims = (decision: Recovery) => 'action' in decision && decision.action === 'spendOtherPayment';
const refunds = (decision: Recovery) => 'action' in decision && decision.action === 'refundOwnPayment';

/** A log that knows of a payment which a chain never had is of another world. */
function fits({ swap }: Case, world: World): boolean {
  const { own, other } =
    swap.role === 'taker'
      ? { own: swap.context.takerPayment, other: swap.context.makerPayment }
      : { own: swap.context.makerPayment, other: swap.context.takerPayment };
  return (own === null || world.own !== 'absent') && (other === null || world.other !== 'absent');
}

describe.each(ROLES)('recovery of a %s', (role) => {
  const scene = fc.record({ at: cases(role), world: worlds }).filter(({ at, world }) => fits(at, world));

  it('ends after at most six look-ups, each asked for once', () => {
    fc.assert(
      fc.property(scene, fc.constantFrom('engine', 'kdf'), ({ at, world }, mode) => {
        const { asked, decision } = decide(at, world, mode);
        expect('look' in decision).toBe(false);
        expect(new Set(asked).size).toBe(asked.length);
        expect(asked.length).toBeLessThanOrEqual(6);
      }),
      { numRuns: draws({ sample: 33, change: 100, release: 200 }) },
    );
  });

  it('refunds only an own payment that is unspent and that the chain lets it refund', () => {
    fc.assert(
      fc.property(scene, fc.constantFrom('engine', 'kdf'), ({ at, world }, mode) => {
        const { decision } = decide(at, world, mode);
        if (!refunds(decision)) return;
        expect(world).toMatchObject({ own: 'unspent', refundableFrom: null, autoRefund: false });
        expect(decision).toMatchObject({ payment: partsOf(at).own.payment });
      }),
      { numRuns: draws({ sample: 33, change: 100, release: 200 }) },
    );
  });

  it('claims only an unspent other payment, with the secret of the swap', () => {
    fc.assert(
      fc.property(scene, fc.constantFrom('engine', 'kdf'), ({ at, world }, mode) => {
        const { decision } = decide(at, world, mode);
        if (!claims(decision)) return;
        expect(world.other).toBe('unspent');
        expect(decision).toMatchObject({ payment: partsOf(at).other.payment, secret: secretOfCase(at) });
      }),
      { numRuns: draws({ sample: 33, change: 100, release: 200 }) },
    );
  });

  it('does nothing on the strength of a look-up that failed', () => {
    fc.assert(
      fc.property(scene, fc.constantFrom('engine', 'kdf'), ({ at, world }, mode) => {
        const { asked, decision } = decide(at, world, mode);
        if (world.failing === null || !asked.includes(world.failing)) return;
        // Before the taker's lock a maker claims whatever its own chain says, for nothing can have been taken back there.
        const early =
          role === 'maker' && mode === 'engine' && world.failing.startsWith('own') && !world.otherRefundable;
        if (early && asked.includes('otherRefundable')) return;
        expect(decision).toMatchObject({ reason: 'lookUpFailed' });
        expect('refused' in decision && decision.refused).toContain(`no answer about ${world.failing}`);
      }),
      { numRuns: draws({ sample: 33, change: 100, release: 200 }) },
    );
  });

  it('gives nothing before the negotiation, whatever the chains hold', () => {
    fc.assert(
      fc.property(scene, ({ at, world }) => {
        if (at.swap.context.negotiated !== null) return;
        const { asked, decision } = decide(at, world);
        expect({ asked, reason: 'reason' in decision && decision.reason }).toEqual({ asked: [], reason: 'notStarted' });
      }),
    );
  });

  it('is asked of any state, and only of finished swaps by the rule of the real node', () => {
    fc.assert(
      fc.property(scene, ({ at, world }) => {
        const { context } = at.swap;
        if (context.started === null || context.finishedAt !== null) return;
        expect(decide(at, world, 'kdf').decision).toEqual({
          refused: 'Swap must be finished before recover funds attempt',
          reason: 'notFinished',
        });
      }),
    );
  });

  it('uses the engine’s rule unless told otherwise', () => {
    fc.assert(
      fc.property(cases(role), (at) => {
        expect(recoverFunds(at.swap, {})).toEqual(recoverFunds(at.swap, {}, { mode: 'engine' }));
      }),
    );
  });
});

describe('a taker', () => {
  const scene = fc
    .record({ at: cases('taker'), world: worlds.map((world) => ({ ...world, failing: null })) })
    .filter(({ at, world }) => fits(at, world) && at.swap.context.negotiated !== null);

  it('claims whenever the secret is known and the maker payment unspent', () => {
    fc.assert(
      fc.property(scene, ({ at, world }) => {
        if (at.swap.role !== 'taker' || world.other !== 'unspent') return;
        const known = at.swap.context.secret !== null || world.own === 'spent';
        if (known) expect(claims(decide(at, world).decision)).toBe(true);
      }),
      { numRuns: draws({ sample: 33, change: 100, release: 200 }) },
    );
  });

  it('refunds whenever the own payment is unspent and there is nothing to claim', () => {
    fc.assert(
      fc.property(scene, ({ at, world }) => {
        if (at.swap.role !== 'taker' || world.own !== 'unspent' || world.refundableFrom !== null) return;
        const gone = world.other === 'refunded' || world.other === 'absent';
        if (world.autoRefund || (at.swap.context.secret !== null && !gone)) return;
        expect(refunds(decide(at, world).decision)).toBe(true);
      }),
      { numRuns: draws({ sample: 33, change: 100, release: 200 }) },
    );
  });

  it('recovers at least what the real node recovers', () => {
    fc.assert(
      fc.property(scene, ({ at, world }) => {
        const { decision } = decide(at, world, 'kdf');
        if ('action' in decision) expect(decide(at, world).decision).toEqual(decision);
      }),
      { numRuns: draws({ sample: 33, change: 100, release: 200 }) },
    );
  });
});

describe('a maker', () => {
  const scene = fc
    .record({ at: cases('maker'), world: worlds.map((world) => ({ ...world, failing: null })) })
    .filter(({ at, world }) => fits(at, world) && at.swap.context.negotiated !== null);

  it('claims whenever the taker has claimed and the taker payment is unspent', () => {
    fc.assert(
      fc.property(scene, ({ at, world }) => {
        if (world.own === 'spent' && world.other === 'unspent') expect(claims(decide(at, world).decision)).toBe(true);
      }),
      { numRuns: draws({ sample: 33, change: 100, release: 200 }) },
    );
  });

  it('never takes both payments: it refunds its own only while the taker payment is not claimed', () => {
    fc.assert(
      fc.property(scene, ({ at, world }) => {
        if (at.swap.role !== 'maker' || at.swap.context.takerPayment === null || world.other !== 'spent') return;
        expect('action' in decide(at, world).decision).toBe(false);
      }),
      { numRuns: draws({ sample: 33, change: 100, release: 200 }) },
    );
  });

  it('shows its secret first only for a payment that was found valid and that the taker cannot refund', () => {
    fc.assert(
      fc.property(scene, ({ at, world }) => {
        if (at.swap.role !== 'maker' || world.own !== 'unspent') return;
        const { context } = at.swap;
        const shown =
          context.takerPaymentSpend !== null ||
          context.failures.some(({ event, error }) => event === 'TakerPaymentSpendFailed' && !/Timeout/.test(error));
        if (!shown && claims(decide(at, world).decision)) {
          expect({ validated: context.takerPaymentValidated, contested: world.otherRefundable }).toEqual({
            validated: true,
            contested: false,
          });
        }
      }),
      { numRuns: draws({ sample: 33, change: 100, release: 200 }) },
    );
  });

  it('recovers what the real node recovers, unless the taker payment can be claimed or was claimed', () => {
    fc.assert(
      fc.property(scene, ({ at, world }) => {
        const { decision } = decide(at, world, 'kdf');
        if (!('action' in decision)) return;
        const ours = decide(at, world).decision;
        if (decision.action === 'refundOwnPayment' && world.other !== 'refunded' && world.other !== 'absent') {
          expect(refunds(ours) || claims(ours) || world.other === 'spent').toBe(true);
        } else expect(ours).toEqual(decision);
      }),
      { numRuns: draws({ sample: 33, change: 100, release: 200 }) },
    );
  });
});

describe('the names of the actions', () => {
  it('are those of the real node', () => {
    expect(RECOVERED_ACTION).toEqual({ spendOtherPayment: 'SpentOtherPayment', refundOwnPayment: 'RefundedMyPayment' });
  });
});
