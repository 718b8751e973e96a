import { describe, expect, it } from 'vitest';
import { watcherWants } from '../../../machines/watcher/wants.ts';
import type { WatcherEventType } from '../../../src/events/watcher.ts';
import { L, REQUESTED, reach, START } from './support.ts';

const ms = (seconds: number) => seconds * 1000;
// The swap's parties may have clocks that differ by a minute.
const contestedFrom = ms(START + 2 * L - 60);
const GIVE_UP = {
  effect: 'giveUp',
  notBefore: ms(START + 2 * L + 21_600),
  contestedFrom,
  whileLocked: { maker: START + 2 * L - 60, taker: START + L },
  clock: 'host',
};

function wants(...types: readonly WatcherEventType[]) {
  const { state, context } = reach(...types);
  return watcherWants(state, context);
}

describe('what a watcher wants', () => {
  it('a message first, then the fee, then the payment after a pause and until 4/5 of the lock duration', () => {
    expect(wants()).toEqual([{ effect: 'requestWatch' }]);
    expect(wants('WatchRequested')).toEqual([{ effect: 'validateTakerFee' }, GIVE_UP]);
    expect(wants('WatchRequested', 'TakerFeeValidated')).toEqual([
      {
        effect: 'validateTakerPayment',
        notBefore: REQUESTED + 1000 + ms(60),
        until: ms(START + (4 * L) / 5),
        clock: 'host',
      },
      GIVE_UP,
    ]);
  });

  it('then the spend, and the refund from one and a half lock durations on', () => {
    expect(wants('WatchRequested', 'TakerFeeValidated', 'TakerPaymentValidated')).toEqual([
      { effect: 'waitForTakerPaymentSpend' },
      { effect: 'refundTakerPayment', notBefore: ms(START + 1.5 * L), clock: 'host' },
      GIVE_UP,
    ]);
  });

  it('with the secret: the claim alone, from one lock duration on, also after a refund that the maker outran', () => {
    const claim = {
      effect: 'spendMakerPayment',
      notBefore: ms(START + L),
      contestedFrom,
      clock: 'host',
    };
    const validated = ['WatchRequested', 'TakerFeeValidated', 'TakerPaymentValidated'] as const;
    expect(wants(...validated, 'TakerPaymentSpendFound')).toEqual([claim, GIVE_UP]);
    expect(wants(...validated, 'TakerPaymentRefunded', 'TakerPaymentSpendFound')).toEqual([claim, GIVE_UP]);
    expect(wants(...validated, 'TakerPaymentSpendFound', 'MakerPaymentSpent')).toEqual([
      { effect: 'confirmMakerPaymentSpend', contestedFrom, clock: 'makerChain' },
      GIVE_UP,
    ]);
  });

  it('a refund that was sent is followed until it is settled', () => {
    expect(wants('WatchRequested', 'TakerFeeValidated', 'TakerPaymentValidated', 'TakerPaymentRefunded')).toEqual([
      { effect: 'confirmTakerPaymentRefund', notBefore: ms(START + 1.5 * L), clock: 'host' },
      GIVE_UP,
    ]);
  });

  it('once the taker acted itself, to stop; and nothing once stopped', () => {
    const validated = ['WatchRequested', 'TakerFeeValidated', 'TakerPaymentValidated'] as const;
    expect(wants(...validated, 'TakerPaymentRefundedByTaker')).toEqual([{ effect: 'stop' }]);
    expect(wants(...validated, 'TakerPaymentSpendFound', 'MakerPaymentSpentByTaker')).toEqual([{ effect: 'stop' }]);
    expect(wants(...validated, 'Stopped')).toEqual([]);
  });
});

describe('what a watcher wants if its log lacks something', () => {
  it('without a request: the request; and only an end if a state has nothing else to do', () => {
    const { context } = reach('WatchRequested');
    for (const state of ['validatingTakerFee', 'claiming', 'claimedByTaker']) {
      expect(watcherWants(state, { ...context, watch: null })).toEqual([{ effect: 'requestWatch' }]);
      expect(watcherWants(state, { ...context, timing: null })).toEqual([{ effect: 'requestWatch' }]);
    }
    expect(watcherWants('stopped', { ...context, watch: null })).toEqual([]);
    expect(watcherWants('created', context)).toEqual([GIVE_UP]);
  });

  it('the payment of the taker at once if the log does not say when the fee was validated', () => {
    const { context } = reach('WatchRequested');
    expect(watcherWants('validatingTakerPayment', context)).toEqual([
      { effect: 'validateTakerPayment', until: ms(START + (4 * L) / 5), clock: 'host' },
      GIVE_UP,
    ]);
  });
});
