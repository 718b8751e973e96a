import { describe, expect, it } from 'vitest';
import { joinedTimeline } from '../../../../src/replay/compare/joined-timeline.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';

const pair = buildSwapPair({ seed: 'joined' });

describe('the timelines of both sides', () => {
  const rows = joinedTimeline(pair);
  const events = rows.filter((row) => row.kind === 'event');

  it('hold every event of both logs once, each log in its own order', () => {
    for (const side of ['maker', 'taker'] as const) {
      const own = events.filter((row) => row.side === side).map(({ seq }) => seq);
      expect(own).toEqual(pair[side].events.map((_, seq) => seq));
    }
  });

  it('show a payment from the moment at which either side has it', () => {
    const at = (side: 'maker' | 'taker', type: string) =>
      events.find((row) => row.side === side && row.event === type)?.makerPayment.status;
    expect(at('maker', 'TakerFeeValidated')).toBe('none');
    expect(at('maker', 'MakerPaymentSent')).toBe('locked');
    expect(at('taker', 'MakerPaymentReceived')).toBe('locked');
    expect(rows.at(-1)?.makerPayment.status).toBe('spent');
  });

  it('show a deadline once that both logs have', () => {
    const deadlines = rows.flatMap((row) => (row.kind === 'deadline' ? [`${row.deadline} ${row.at}`] : []));
    expect(new Set(deadlines).size).toBe(deadlines.length);
  });
});
