import { expect, it } from 'vitest';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import type { SimChain, SimWallet } from '../../../src/sim/chains/types.ts';
import { createPair, type Pair, requestOf } from '../../support/swap-pair.ts';

const FROM = 0 as UnixSeconds;
const EVER = Number.MAX_SAFE_INTEGER as UnixSeconds;

const chainOf = ({ chains }: Pair): SimChain => chains.MARTY.sim as SimChain;
const feeOf = (pair: Pair) =>
  chainOf(pair)
    .ledger.transactions('taker')
    .find(({ purpose }) => purpose === 'fee');

/** A taker's swap that is over since its maker's payment never comes, with a fee that no block has taken by then. */
async function ended(pair: Pair): Promise<void> {
  const maker = pair.nodes.maker.wallets.DOC as SimWallet;
  maker.setFaults([{ kind: 'broadcast', effect: 'lost', purposes: ['payment'], from: FROM, until: EVER }]);
  chainOf(pair).setFaults([{ kind: 'censor', purposes: ['fee'], from: FROM, until: EVER }]);
  for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side));
  expect(await pair.until(() => pair.types('taker').includes('Finished'))).toBe(true);
  expect(feeOf(pair)).toMatchObject({ status: 'mempool' });
  chainOf(pair).setFaults([]);
}

it.each([['utxo', []] as const, ['account', ['MARTY']] as const])(
  'a fee that a block of a chain of kind %s lost before it was final goes out again, and leaves the wallet free',
  async (_, accounts) => {
    const pair = createPair({ accounts });
    await ended(pair);
    // Five make it final.
    expect(await pair.until(() => feeOf(pair)?.confirmations === 3, 20)).toBe(true);
    chainOf(pair).reorg({ depth: 4, drop: 'all' });
    expect(feeOf(pair)?.confirmations).toBe(0);
    expect(await pair.until(() => pair.nodes.taker.runtime.sizes().runners === 0, 60)).toBe(true);
    expect(feeOf(pair)).toMatchObject({ status: 'confirmed' });
    expect(feeOf(pair)?.confirmations).toBeGreaterThanOrEqual(5);
    const quote = await (pair.nodes.taker.wallets.MARTY as SimWallet).quote();
    expect(quote.ok && (quote.value.coming ?? '0')).toBe('0');
  },
);
