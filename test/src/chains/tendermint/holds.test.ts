import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Holds, type Told } from '../../../../src/chains/tendermint/holds.ts';

const FEES = 'uiris';
const ASSET = 'ibc/AB';
const of = (denom: string, amount: bigint, fees = 0n): Told => ({ denom, amount, fees });

describe('what swaps hold of an account', () => {
  it('is by denomination, and its fees are of the one that pays them', () => {
    const holds = new Holds(FEES);
    holds.set('one', 'IRIS', of(FEES, 1000n, 300n));
    holds.set('one', 'ATOM', of(ASSET, 7n, 200n));
    holds.set('two', 'ATOM', of(ASSET, 2n, 4n));
    expect([holds.of(FEES), holds.of(ASSET), holds.of('uother')]).toEqual([1204n, 9n, 0n]);
    expect([holds.of(FEES, 'one'), holds.of(ASSET, 'two')]).toEqual([4n, 7n]);
    expect(holds.denoms()).toEqual([FEES, ASSET]);
    holds.set('one', 'IRIS', of(FEES, 0n));
    holds.forget('ATOM');
    expect([holds.denoms(), holds.isAny()]).toEqual([[], false]);
  });

  it('leaves out what was signed for the swap, until that is given back or reported again', () => {
    const holds = new Holds(FEES);
    holds.set('one', 'IRIS', of(FEES, 1000n, 300n));
    holds.take('one', 'a', new Map([[FEES, 400n]]));
    holds.take('none', 'b', new Map([[FEES, 400n]]));
    expect(holds.of(FEES)).toBe(600n);
    holds.giveBack('a');
    expect(holds.of(FEES)).toBe(1000n);
    holds.take('one', 'c', new Map([[FEES, 900n]]));
    holds.set('one', 'IRIS', of(FEES, 50n));
    expect(holds.of(FEES)).toBe(50n);
  });

  it('never falls below zero for one swap, so that it takes nothing from what others hold', () => {
    const amounts = fc.record({ told: fc.bigInt(0n, 500n), signed: fc.bigInt(0n, 900n) });
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 5 }), (swaps) => {
        const holds = new Holds(FEES);
        for (const [place, { told, signed }] of swaps.entries()) {
          holds.set(`swap ${place}`, 'IRIS', of(FEES, told));
          holds.take(`swap ${place}`, `tx ${place}`, new Map([[FEES, signed]]));
        }
        const left = swaps.reduce((sum, { told, signed }) => sum + (told > signed ? told - signed : 0n), 0n);
        expect(holds.of(FEES)).toBe(left);
      }),
    );
  });
});
