import { expect, it } from 'vitest';
import type { Millis } from '../../../../src/primitives/time.ts';
import { createScheduleIds } from '../../../../src/runtime/loop/schedule-ids.ts';
import { createSlot, type Slot } from '../../../../src/runtime/loop/slot.ts';

const AT = 1_700_000_000_000 as Millis;

function setUp() {
  const given: [string, Millis][] = [];
  const ran: string[] = [];
  const turns = createScheduleIds(({ stream }, now) => void given.push([stream, now]));
  const take = (stream: string): Slot => turns.takeSlot((id) => createSlot(id, stream, null as never));
  return { turns, take, given, ran };
}

it('a turn goes to the owner of the number: a stream with its moment, or an action', () => {
  const { turns, take, given, ran } = setUp();
  const first = take('a');
  const action = turns.takeAction(() => void ran.push('action'));
  const second = take('b');
  expect([first.id, action, second.id]).toEqual([0, 1, 2]);
  turns.give(2, AT);
  turns.give(1, AT);
  turns.give(0, AT);
  expect(given).toEqual([
    ['b', AT],
    ['a', AT],
  ]);
  expect(ran).toEqual(['action']);
});

it('an unused number is no stream’s turn', () => {
  const { turns, take, given, ran } = setUp();
  turns.give(0, AT);
  const slot = take('a');
  turns.free(slot.id);
  turns.give(slot.id, AT);
  expect([given, ran]).toEqual([[], []]);
});

it('free numbers are used again, for streams and actions alike', () => {
  const { turns, take, given } = setUp();
  for (const stream of ['a', 'b', 'c']) take(stream);
  turns.free(0);
  turns.free(1);
  expect(turns.takeAction(() => {})).toBe(1);
  expect(take('d').id).toBe(0);
  expect(take('e').id).toBe(3);
  turns.give(0, AT);
  expect(given).toEqual([['d', AT]]);
});

it('the streams are all that have a number, not actions', () => {
  const { turns, take } = setUp();
  take('a');
  turns.takeAction(() => {});
  const { id } = take('b');
  take('c');
  turns.free(id);
  expect(turns.slots().map(({ stream }) => stream)).toEqual(['a', 'c']);
});
