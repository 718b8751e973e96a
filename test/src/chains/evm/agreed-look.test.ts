import { describe, expect, it } from 'vitest';
import { agreedLook } from '../../../../src/chains/evm/agreed-look.ts';
import type { EvmBlock, EvmLook } from '../../../../src/chains/evm/reader.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';

const head: EvmBlock = { number: 7, hash: 'aa'.repeat(32), time: 0 as UnixSeconds, baseFee: 5n };

/** What nodes agree on that tell these prices; null for one that is silent. */
const lookOf = (told: readonly (bigint | null)[], need = 2) => {
  const looks = told.map((price) => {
    const say = async (): Promise<bigint> => {
      if (price === null) throw new BackendSilent('silent');
      return price;
    };
    return {
      look: { price: say, gas: say } as Partial<EvmLook> as EvmLook,
      distrust: () => expect.unreachable('it is left alone'),
    };
  });
  return agreedLook({ head, looks, need, settled: true });
};

describe('what several nodes say about prices', () => {
  it.each([
    ['of two the lower one', [9n, 3n], 3n],
    ['of three the one in the middle, whoever says more', [3n, 900n, 4n], 4n],
    ['or less', [3n, 0n, 4n], 3n],
    ['of four the lower one in the middle, though as many as a quorum say more', [900n, 3n, 4n, 901n], 4n],
    ['of what is said where one is silent', [null, 3n, 4n, 901n], 4n],
  ])('counts by the median: %s', async (_, told, counts) => {
    const intent = { from: '', to: '', value: 0n, data: '' };
    expect([await lookOf(told).price('tip'), await lookOf(told).gas(intent)]).toEqual([counts, counts]);
  });

  it('is not the highest price if one node suffices', async () => {
    expect(await lookOf([900n, 3n], 1).price('legacy')).toBe(3n);
  });
});
