import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/events/decode-event.ts';
import type { SwapLog } from '../../../src/events/saved-swap.ts';
import { explainSwap } from '../../../src/replay/explain.ts';
import { outcomeEnd } from '../../../src/replay/payment-ends.ts';
import { replaySwap } from '../../../src/replay/swaps.ts';
import { moneyTimeline } from '../../../src/replay/timeline.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { endings } from '../../support/endings.ts';

function ending(role: 'maker' | 'taker', name: string): SwapLog {
  const found = endings.find((one) => one.role === role && one.name === name);
  if (found === undefined) throw new Error(`no ending ${role} ${name}`);
  return buildSwap({ role, path: found.path, seed: `ends ${role}`, amounts: { maker: '0.9', taker: '1.7' } });
}

function changed(log: SwapLog, type: string, change: (data: object) => unknown): SwapLog {
  const events = log.events.map((event) =>
    event.type === type ? ({ ...event, data: change(event.data as object) } as StoredEvent) : event,
  );
  return { ...log, events };
}

const endOf = (log: SwapLog) => outcomeEnd(replaySwap(log), { log });
const refunded = ending('maker', 'MakerPaymentRefunded');
const foreign = changed(refunded, 'MakerPaymentRefunded', () => {
  return refunded.events.find(({ type }) => type === 'MakerPaymentSent')?.data;
});

describe('the end of a swap', () => {
  it('is one that the log confirms, only broadcasts, or denies by its bytes', () => {
    const confirmed = changed(refunded, 'MakerPaymentRefunded', (data) => ({ ...data, block_height: 7 }));
    const [broadcast, inBlock, denied] = [endOf(refunded), endOf(confirmed), endOf(foreign)];
    expect(broadcast).toMatchObject({ payment: 'maker', how: 'refund', shown: 'unconfirmed' });
    expect(inBlock).toEqual({ ...broadcast, shown: 'confirmed' });
    expect(denied).toMatchObject({ payment: 'maker', how: 'refund', shown: 'denied' });
  });

  it('is the claim of the other payment if a swap is completed', () => {
    const log = buildSwap({ role: 'taker', path: successPath('taker') });
    expect(endOf(log)).toMatchObject({ payment: 'maker', how: 'claim', shown: 'confirmed' });
    expect(endOf({ ...log, events: log.events.slice(0, 5) })).toBeNull();
  });

  it('is in the data of an explanation, for each payment', () => {
    const { ends } = explainSwap(foreign);
    expect([ends.makerPayment?.shown, ends.takerPayment]).toEqual(['denied', null]);
    const both = explainSwap(buildSwap({ role: 'taker', path: successPath('taker') })).ends;
    expect([both.makerPayment?.shown, both.takerPayment?.shown]).toEqual(['confirmed', 'unconfirmed']);
  });

  it('is in each row of a timeline as far as the log confirmed it at that moment', () => {
    const rows = moneyTimeline(buildSwap({ role: 'taker', path: successPath('taker') })).rows;
    const shown = rows.flatMap((row) => (row.kind === 'event' ? [[row.event, row.makerPayment.shown] as const] : []));
    expect(shown.slice(-4)).toEqual([
      ['TakerPaymentSpent', null],
      ['MakerPaymentSpent', 'unconfirmed'],
      ['MakerPaymentSpendConfirmed', 'confirmed'],
      ['Finished', 'confirmed'],
    ]);
  });
});
