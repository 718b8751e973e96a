import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameSplitter, type FrameSplitter, withLength } from '../../../../src/peers/libp2p/frame-splitter.ts';

const MOST = 5000;
const frames = fc.array(fc.uint8Array({ maxLength: MOST }), { maxLength: 12 });

function all(splitter: FrameSplitter): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let next = splitter.next(); next.is === 'frame'; next = splitter.next()) found.push(next.frame);
  return found;
}

describe('frames with their length before them', () => {
  it('come out as they went in, however they were cut on the way', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }), (given, cuts) => {
        const bytes = Uint8Array.from(given.flatMap((frame) => [...withLength(frame)]));
        const splitter = createFrameSplitter(MOST);
        const found: Uint8Array[] = [];
        for (let at = 0, cut = 0; at < bytes.length; cut++) {
          const count = cuts[cut % cuts.length] as number;
          splitter.push(bytes.subarray(at, at + count));
          at += count;
          expect(splitter.peek()).toBe(nextLength(splitter, found.length, given));
          found.push(...all(splitter));
        }
        expect(found).toEqual(given.map((frame) => Uint8Array.from(frame)));
        expect(splitter.next()).toEqual({ is: 'none' });
      }),
      { numRuns: 200 },
    );
  });

  it('O1: use no memory for what was announced and has not arrived', () => {
    const splitter = createFrameSplitter(1_048_476);
    splitter.push(Uint8Array.of(0x9c, 0xff, 0x3f, 1, 2, 3));
    expect([splitter.next(), splitter.peek()]).toEqual([{ is: 'none' }, null]);
    expect(splitter.held()).toBeLessThanOrEqual(1024);
    splitter.push(new Uint8Array(300_000));
    expect(splitter.held()).toBeLessThan(2 * 300_010);
  });

  it('use none for frames that were read', () => {
    const splitter = createFrameSplitter(1_048_476);
    for (let round = 0; round < 50; round++) {
      splitter.push(withLength(new Uint8Array(40_000)));
      expect(all(splitter)).toHaveLength(1);
    }
    expect(splitter.held()).toBeLessThanOrEqual(1024);
  });

  it.each([
    ['is too long', [0x9d, 0xff, 0x3f]],
    ['has a length of too many bytes', [0x80, 0x80, 0x80, 0x80, 0]],
  ])('are a fault for good once one %s', (_, bytes) => {
    const splitter = createFrameSplitter(1_048_476);
    splitter.push(withLength(Uint8Array.of(7)));
    splitter.push(Uint8Array.from(bytes));
    expect(splitter.next()).toEqual({ is: 'frame', frame: Uint8Array.of(7) });
    expect(splitter.next()).toEqual({ is: 'fault' });
    splitter.push(withLength(Uint8Array.of(7)));
    expect(splitter.next()).toEqual({ is: 'fault' });
  });
});

/** What is next can be seen before it is taken: the length of the first frame that is whole. */
function nextLength(splitter: FrameSplitter, taken: number, given: readonly Uint8Array[]): number | null {
  const shown = splitter.peek();
  return shown === null ? null : (given[taken]?.length ?? -1);
}
