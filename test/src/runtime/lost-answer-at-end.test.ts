import { expect, it } from 'vitest';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { SimWallet } from '../../../src/sim/chains/types.ts';
import { createPair, requestOf } from '../../support/swap-pair.ts';

/** Stores what ends a swap, and does not say so. */
const silentAtTheEnd = (log: EventLog, lost: { count: number }): EventLog => ({
  ...log,
  async append(batch) {
    const stored = await log.append(batch);
    if (lost.count > 0 || !batch.records.some(({ type }) => type === 'Finished')) return stored;
    lost.count += 1;
    throw new Error('the log does not answer');
  },
});

// The last append of a swap has nothing after it that could rule out what it was to hold; the log itself does.
it('a fee that no node took goes back to its wallet although the answer to the last append was lost', async () => {
  const lost = { count: 0 };
  const pair = createPair({
    options: (side, { log, chains }) =>
      side === 'maker'
        ? {}
        : {
            log: silentAtTheEnd(log, lost),
            chains: chains.map((chain) => ({
              ...chain,
              broadcast: () => ({ ok: false, fault: { kind: 'unavailable', message: 'no node' } }) as const,
            })),
          },
  });
  for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side));
  expect(await pair.until(() => pair.types('taker').includes('Finished'))).toBe(true);
  expect(pair.types('taker')).toContain('BroadcastAttempted');
  expect(await pair.until(() => pair.nodes.taker.runtime.sizes().runners === 0, 30)).toBe(true);
  expect(lost.count).toBe(1);
  const quote = await (pair.nodes.taker.wallets.MARTY as SimWallet).quote();
  expect(quote.ok && [quote.value.spendable, quote.value.coming ?? '0']).toEqual(['1200', '0']);
});
