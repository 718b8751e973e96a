import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import type { RuntimeChain } from '../../../../../src/runtime/index.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../../../support/swap-pair.ts';

/** A pair whose `side` loses what pays for its claim on the other chain after the first look at it, as long as `empty` says so. */
function shrinkingPair(side: Side): { readonly pair: Pair; readonly wallet: { empty: boolean } } {
  const wallet = { empty: true };
  let looks = 0;
  const claimed = side === 'taker' ? 'DOC' : 'MARTY';
  const pair = createPair({
    accounts: [claimed],
    options: (own, { chains }) =>
      own !== side
        ? {}
        : {
            chains: chains.map((chain): RuntimeChain => {
              if (chain.traits.coin !== claimed) return chain;
              return {
                ...chain,
                quote: async () => {
                  const answer = await chain.quote();
                  looks += 1;
                  if (!answer.ok || looks === 1 || !wallet.empty) return answer;
                  return { ok: true, value: { ...answer.value, spendable: '0' as DecimalText } };
                },
              };
            }),
          },
  });
  return { pair, wallet };
}

/** Starts the side some seconds ahead of the other, so that its first look is old by the time it pays. */
async function begin(pair: Pair, side: Side): Promise<void> {
  await pair.nodes[side].runtime.startSwap(requestOf(side));
  await pair.clock.advance(20_000);
  const other = side === 'maker' ? 'taker' : 'maker';
  await pair.nodes[other].runtime.startSwap(requestOf(other));
}

function errorOf({ nodes }: Pair, side: Side, type: string): unknown {
  const records = nodes[side].log.read(`${side}-swap/${UUID}`);
  if (records instanceof Promise) throw new TypeError('the log answers at once');
  return (records.find((record) => record.type === type)?.data as { readonly error: string } | undefined)?.error;
}

const FAILED = { maker: 'MakerPaymentTransactionFailed', taker: 'TakerPaymentTransactionFailed' } as const;
const SENT = { maker: 'MakerPaymentSent', taker: 'TakerPaymentSent' } as const;

describe('before it pays', () => {
  for (const side of ['maker', 'taker'] as const) {
    it(`a ${side} who can no longer pay for its claim keeps its coins`, async () => {
      const { pair } = shrinkingPair(side);
      await begin(pair, side);
      expect(await pair.until(() => pair.types(side).includes('Finished'), 400)).toBe(true);
      expect(pair.types(side)).not.toContain(SENT[side]);
      const [coin, fee] = side === 'taker' ? ['DOC', '0.0000195'] : ['MARTY', '0.00065'];
      expect(errorOf(pair, side, FAILED[side])).toBe(
        `!check_balance_for_${side}_swap Not enough ${coin} for swap: available 0, required at least ${fee}, locked by swaps Some(BigDecimal("0"))`,
      );
      expect((await pair.nodes[side].runtime.status(UUID))?.outcome).toBe('failed-before-payment');
    });

    it(`a ${side} who can pay for its claim again in time goes on`, async () => {
      const { pair, wallet } = shrinkingPair(side);
      await begin(pair, side);
      await pair.minutes(5);
      expect(pair.types(side)).toContain('Negotiated');
      expect(pair.types(side)).not.toContain(SENT[side]);
      wallet.empty = false;
      expect(await pair.until(() => pair.types(side).includes('Finished'), 60)).toBe(true);
      expect((await pair.nodes[side].runtime.status(UUID))?.outcome).toBe('completed');
    });
  }
});
