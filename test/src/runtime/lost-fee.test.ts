import { describe, expect, it } from 'vitest';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import type { SimWallet } from '../../../src/sim/chains/types.ts';
import { createPair, type Pair, requestOf } from '../../support/swap-pair.ts';

const FROM = 0 as UnixSeconds;
const EVER = Number.MAX_SAFE_INTEGER as UnixSeconds;

const walletOf = ({ nodes }: Pair): SimWallet => nodes.taker.wallets.MARTY as SimWallet;

async function begin(pair: Pair): Promise<void> {
  for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side));
}

const fees = ({ chains }: Pair) =>
  chains.MARTY.ledger?.transactions('taker').filter(({ purpose }) => purpose === 'fee') ?? [];
const isOver = (pair: Pair) => pair.types('taker').includes('Finished');
const isForgotten = ({ nodes }: Pair) => nodes.taker.runtime.sizes().runners === 0;

/** What the taker's wallet can spend, and what it has in blocks, in coin units and base units. */
async function standing(pair: Pair) {
  const quote = await walletOf(pair).quote();
  return [quote.ok && quote.value.spendable, quote.ok && (quote.value.coming ?? '0'), balanceOf(pair)];
}

const balanceOf = ({ chains }: Pair) => chains.MARTY.ledger?.balance('taker');

describe.each([['utxo', []] as const, ['account', ['MARTY']] as const])(
  'a fee on a chain of kind %s',
  (_, accounts) => {
    it('that a node took and lost goes out again once the swap is over, and keeps no coins promised', async () => {
      const pair = createPair({ accounts });
      walletOf(pair).setFaults([{ kind: 'broadcast', effect: 'lost', purposes: ['fee'], from: FROM, until: EVER }]);
      await begin(pair);
      expect(await pair.until(() => isOver(pair))).toBe(true);
      expect(pair.types('taker')).toContain('TakerFeeSent');
      await pair.minutes(30);
      expect(fees(pair)).toEqual([]);
      expect(isForgotten(pair)).toBe(false);
      walletOf(pair).setFaults([]);
      expect(await pair.until(() => isForgotten(pair), 60)).toBe(true);
      expect(fees(pair)).toHaveLength(1);
      const [spendable, coming, balance] = await standing(pair);
      expect(balance).toEqual({ confirmed: balanceOf(pair)?.pending, pending: balanceOf(pair)?.confirmed });
      expect([spendable, coming]).toEqual([amountOf(balanceOf(pair)?.confirmed ?? 0n), '0']);
    });

    it('that never goes out is released with the watch over its swap', async () => {
      const pair = createPair({ accounts, options: () => ({ policy: { guardFor: 3600 } }) });
      walletOf(pair).setFaults([{ kind: 'broadcast', effect: 'lost', purposes: ['fee'], from: FROM, until: EVER }]);
      await begin(pair);
      expect(await pair.until(() => isOver(pair))).toBe(true);
      await pair.minutes(55);
      expect(isForgotten(pair)).toBe(false);
      expect(await pair.until(() => isForgotten(pair), 10)).toBe(true);
    });
  },
);

function amountOf(units: bigint): string {
  const digits = units.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '');
}
