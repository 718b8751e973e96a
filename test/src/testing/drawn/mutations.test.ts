import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/primitives/json.ts';
import { type SingleChange, singleChanges } from '../../../../src/testing/drawn/mutations.ts';
import { plainForm } from '../../../../src/testing/drawn/shapes.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';

const { taker, maker } = buildSwapPair({ watchers: true });
const swaps = [plainForm(taker), plainForm(maker)];

/** JSON pointers of all leaves that differ; arrays of numbers count as leaves with one place for each number. */
function differences(left: JsonValue | undefined, right: JsonValue | undefined, path = ''): readonly string[] {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return left === right ? [] : [path];
  }
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  const member = (value: JsonValue, key: string) => (value as Record<string, JsonValue>)[key];
  return [...keys].flatMap((key) => differences(member(left, key), member(right, key), `${path}/${key}`));
}

function payload(swap: JsonObject, seq: number): JsonObject {
  const saved = (swap['events'] as readonly JsonObject[])[seq] ?? {};
  return (saved['event'] as JsonObject)['data'] as JsonObject;
}

const isOrder = ({ kind }: SingleChange) => kind === 'drop' || kind === 'duplicate' || kind === 'swapNeighbours';

describe.each(swaps)('single changes of the swap of a $type', (swap) => {
  const changes = [...singleChanges(swap)];
  const events = swap['events'] as readonly JsonObject[];

  it('change exactly the one place that they name, and nothing of the given swap', () => {
    const before = JSON.stringify(swap);
    for (const change of changes.filter((one) => !isOrder(one))) {
      const [place, ...others] = differences(swap, change.apply());
      expect(others).toEqual([]);
      expect(place?.startsWith(change.path)).toBe(true);
      if (change.seq !== null) expect(change.path.startsWith(`/events/${change.seq}/`)).toBe(true);
    }
    expect(JSON.stringify(swap)).toBe(before);
  });

  it('drop, repeat and swap every event', () => {
    const counts = (kind: string) => changes.filter((change) => change.kind === kind);
    expect(counts('drop').map((change) => (change.apply()['events'] as unknown[]).length)).toEqual(
      events.map(() => events.length - 1),
    );
    expect(counts('duplicate')).toHaveLength(events.length);
    for (const { seq, apply } of counts('swapNeighbours')) {
      const after = apply()['events'] as readonly JsonObject[];
      expect([after[Number(seq)], after[Number(seq) + 1]]).toEqual([events[Number(seq) + 1], events[Number(seq)]]);
    }
    expect(counts('swapNeighbours')).toHaveLength(events.length - 1);
  });

  it('touch every member of every event', () => {
    const touched = new Set(changes.map(({ path }) => path));
    const leaves = (value: JsonValue | undefined, path: string): readonly string[] => {
      if (value === null || value === undefined || value === '') return [];
      if (typeof value !== 'object') return [path];
      if (Array.isArray(value) && typeof value[0] === 'number') return [path];
      return Object.entries(value).flatMap(([key, member]) => leaves(member as JsonValue, `${path}/${key}`));
    };
    const missing = leaves(swap['events'], '/events').filter((path) => !touched.has(path));
    expect(missing).toEqual([]);
  });

  it('flip the first and the last byte of a transaction and one between', () => {
    const seq = events.findIndex((saved) => JSON.stringify(saved).includes('tx_hex'));
    const original = String(payload(swap, seq)['tx_hex']);
    const flipped = changes
      .filter(({ path }) => path === `/events/${seq}/event/data/tx_hex`)
      .map((change) => {
        const changed = String(payload(change.apply(), seq)['tx_hex']);
        expect(changed).toHaveLength(original.length);
        return [...changed].findIndex((digit, index) => digit !== original[index]) >> 1;
      });
    expect(flipped).toHaveLength(3);
    expect(flipped).toEqual(expect.arrayContaining([0, original.length / 2 - 1]));
  });

  it('move each lock time both ways, by seconds and by an hour', () => {
    const name = swap['type'] === 'Taker' ? 'taker_payment_lock' : 'maker_payment_lock';
    const moves = changes
      .filter(({ path }) => path === `/events/0/event/data/${name}`)
      .map((change) => Number(payload(change.apply(), 0)[name]) - Number(payload(swap, 0)[name]));
    expect(moves).toEqual(expect.arrayContaining([1, -1, 3600, -3600]));
    expect(moves).toHaveLength(6);
    expect(moves.every((move) => Math.abs(move) <= 3600 && move !== 0)).toBe(true);
  });

  it('are the same each time', () => {
    const list = (all: Iterable<SingleChange>) =>
      [...all].map(({ kind, seq, path, apply }) => [kind, seq, path, JSON.stringify(apply())]);
    expect(list(singleChanges(swap))).toEqual(list(changes));
  });

  it('are of every kind', () => {
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(
      new Set([
        'drop',
        'duplicate',
        'swapNeighbours',
        'byte',
        'secret',
        'amountDigit',
        'time',
        'timestamp',
        'number',
        'flag',
        'uuid',
        'type',
        'text',
      ]),
    );
  });
});
