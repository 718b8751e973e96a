import { expect, it } from 'vitest';
import type { StoredEvent } from '../../../../src/events/decode-event.ts';
import { decimalOf } from '../../../../src/primitives/decimal.ts';
import { explainSwap } from '../../../../src/replay/explain.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';

it('no sentence has more digits of an amount than its chain, however many the log writes', () => {
  const path = successPath('taker').slice(0, 8);
  const sound = buildSwap({
    role: 'taker',
    path,
    seed: 'digits',
    takerCoin: 'DOC',
    amounts: { maker: '2', taker: '50' },
  });
  const written = decimalOf('50.000000000000001504');
  const events = sound.events.map((event, seq) =>
    seq === 0 ? ({ ...event, data: { ...(event.data as object), taker_amount: written } } as StoredEvent) : event,
  );
  const { happened, next, advice, funds } = explainSwap({ ...sound, events });
  const told = [...happened.map(({ sentence }) => sentence), ...next, ...advice, ...funds].join('\n');
  expect(told).toContain('gives 50 DOC');
  expect(told).not.toContain('1504');
});
