import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsOf } from '../../../src/primitives/amounts.ts';
import { fromBaseUnits, toBaseUnits } from '../../../src/primitives/decimal.ts';

describe('amounts of a coin', () => {
  it('are converted as the decimal primitives convert them, also when they are asked for again', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(18), (units, decimals) => {
        const { parse, format } = amountsOf(decimals);
        const text = fromBaseUnits(units, decimals);
        expect(format(units)).toBe(text);
        expect(parse(text)).toBe(units);
        expect(parse(text)).toBe(toBaseUnits(text, decimals));
        const again = amountsOf(decimals);
        expect([again.format(units), again.parse(text)]).toEqual([text, units]);
      }),
    );
  });
});
