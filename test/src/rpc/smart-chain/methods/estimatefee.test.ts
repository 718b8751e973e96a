import { expect, it } from 'vitest';
import { feeEstimator } from '../../../../../src/smartchain/chain/fee-estimator.ts';
import { ask, errorOf, openNode, text } from '../method-context.ts';

it.each(['estimatefee', 'estimatepriority'])('gives no estimate without data: %s', async (method) => {
  const node = await openNode();
  for (const context of [node, { ...node, estimator: feeEstimator() }]) {
    for (const blocks of [6, 1, 0, -3, 25, 26]) expect(await ask(context, method, blocks)).toBe(-1);
  }
  expect(await ask(node, method, '6')).toBe(-1);
  for (const text of ['', '-6', '6 ', '1e2', '1'.repeat(10)]) {
    expect(await errorOf(node, method, text)).toBe('-3 Expected type number, got string');
  }
  expect(await errorOf(node, method, true)).toBe('-3 Expected type number, got bool');
  expect(await errorOf(node, method, {})).toBe('-3 Expected type number, got object');
  expect(await errorOf(node, method, 1.5)).toBe('-1 JSON integer out of range');
});

it('prints the estimator’s answer, and asks for one block if fewer are wanted', async () => {
  const asked: number[] = [];
  const noted = <Estimate>(blocks: number, estimate: Estimate) => {
    asked.push(blocks);
    return estimate;
  };
  const estimator = {
    ...feeEstimator(),
    feeFor: (blocks: number) => noted(blocks, 19_376n),
    priorityFor: (blocks: number) => noted(blocks, 57_600_000.5),
  };
  const node = { ...(await openNode()), estimator };
  expect(await text(node, 'estimatefee', 6)).toBe('0.00019376');
  expect(await text(node, 'estimatepriority', -1)).toBe('57600000.5');
  expect(asked).toEqual([6, 1]);
});
