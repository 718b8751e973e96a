import { describe, expect, it } from 'vitest';
import type { Random } from '../../../../src/ports/clock.ts';
import { systemRandom } from '../../../../src/runtime/host/random-system.ts';
import { xorshift32 } from '../../../../src/sim/xorshift.ts';
import { randomContract } from '../../../../src/testing/contracts/random-contract.ts';

describe('the source of secrets of the platform', () => {
  it.each(randomContract(() => systemRandom))('$title', async ({ run }) => {
    await run();
  });
});

const COUNT = 'returns as many bytes as requested';
const OWN = 'returns a new array each time, which nothing but the caller changes';
const TWICE = 'never returns the same 32 bytes twice, in one draw or in many';
const EVEN = 'returns each byte value about as often as any other';
const ANEW = 'returns different bytes after it is reopened';

const each = (change: (byte: number) => number) => (): Random => ({
  bytes: (count) => systemRandom.bytes(count).map(change),
});

/** A generator that whoever knows its seed can foretell. */
function seeded(seed: number): Random {
  const { below } = xorshift32(seed);
  return { bytes: (count) => Uint8Array.from({ length: count }, () => below(256)) };
}

/** Draws from one piece of memory, again and again. */
function pooled(size: number): Random {
  const pool = new Uint8Array(size);
  let next = 0;
  return {
    bytes(count) {
      if (count > size) return systemRandom.bytes(count);
      if (next + count > size) next = 0;
      const view = pool.subarray(next, next + count);
      next += count;
      view.set(systemRandom.bytes(count));
      return view;
    },
  };
}

/** Holds on to what it has given for as many bytes, and gives it again. */
function remembering(): Random {
  const given = new Map<number, Uint8Array>();
  return {
    bytes(count) {
      const bytes = given.get(count) ?? systemRandom.bytes(count);
      given.set(count, bytes);
      return bytes;
    },
  };
}

let opened = 0;

function counting(): Random {
  opened += 1;
  let next = opened * 37;
  return { bytes: (count) => Uint8Array.from({ length: count }, () => next++) };
}

/** Repeats a piece of so many bytes until a draw is full. */
const repeating = (period: number) => (): Random => ({
  bytes(count) {
    const piece = systemRandom.bytes(Math.min(count, period));
    return Uint8Array.from({ length: count }, (_, at) => piece[at % period] ?? 0);
  },
});

/** Broken sources, each with the cases that refuse it. */
const BROKEN: Readonly<Record<string, readonly [open: () => Random, refusedBy: readonly string[]]>> = {
  'gives one byte too few': [() => ({ bytes: (count) => systemRandom.bytes(Math.max(0, count - 1)) }), [COUNT]],
  'gives a byte for none': [() => ({ bytes: (count) => systemRandom.bytes(Math.max(1, count)) }), [COUNT]],
  'gives whole words alone': [
    () => ({ bytes: (count) => systemRandom.bytes(Math.min(65_536, Math.ceil(count / 4) * 4)) }),
    [COUNT],
  ],
  'gives 32,768 bytes at most': [
    () => ({ bytes: (count) => systemRandom.bytes(Math.min(count, 32_768)) }),
    [COUNT, TWICE, EVEN],
  ],
  'gives a plain array': [() => ({ bytes: (count) => Array.from(systemRandom.bytes(count)) as never }), [COUNT]],
  'gives views of a small pool': [() => pooled(64), [OWN, TWICE]],
  'gives views of a pool of 64 KiB': [() => pooled(65_536), [OWN]],
  'gives the same array again': [remembering, [OWN, TWICE]],
  'gives zeros': [() => ({ bytes: (count) => new Uint8Array(count) }), [OWN, TWICE, EVEN, ANEW]],
  counts: [counting, [TWICE]],
  'repeats a piece of 256 bytes': [repeating(256), [TWICE, EVEN]],
  'ends a long draw as it began': [
    () => ({ bytes: (count) => systemRandom.bytes(count).copyWithin(-32, 0, 32) }),
    [TWICE],
  ],
  'leaves the end of a long draw empty': [
    () => ({ bytes: (count) => systemRandom.bytes(count).fill(0, 4096) }),
    [TWICE, EVEN],
  ],
  'gives bytes below 128': [each((byte) => byte & 0x7f), [EVEN]],
  'gives no zero': [each((byte) => byte || 1), [EVEN]],
  'gives one byte in the place of another': [each((byte) => (byte === 7 ? 8 : byte)), [EVEN]],
  'gives digits': [each((byte) => 0x30 + (byte % 10)), [EVEN]],
  'begins with the same seed each time': [() => seeded(1), [ANEW]],
};

async function refusals(open: () => Random): Promise<string[]> {
  const failures: string[] = [];
  for (const { title, run } of randomContract(open)) await run().catch(() => void failures.push(title));
  return failures;
}

describe('the suite', () => {
  it.each(Object.entries(BROKEN))('notices a source that %s', async (_, [open, refusedBy]) => {
    expect(await refusals(open)).toEqual(refusedBy);
  });

  it('has only cases that each refuse some broken source, and accepts a sound one', async () => {
    const named = new Set(Object.values(BROKEN).flatMap(([, refusedBy]) => refusedBy));
    const titles = randomContract(() => systemRandom).map(({ title }) => title);
    expect([...named].toSorted()).toEqual(titles.toSorted());
    expect(await refusals(() => systemRandom)).toEqual([]);
  });

  it('says which promise is broken', async () => {
    const [first] = randomContract(() => ({ bytes: () => new Uint8Array(5) }));
    await expect(first?.run()).rejects.toThrow('the contract of Random is broken: expected 0 bytes, got 5');
  });
});
