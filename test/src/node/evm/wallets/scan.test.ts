import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_TOLD } from '../../../../../src/node/evm/wallets/account-order.ts';
import { isUsed, type StatesAsked } from '../../../../../src/node/evm/wallets/reader.ts';
import { scanAddresses } from '../../../../../src/node/evm/wallets/scan.ts';
import { ReaderDouble } from '../../../../support/evm-wallets/wallet-double.ts';

const nameOf = (index: number) => `address ${index}`;
const addresses = async (from: number, count: number) => Array.from({ length: count }, (_, at) => nameOf(from + at));
const check = () => undefined;

function reader(used: readonly number[]): ReaderDouble {
  const double = new ReaderDouble(['ETH']);
  for (const index of used) double.set(nameOf(index), index + 1);
  return double;
}

/** One address after the other, as the rule says. */
function oneByOne(used: readonly number[], { from, gapLimit }: { from: number; gapLimit: number }): number[] {
  let last = from - 1;
  for (let index = from, empty = 0; empty <= gapLimit; index += 1) {
    const isOne = used.includes(index);
    empty = isOne ? 0 : empty + 1;
    if (isOne) last = index;
  }
  return Array.from({ length: last - from + 1 }, (_, at) => from + at);
}

describe('a scan for addresses that were used', () => {
  it('J30: finds what a search of one address after the other finds', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(1500), { maxLength: 60 }),
        fc.nat(40),
        fc.nat(30),
        async (used, from, gapLimit) => {
          const double = reader(used);
          const found = await scanAddresses({ from, gapLimit, addresses, reader: double, check });
          const expected = oneByOne(used, { from, gapLimit });
          expect(found.map(({ index }) => index)).toEqual(expected);
          expect(found.map(({ state }) => state !== null)).toEqual(expected.map((index) => used.includes(index)));
          expect(found.map(({ address }) => address)).toEqual(expected.map(nameOf));
        },
      ),
      { numRuns: 300 },
    ));

  it('of an unused wallet asks at once for one address more than may lie unused', async () => {
    const double = reader([]);
    expect(await scanAddresses({ from: 0, gapLimit: 20, addresses, reader: double, check })).toEqual([]);
    expect(double.asked.map(({ addresses: asked }) => asked.length)).toEqual([21]);
  });

  it('of a thousand used addresses asks six times', async () => {
    const double = reader(Array.from({ length: 1000 }, (_, index) => index));
    expect(await scanAddresses({ from: 0, gapLimit: 20, addresses, reader: double, check })).toHaveLength(1000);
    expect(double.asked.map(({ addresses: asked }) => asked.length)).toEqual([21, 42, 84, 168, 336, 500]);
  });

  it('ends once nobody waits for it', async () => {
    const double = reader([]);
    const ended = new Error('ended');
    const end = () => {
      if (double.asked.length >= 3) throw ended;
    };
    const scan = scanAddresses({ from: 0, gapLimit: 100_000, addresses, reader: double, check: end });
    await expect(scan).rejects.toBe(ended);
    expect(double.asked).toHaveLength(3);
  });

  it('of a chain that calls every address used ends above the maximum that is reported', async () => {
    let asked = 0;
    const everybody = {
      async states({ addresses: some }: StatesAsked) {
        asked += some.length;
        if (asked > 200_000) throw new Error('the scan has no end');
        return some.map(() => ({ sent: 1, holds: {} }));
      },
    };
    const known = 40_000;
    const found = await scanAddresses({ from: known, gapLimit: 20, addresses, reader: everybody, check });
    expect(known + found.length).toBeGreaterThan(MOST_TOLD);
    expect(asked).toBeLessThan(MOST_TOLD - known + 1000);
  });

  it('refuses a reader that leaves an address out', async () => {
    const short = { states: async () => [] };
    await expect(scanAddresses({ from: 0, gapLimit: 0, addresses, reader: short, check })).rejects.toThrow(RangeError);
  });
});

describe('an account', () => {
  it.each([
    ['is used once it has sent a transaction', { sent: 1, holds: { ETH: 0n } }, true],
    ['is used where it holds the coin', { sent: 0, holds: { ETH: 1n, TOK: 0n } }, true],
    ['is used where it holds a token alone', { sent: 0, holds: { ETH: 0n, TOK: 1n } }, true],
    ['is not used where it has and did nothing', { sent: 0, holds: { ETH: 0n, TOK: 0n } }, false],
  ])('%s', (_, state, used) => {
    expect(isUsed(state)).toBe(used);
  });
});
