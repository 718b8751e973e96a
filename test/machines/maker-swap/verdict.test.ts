import { describe, expect, it } from 'vitest';
import { initialMakerSwapContext, type MakerSwapContext } from '../../../machines/maker-swap/context.ts';
import { makerSwapContradictions } from '../../../machines/maker-swap/verdict.ts';
import type { Millis } from '../../../src/primitives/time.ts';

const TX = { tx_hex: 'aa', tx_hash: 'bb'.repeat(32) };

function bothWays(error: string): MakerSwapContext {
  const failures = [{ event: 'TakerPaymentSpendConfirmFailed', at: 0 as Millis, error }];
  return { ...initialMakerSwapContext(), takerPaymentSpend: TX, makerPaymentRefunded: true, failures };
}

describe('a maker’s log that tells of a claim and of a refund', () => {
  it('contradicts itself: both together leave the taker with nothing', () => {
    expect(makerSwapContradictions(bothWays('timeout'))).toEqual([
      'The log says both that the maker spent the taker payment and that it refunded its own; then the taker lost its coins.',
    ]);
  });

  it('does not where the chain showed that the taker had its payment back first', () => {
    const shown = `!wait for taker payment spend confirmations: the taker payment was refunded by transaction ${TX.tx_hash}`;
    expect(makerSwapContradictions(bothWays(shown))).toEqual([]);
    expect(makerSwapContradictions({ ...bothWays(shown), makerPaymentRefunded: false })).toEqual([]);
  });
});
