import { describe, expect, it } from 'vitest';
import type { WatcherContext } from '../../../machines/watcher/context.ts';
import { watcherInvariants } from '../../../machines/watcher/invariants.ts';
import { fittingStopReasons } from '../../../machines/watcher/verdict.ts';
import { stopReasons } from '../../../src/events/watcher.ts';
import { brokenInvariants, reach } from './support.ts';

const validated = ['WatchRequested', 'TakerFeeValidated', 'TakerPaymentValidated'] as const;
const waiting = reach(...validated);
const claiming = reach(...validated, 'TakerPaymentSpendFound');
const refundSent = reach(...validated, 'TakerPaymentRefunded');
const stopped = reach(...validated, 'TakerPaymentSpendFound', 'MakerPaymentSpent', 'Stopped');

function doctored(
  { state, context }: { readonly state: string; readonly context: WatcherContext },
  change: Partial<WatcherContext>,
  as = state,
): string[] {
  return brokenInvariants(as, { ...context, ...change });
}

describe('invariants of a watch', () => {
  it('hold for what the tests below change, and have the ids W1 to W8', () => {
    for (const at of [reach(), waiting, claiming, refundSent, stopped]) expect(doctored(at, {})).toEqual([]);
    expect(watcherInvariants.map(({ id }) => id)).toEqual(['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8']);
  });

  it('W1 and W8: find an end without a reason, a reason without an end', () => {
    expect(doctored(stopped, {}, 'claimSent')).toEqual(['W8']);
    expect(doctored(claiming, {}, 'stopped')).toEqual(['W8']);
    expect(doctored(stopped, { watch: null })).toEqual([]);
  });

  it('W2: find a refund beside the secret', () => {
    expect(doctored(waiting, { secret: claiming.context.secret })).toEqual(['W2']);
    expect(doctored(refundSent, { secret: claiming.context.secret })).toEqual(['W2']);
  });

  it('W3: find a claim without the secret', () => {
    expect(doctored(claiming, { secret: null })).toEqual(['W3']);
  });

  it('W4: find a refund before the lock of the taker payment', () => {
    const { timing } = waiting.context;
    if (timing === null) throw new Error('no timings');
    expect(doctored(waiting, { timing: { ...timing, refund_start_factor: 0.9 } })).toEqual(['W4']);
  });

  it('W5: find a claim or a refund for a payment that was not validated', () => {
    expect(doctored(waiting, { takerPaymentValidated: false })).toEqual(['W5']);
    expect(doctored(claiming, { takerFeeValidatedAt: null })).toEqual(['W5']);
  });

  it('W6: find a reason that the log does not give, for every reason but expiry', () => {
    const at = stopped.context.lastEventAt ?? (0 as never);
    const after = [
      reach('WatchRequested'),
      reach('WatchRequested', 'TakerFeeValidated'),
      waiting,
      claiming,
      refundSent,
    ];
    const others = [
      reach(...validated, 'TakerPaymentRefundedByTaker'),
      reach(...validated, 'TakerPaymentSpendFound', 'MakerPaymentSpentByTaker'),
      reach(...validated, 'TakerPaymentSpendFound', 'MakerPaymentSpent'),
    ];
    for (const reason of stopReasons) {
      const verdicts = [...after, ...others].map((place) => {
        const broken = doctored(place, { stopped: { reason, error: null, at } }, 'stopped').includes('W6');
        if (fittingStopReasons(place.state).includes(reason)) expect(broken, `${place.state} ${reason}`).toBe(false);
        return broken;
      });
      expect(verdicts.includes(true), reason).toBe(reason !== 'Expired');
    }
  });

  it('W7: finds a watch without an end', () => {
    expect(doctored(waiting, { timing: null })).toContain('W7');
  });
});
