import { describe, expect, it } from 'vitest';
import { createRecent } from '../../../../src/peers/libp2p/recent.ts';
import { millisOf } from '../../../../src/primitives/time.ts';

const at = (seconds: number) => millisOf(1_700_000_000_000 + seconds * 1000);
const of = (byte: number, count = 10) => new Uint8Array(count).fill(byte);
const LIMITS = { keep: 20_000, mostBytes: 100, perTopic: 3, mostBytesPerTopic: 60 };

describe('what was passed on a moment ago', () => {
  it('reaches late listeners once, in the order in which it came', () => {
    const recent = createRecent<object>(LIMITS);
    const [early, late] = [{}, {}];
    recent.add({ topic: 'swap/a', bytes: of(1) }, at(0)).add(early);
    recent.add({ topic: 'swap/b', bytes: of(9) }, at(1));
    recent.add({ topic: 'swap/a', bytes: of(2) }, at(2));
    const missed = (peer: object, seconds: number) => recent.missed(peer, { topic: 'swap/a', now: at(seconds) });
    expect(missed(late, 3)).toEqual([of(1), of(2)]);
    expect(missed(late, 3)).toEqual([]);
    expect(missed(early, 3)).toEqual([of(2)]);
    expect(missed({}, 21)).toEqual([of(2)]);
    expect([missed({}, 22), recent.held()]).toEqual([[], 0]);
  });

  it('limits its memory by topic, and in all', () => {
    const recent = createRecent<object>(LIMITS);
    for (let byte = 0; byte < 5; byte++) recent.add({ topic: 'swap/a', bytes: of(byte) }, at(0));
    expect(recent.missed({}, { topic: 'swap/a', now: at(0) })).toEqual([of(2), of(3), of(4)]);
    for (let byte = 0; byte < 50; byte++) recent.add({ topic: `swap/${byte}`, bytes: of(byte, 7) }, at(1));
    expect(recent.held()).toBeLessThanOrEqual(LIMITS.mostBytes);
    expect(recent.missed({}, { topic: 'swap/49', now: at(1) })).toEqual([of(49, 7)]);
    const held = recent.held();
    recent.add({ topic: 'swap/x', bytes: of(1, 1000) }, at(1));
    expect(recent.held()).toBe(held);
  });

  it('keeps what others said if somebody says much on one topic', () => {
    const recent = createRecent<object>(LIMITS);
    recent.add({ topic: 'swap/a', bytes: of(1, 30) }, at(0));
    for (let byte = 2; byte < 9; byte++) recent.add({ topic: 'swap/b', bytes: of(byte, 25) }, at(1));
    expect(recent.missed({}, { topic: 'swap/a', now: at(1) })).toEqual([of(1, 30)]);
    expect(recent.missed({}, { topic: 'swap/b', now: at(1) })).toEqual([of(7, 25), of(8, 25)]);
  });
});
