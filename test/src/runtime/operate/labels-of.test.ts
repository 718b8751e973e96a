import { expect, it } from 'vitest';
import { swapKind } from '../../../../src/runtime/index.ts';
import { labelsOf } from '../../../../src/runtime/operate/labels-of.ts';
import { createPair, requestOf, UUID } from '../../../support/swap-pair.ts';

it('gives every stream the labels that it was appended with, at any length', async () => {
  const pair = createPair();
  const again = labelsOf([swapKind('maker'), swapKind('taker')]);
  for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side));
  let compared = 0;
  await pair.until(async () => {
    for (const side of ['maker', 'taker'] as const) {
      const { log } = pair.nodes[side];
      const [summary] = await log.find({});
      const stream = `${side}-swap/${UUID}`;
      expect(again(stream, await log.read(stream))).toEqual(summary?.labels);
      compared += 1;
    }
    return pair.types('taker').includes('Finished') && pair.types('maker').includes('Finished');
  }, 60);
  expect(compared).toBeGreaterThan(8);
});

it('gives none to streams that are not driven or not readable', () => {
  const again = labelsOf([swapKind('taker')]);
  const record = { at: 1 as never, type: 'Finished', version: 1, data: null };
  expect(again('watcher/1', [record])).toEqual({});
  expect(again('taker-swap/1', [{ ...record, type: 'MakerPaymentSpent' }])).toEqual({});
});
