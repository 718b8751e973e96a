import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/events/decode-event.ts';
import type { SwapLog } from '../../../src/events/saved-swap.ts';
import { decimalOf } from '../../../src/primitives/decimal.ts';
import { replaySwap } from '../../../src/replay/swaps.ts';
import { toldFunds } from '../../../src/replay/told-funds.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';

const path = successPath('taker').slice(0, 8);
const sound = buildSwap({
  role: 'taker',
  path,
  seed: 'digits',
  takerCoin: 'DOC',
  amounts: { maker: '2', taker: '50' },
});

function writing(amount: string): SwapLog {
  const events = sound.events.map((event, seq) =>
    seq === 0
      ? ({ ...event, data: { ...(event.data as object), taker_amount: decimalOf(amount) } } as StoredEvent)
      : event,
  );
  return { ...sound, events };
}

describe('amounts for people', () => {
  it('have the digits of their chain, in sentences too', () => {
    const log = writing('50.000000000000001504');
    const { funds, next } = replaySwap(log);
    const told = toldFunds(funds, log);
    expect([told.funds.makerPayment.amount, told.funds.takerPayment.amount]).toEqual(['2', '50']);
    expect([next?.text, told.exact(next?.text ?? '')].map((text) => text?.includes('1504'))).toEqual([true, false]);
    expect(told.impossible).toEqual([]);
  });

  it('are called impossible if no chain has as many', () => {
    const log = writing(`50.${'0'.repeat(98)}15`);
    expect(toldFunds(replaySwap(log).funds, log).impossible).toEqual([
      'The log writes the amount of the taker with 100 decimals; no chain has more than 18.',
    ]);
  });

  it('stay as they are if they are short', () => {
    const { funds } = replaySwap(sound);
    expect(toldFunds(funds, sound).funds).toBe(funds);
  });
});
