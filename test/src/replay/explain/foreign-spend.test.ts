import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../../src/events/decode-event.ts';
import { redactLog } from '../../../../src/events/redact.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { decodeSwapsText } from '../../../../src/events/wrappers.ts';
import { compareSides } from '../../../../src/replay/compare/sides.ts';
import { type Explanation, explainSwap } from '../../../../src/replay/explain.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { endings } from '../../../support/endings.ts';
import { describeShared, readShared } from '../../../support/shared.ts';

function ending(role: 'maker' | 'taker', name: string): SwapLog {
  const found = endings.find((one) => one.role === role && one.name === name);
  if (found === undefined) throw new Error(`no ending ${role} ${name}`);
  return buildSwap({ role, path: found.path, seed: `foreign ${role}`, amounts: { maker: '0.9', taker: '1.7' } });
}

function dataOf(log: SwapLog, type: string): unknown {
  return log.events.find((event) => event.type === type)?.data;
}

function withData(log: SwapLog, type: string, data: unknown): SwapLog {
  return {
    ...log,
    events: log.events.map((event) => (event.type === type ? ({ ...event, data } as StoredEvent) : event)),
  };
}

function sentencesOf({ headline, funds, advice, realNode }: Explanation): string {
  return [headline, ...funds, ...advice, ...realNode].join('\n');
}

describe('a refund that does not spend the payment', () => {
  const sound = ending('maker', 'MakerPaymentRefunded');
  const log = withData(sound, 'MakerPaymentRefunded', dataOf(sound, 'MakerPaymentSent'));
  const told = explainSwap(redactLog(log));

  it('is not called one, brings no amount, and makes the log wait for a person', () => {
    expect(told.headline).toContain('the transaction that it calls the refund does not spend the maker payment');
    expect(told.advice[0]).toMatch(
      /^Look on the DOC chain which transaction spent the maker payment \(\w{64}\): event \d+ calls \w{64} its refund, but this transaction does not spend that payment\./,
    );
    expect(sentencesOf(told)).not.toMatch(/got back|was broadcast|came back|nothing to do/);
    expect(told.waitsFor).toBe('person');
  });

  it('counts again if it does spend it', () => {
    expect(explainSwap(redactLog(sound)).waitsFor).toBe('node');
    expect(explainSwap(redactLog(sound)).headline).toContain('the refund was broadcast');
  });

  it('is not reported as the end of the payment by both logs together', () => {
    const taker = buildSwap({ role: 'taker', path: ['Started', 'Negotiated'], seed: 'foreign maker' });
    const { together, contradictions, settled } = compareSides({ maker: log, taker });
    expect(together.join('\n')).not.toContain('was refunded to the maker');
    expect(contradictions[0]).toMatch(
      /^In the log of the maker: Event \d+ calls \w{64} the refund of the maker payment, but /,
    );
    expect(settled).toBe('open');
  });
});

describe('a claim that does not spend the payment', () => {
  const sound = buildSwap({ role: 'taker', path: successPath('taker'), seed: 'foreign taker' });
  const log = withData(sound, 'MakerPaymentSpent', dataOf(sound, 'TakerPaymentSent'));

  it('is not called one, even if an event says that it is confirmed', () => {
    const told = explainSwap(redactLog(log));
    expect(told.headline).toContain('the transaction that it calls the claim does not spend the maker payment');
    expect(sentencesOf(told)).not.toMatch(/received|and has it|the coins arrived/);
    expect(told.waitsFor).toBe('person');
  });
});

describeShared('the recorded swap whose refund is the payment of the other side', () => {
  it('is shown without any amount above the payment', () => {
    const [swap] = decodeSwapsText(readShared('swaps/maker-f87fa9ce-MakerPaymentRefunded-Finished.json'));
    if (swap?.ok !== true) throw new Error('the recorded swap is not read');
    const told = explainSwap(redactLog(swap.log));
    expect(sentencesOf(told)).not.toContain('1.998683');
    expect(told.waitsFor).toBe('person');
  });
});
