import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecimalText, fromBaseUnits } from '../../../src/primitives/decimal.ts';
import { type FinalityStep, finalDepth } from '../../../src/runtime/finality.ts';
import { DEFAULT_RUNTIME_POLICY } from '../../../src/runtime/index.ts';
import { CHAINS, createPair, type Pair, requestOf, type Side, UUID } from '../../support/swap-pair.ts';

const DOC = { coin: 'DOC', finality: 3 };
const text = (amount: string) => amount as DecimalText;
const steps: readonly FinalityStep[] = [
  { from: text('100'), depth: 30 },
  { from: text('0'), depth: 1 },
  { from: text('1.5'), depth: 10 },
];

const SIDES = ['maker', 'taker'] as const;

async function startBoth({ nodes }: Pair): Promise<void> {
  for (const side of SIDES) await nodes[side].runtime.startSwap(requestOf(side));
}

/** What the log of a side says of the first payment that came to its end. */
function settledOf({ nodes }: Pair, side: Side): unknown {
  const records = nodes[side].log.read(`${side}-swap/${UUID}`);
  if (records instanceof Promise) throw new TypeError('the log answers at once');
  return records.find(({ type }) => type === 'PaymentSettled')?.data;
}

describe('the depth that is final', () => {
  it('is the chain’s own if the policy does not name the coin, or the amount is unknown', () => {
    for (const policy of [{}, { MARTY: steps }]) expect(finalDepth(policy, DOC, text('7'))).toBe(3);
    expect(finalDepth({ DOC: steps }, DOC, null)).toBe(3);
    expect(finalDepth({ DOC: [{ from: text('8'), depth: 9 }] }, DOC, text('7'))).toBe(3);
    expect(finalDepth(JSON.parse('{}'), { coin: 'constructor', finality: 3 }, text('7'))).toBe(3);
  });

  it('is that of the greatest amount that the payment reaches, in any order of the steps', () => {
    const units = fc.bigInt({ min: 0n, max: 20_000_000_000n });
    fc.assert(
      fc.property(units, fc.shuffledSubarray([...steps], { minLength: 3 }), (amount, shuffled) => {
        const expected = amount >= 10_000_000_000n ? 30 : amount >= 150_000_000n ? 10 : 1;
        expect(finalDepth({ DOC: shuffled }, DOC, fromBaseUnits(amount))).toBe(expected);
      }),
    );
  });

  it('stays out of reach for a chain that does not exist', () => {
    expect(finalDepth({ DOC: steps }, { coin: 'DOC', finality: Number.MAX_SAFE_INTEGER }, text('7'))).toBe(
      Number.MAX_SAFE_INTEGER,
    );
  });

  it('of a swap is that of its amounts: each side closes when its own claim is that deep', async () => {
    const finality = { DOC: steps, MARTY: [{ from: text('2'), depth: 20 }] };
    const pair = createPair({ options: () => ({ policy: { ...DEFAULT_RUNTIME_POLICY, finality } }) });
    await startBoth(pair);
    await pair.until(() => SIDES.every((side) => pair.types(side).includes('Finished')), 90);
    expect(SIDES.map((side) => settledOf(pair, side))).toMatchObject([{ confirmations: 20 }, { confirmations: 10 }]);
  });

  it('of a claim without a policy is that of its chain', async () => {
    const pair = createPair();
    await startBoth(pair);
    await pair.until(() => SIDES.every((side) => pair.types(side).includes('Finished')), 90);
    expect(settledOf(pair, 'maker')).toMatchObject({ how: 'claimed', confirmations: CHAINS.MARTY.finality });
    expect(settledOf(pair, 'taker')).toMatchObject({ how: 'claimed', confirmations: CHAINS.DOC.finality });
  });

  it.each([
    { side: 'maker', other: 'taker', sent: 'MakerPaymentSent', coin: 'DOC' },
    { side: 'taker', other: 'maker', sent: 'TakerPaymentSent', coin: 'MARTY' },
  ] as const)('of a refund is that of the chain on which the $side paid', async ({ side, other, sent, coin }) => {
    const pair = createPair();
    await startBoth(pair);
    await pair.until(() => pair.types(side).includes(sent), 30);
    pair.nodes[other].die();
    await pair.until(() => pair.types(side).includes('Finished'), 400);
    expect(settledOf(pair, side)).toMatchObject({ how: 'refunded', confirmations: CHAINS[coin].finality });
  });
});
