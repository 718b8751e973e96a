import { describe, expect, it } from 'vitest';
import { BURN_KEY } from '../../../../../src/htlc/dex-fee.ts';
import type { RuntimeChain } from '../../../../../src/runtime/index.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../../../support/swap-pair.ts';

const SIDES = ['maker', 'taker'] as const;

/** A taker whose key on its own coin pays no fee, and chains that refuse to judge a fee that is not there. */
function exemptPair(): { readonly pair: Pair; readonly checked: string[] } {
  const checked: string[] = [];
  const pair = createPair({
    chain: 'ledger',
    options: (side, { chains }) => ({
      chains: chains.map(
        (chain): RuntimeChain => ({
          ...chain,
          htlcKey: (swap) => (side === 'taker' && chain.traits.coin === 'MARTY' ? BURN_KEY : chain.htlcKey(swap)),
          checkFee: ({ hash }) => {
            checked.push(hash);
            return { ok: true, value: 'no such transaction' };
          },
        }),
      ),
    }),
  });
  return { pair, checked };
}

function dataOf({ nodes }: Pair, side: Side, type: string): unknown {
  const records = nodes[side].log.read(`${side}-swap/${UUID}`);
  if (records instanceof Promise) throw new TypeError('the log answers at once');
  return records.find((record) => record.type === type)?.data;
}

describe('a taker who pays no fee', () => {
  it('swaps: both logs hold an empty fee, and no chain is asked about it', async () => {
    const { pair, checked } = exemptPair();
    for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side));
    expect(await pair.until(() => SIDES.every((side) => pair.types(side).includes('Finished')), 60)).toBe(true);
    expect(dataOf(pair, 'taker', 'TakerFeeSent')).toEqual({ tx_hex: '', tx_hash: '' });
    expect(dataOf(pair, 'maker', 'TakerFeeValidated')).toEqual({ tx_hex: '', tx_hash: '' });
    expect(checked).toEqual([]);
    for (const side of SIDES) expect((await pair.nodes[side].runtime.status(UUID))?.outcome).toBe('completed');
  });

  it('needs nothing for a fee', async () => {
    const { pair } = exemptPair();
    await pair.nodes.taker.runtime.startSwap(requestOf('taker'));
    await pair.clock.advance(0);
    expect(pair.types('taker')).toContain('Started');
    expect(Object.fromEntries(pair.nodes.taker.runtime.locked())).toEqual({ MARTY: '3.0002' });
  });
});
