import { type DecimalText, toBaseUnits } from '../../../src/primitives/decimal.ts';
import type { End } from './scenarios.ts';
import { type CrossSwap, type Legs, SIDES } from './world.ts';

/** Base units by which the trading fee may differ from the one part of 777 that it is, for how it is rounded. */
const ROUNDED = 2n;

/** What the books of both chains say against how it should have ended; nothing where they agree. */
export async function findingsOf(
  swap: CrossSwap,
  { legs, end }: { readonly legs: Legs; readonly end: End },
): Promise<readonly string[]> {
  const [given, paid] = SIDES.map((leg) => toBaseUnits(legs[leg].amount as DecimalText, legs[leg].decimals)) as [
    bigint,
    bigint,
  ];
  const fee = paid / 777n;
  const [ofMaker, ofTaker] = [end === 'swapped' ? given : 0n, end === 'back' ? 0n : paid];
  const expected = {
    maker: { maker: -ofMaker, taker: ofMaker },
    taker: { maker: ofTaker, taker: -ofTaker - fee },
  };
  const found = await swap.gains();
  const locked = await swap.locked();
  return SIDES.flatMap((leg) => {
    const { coin, little } = legs[leg];
    const wrong = SIDES.flatMap((side) => {
      const isFeePayer = leg === 'taker' && side === 'taker';
      const [gain, due] = [found[leg][side], expected[leg][side]];
      const most = due + (isFeePayer ? ROUNDED : 0n);
      const least = due - little - (isFeePayer ? ROUNDED : 0n);
      return gain <= most && gain >= least ? [] : [`the ${side} gained ${gain} of ${coin}, not ${due}`];
    });
    return locked[leg] === 0n ? wrong : [...wrong, `${locked[leg]} of ${coin} are still locked`];
  });
}
