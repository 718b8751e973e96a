import { describe, expect, it } from 'vitest';
import type { PaymentQuery } from '../../../src/ports/chain.ts';
import { heightOf } from '../../../src/primitives/time.ts';
import { shallowChain } from '../../../src/sim/chains/shallow.ts';
import { CHAINS, createPair, requestOf, type Side, UUID } from '../../support/swap-pair.ts';

const SIDES = ['maker', 'taker'] as const;

describe('an adapter that has not looked far enough', () => {
  it('ends nothing: not the wait for a payment, not a refund, not the watch over an end', async () => {
    let read = Number.POSITIVE_INFINITY;
    const pair = createPair({
      options: (_, { chains }) => ({ chains: chains.map((chain) => shallowChain(chain, { blocks: () => read })) }),
    });
    const has = (side: Side, type: string) => () => pair.types(side).includes(type);
    for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side));
    expect(await pair.until(has('taker', 'TakerPaymentSent'), 60)).toBe(true);
    // Both processes die after the taker has paid, and their adapters begin to read their chains anew: for a while they know
    // nothing of what is in blocks.
    read = 0;
    for (const side of SIDES) pair.restart(side);
    for (const side of SIDES) await pair.nodes[side].runtime.resumeAll();
    await pair.minutes(2);
    const before = SIDES.map((side) => pair.types(side).length);
    await pair.minutes(40);
    for (const side of SIDES) {
      const status = await pair.nodes[side].runtime.status(UUID);
      expect(status?.faults.map(({ kind }) => kind)).toContain('unknown');
    }
    expect(SIDES.map((side) => pair.types(side).length)).toEqual(before);
    read = Number.POSITIVE_INFINITY;
    expect(await pair.until(() => SIDES.every((side) => has(side, 'Finished')()), 120)).toBe(true);
    for (const side of SIDES) {
      expect(await pair.nodes[side].runtime.status(UUID)).toMatchObject({ outcome: 'completed' });
    }
  });
});

describe('a search for a payment', () => {
  const watched = (accounts: readonly 'MARTY'[] = []) => {
    const queries: Record<'DOC' | 'MARTY', PaymentQuery[]> = { DOC: [], MARTY: [] };
    const pair = createPair({
      accounts,
      options: (_, { chains }) => ({
        chains: chains.map((chain) => ({
          ...chain,
          payment: (query: PaymentQuery) => {
            queries[chain.traits.coin as 'DOC'].push(query);
            return chain.payment(query);
          },
        })),
      }),
    });
    return { pair, queries };
  };
  const run = async ({ pair }: ReturnType<typeof watched>) => {
    for (let block = 0; block < 7; block += 1) pair.chains.MARTY.mine();
    for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side));
    expect(await pair.until(() => SIDES.every((side) => pair.types(side).includes('Finished')), 60)).toBe(true);
  };

  it('begins well below the height at which the swap began, on each chain its own', async () => {
    const world = watched();
    await run(world);
    expect(new Set(world.queries.DOC.map(({ from }) => from))).toEqual(new Set([CHAINS.DOC.startHeight - 144]));
    expect(new Set(world.queries.MARTY.map(({ from }) => from))).toEqual(new Set([CHAINS.MARTY.startHeight + 7 - 144]));
  });

  it.each(['DOC', 'MARTY'] as const)('finds nothing of it below its first block, on %s', async (coin) => {
    const world = watched(['MARTY']);
    await run(world);
    const wallet = world.pair.nodes.maker.wallets[coin];
    const query = world.queries[coin].at(-1) as PaymentQuery;
    const found = await wallet.payment(query);
    if (!found.ok || found.value.funding === null) throw new Error('the payment is not found');
    const placed = found.value.height - found.value.funding.confirmations + 1;
    const at = async (from: number) => {
      const answer = await wallet.payment({ ...query, from: heightOf(from) });
      return answer.ok && answer.value.funding !== null;
    };
    expect([await at(placed), await at(placed + 1)]).toEqual([true, false]);
  });
});
