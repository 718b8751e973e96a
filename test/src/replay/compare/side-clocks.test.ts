import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { clockBounds, clockSentence, clockShift } from '../../../../src/replay/compare/side-clocks.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';

const pair = buildSwapPair({ seed: 'clocks' });
const times = (log: SwapLog, given: Readonly<Record<string, number>>): SwapLog => ({
  ...log,
  events: log.events.map((event) => ({ ...event, at: millisOf(given[event.type] ?? event.at) })),
});

/** The fee goes from the taker to the maker, then the maker's payment from the maker to the taker. */
const logs = (fee: readonly [sent: number, heard: number], payment: readonly [sent: number, heard: number]) => ({
  taker: times(pair.taker, { TakerFeeSent: fee[0], MakerPaymentReceived: payment[1], TakerPaymentSent: 1_000_000 }),
  maker: times(pair.maker, {
    TakerFeeValidated: fee[1],
    MakerPaymentSent: payment[0],
    TakerPaymentReceived: 9_000_000,
  }),
});

describe('two clocks', () => {
  it.each([
    ['fit', [1_000, 3_000], [4_000, 6_000], null, 0],
    ['differ within what a network takes', [3_500, 3_000], [4_000, 6_000], null, 500],
    [
      'taker ahead',
      [60_000, 3_000],
      [4_000, 90_000],
      'The clock of the taker was ahead of that of the maker by 57 s or more, and by 1 min 26 s at most.',
      57_000,
    ],
    [
      'maker ahead',
      [1_000, 90_000],
      [80_000, 20_000],
      'The clock of the maker was ahead of that of the taker by 1 min or more, and by 1 min 29 s at most.',
      -60_000,
    ],
    [
      'one was set',
      [60_000, 3_000],
      [80_000, 20_000],
      'The times of the two logs contradict each other by 1 min 57 s: one of the clocks was set during the swap, or one log does not have its own times.',
      0,
    ],
  ] as const)('%s', (_, fee, payment, sentence, shift) => {
    const bounds = clockBounds(logs(fee, payment));
    expect([clockSentence(bounds), clockShift(bounds)]).toEqual([sentence, shift]);
  });

  it('are bounded by nothing if no event of the one has its counterpart', () => {
    const bounds = clockBounds({ taker: { ...pair.taker, events: [] }, maker: pair.maker });
    expect(bounds).toEqual({ atLeast: null, atMost: null });
    expect([clockSentence(bounds), clockShift(bounds)]).toEqual([null, 0]);
  });
});
