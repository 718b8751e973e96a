import { expect, it } from 'vitest';
import { errorOf, openNode, text } from '../method-context.ts';

const OUTPUT = '000000000000000000';

/** A transaction without inputs and with so many empty outputs. */
function outputs(count: number): string {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(count);
  return `0100000000fe${length.toString('hex')}${OUTPUT.repeat(count)}00000000`;
}

it('what is longer than any transaction of a chain is not decoded, which would take a hundred times its size', async () => {
  const node = await openNode();
  expect(await errorOf(node, 'decoderawtransaction', outputs(222_222))).toBe('-22 TX decode failed');
  expect((await text(node, 'decoderawtransaction', outputs(70_000))).length).toBeGreaterThan(70_000 * 50);
});
