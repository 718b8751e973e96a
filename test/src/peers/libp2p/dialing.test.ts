import { describe, expect, it } from 'vitest';
import { keepDialing } from '../../../../src/peers/libp2p/dialing.ts';
import type { Link } from '../../../../src/peers/libp2p/link.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const ADDRESS = { host: 'seed.example.org', port: 42_845 };

function dialing({ drawn = 0 } = {}) {
  const clock = virtualClock();
  const start = clock.now();
  const tries: number[] = [];
  const pauses: number[] = [];
  let end: (() => void) | null = null;
  const seed = { reachable: false };
  const link = {
    onEnd(ended: () => void) {
      end = ended;
    },
  } as Link;
  const stop = keepDialing(ADDRESS, {
    ...{ clock, first: 1000, longest: 10_000, lasting: 60_000 },
    random: { bytes: (count) => new Uint8Array(count).fill(drawn) },
    async dial() {
      tries.push(clock.now() - start);
      if (!seed.reachable) throw new Error('refused');
      return link;
    },
    onFailure: (_, { pause }) => void pauses.push(pause),
    onLink() {},
  });
  return { clock, tries, pauses, stop, end: () => end?.(), seed };
}

describe('an address that should stay connected', () => {
  it('is tried again after pauses that double, up to the longest', async () => {
    const { clock, tries, pauses } = dialing();
    await clock.advance(45_000);
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000, 10_000, 10_000]);
    expect(tries).toEqual([0, 1000, 3000, 7000, 15_000, 25_000, 35_000, 45_000]);
  });

  it('is not tried by all nodes at the same moment: up to a quarter of each pause is drawn', async () => {
    const { clock, pauses } = dialing({ drawn: 255 });
    await clock.advance(5000);
    expect(pauses.slice(0, 3)).toEqual([751, 1502, 3004]);
  });

  it('is tried at once after the first pause if the link had lasted, and later if it had not', async () => {
    const { clock, tries, pauses, end, seed } = dialing();
    await clock.advance(20_000);
    seed.reachable = true;
    await clock.advance(10_000);
    const before = tries.length;
    pauses.length = 0;
    await clock.advance(40_000);
    end();
    await clock.advance(1);
    await clock.advance(10_000);
    await clock.advance(61_000);
    end();
    expect(pauses).toEqual([10_000, 1000]);
    expect(tries.length).toBe(before + 1);
  });

  it('is no longer tried once nobody wants it', async () => {
    const { clock, tries, stop } = dialing();
    await clock.advance(4000);
    const before = tries.length;
    stop();
    await clock.advance(100_000);
    expect([tries.length, clock.armed()]).toEqual([before, 0]);
  });
});
