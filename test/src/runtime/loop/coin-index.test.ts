import { expect, it } from 'vitest';
import { createCoinIndex } from '../../../../src/runtime/loop/coin-index.ts';
import { createSlot, type Slot } from '../../../../src/runtime/loop/slot.ts';

function slotOf(stream: string, maker: string | null, taker: string | null): Slot {
  const slot = createSlot(0, stream, null as never);
  Object.assign(slot, { driven: { coins: { maker, taker } } });
  return slot;
}
const entries = (index: ReturnType<typeof createCoinIndex>, coin: string) =>
  index.of(coin).map(([{ stream }, legs]) => [stream, legs]);

it('a swap is found under both of its coins, with the side on which each is', () => {
  const index = createCoinIndex();
  index.add(slotOf('a', 'DOC', 'MARTY'));
  index.add(slotOf('b', 'MARTY', 'DOC'));
  index.add(slotOf('c', 'KMD', 'KMD'));
  expect(entries(index, 'DOC')).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  expect(entries(index, 'MARTY')).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(entries(index, 'KMD')).toEqual([['c', 3]]);
  expect(entries(index, 'LTC')).toEqual([]);
});

it('one that is added again is there once', () => {
  const index = createCoinIndex();
  const slot = slotOf('a', 'DOC', 'MARTY');
  index.add(slot);
  index.add(slot);
  expect(entries(index, 'DOC')).toEqual([['a', 1]]);
});

it('one that is removed is gone from both, and leaves the others', () => {
  const index = createCoinIndex();
  const slot = slotOf('a', 'DOC', 'MARTY');
  index.add(slot);
  index.add(slotOf('b', 'DOC', 'KMD'));
  index.remove(slot);
  expect(entries(index, 'DOC')).toEqual([['b', 1]]);
  expect(entries(index, 'MARTY')).toEqual([]);
  index.remove(slot);
  expect(entries(index, 'DOC')).toEqual([['b', 1]]);
  index.add(slot);
  expect(entries(index, 'MARTY')).toEqual([['a', 2]]);
});

it('a coin that a log does not name, and a stream without a runner, are nowhere', () => {
  const index = createCoinIndex();
  const half = slotOf('a', null, 'MARTY');
  index.add(half);
  index.add(createSlot(1, 'b', null as never));
  expect(entries(index, 'MARTY')).toEqual([['a', 2]]);
  expect(entries(index, null as never)).toEqual([]);
  index.remove(createSlot(1, 'b', null as never));
  index.remove(half);
  expect(entries(index, 'MARTY')).toEqual([]);
});

it('what was found stays unchanged while slots leave', () => {
  const index = createCoinIndex();
  const slot = slotOf('a', 'DOC', 'MARTY');
  index.add(slot);
  const found = index.of('DOC');
  index.remove(slot);
  expect(found).toHaveLength(1);
});
