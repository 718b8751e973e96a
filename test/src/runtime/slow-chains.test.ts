import { describe, expect, it } from 'vitest';
import { freshness } from '../../../src/runtime/swap/turn.ts';
import { slowChain } from '../../support/slow-chain.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../support/swap-pair.ts';
import { after, turnOf } from '../../support/turns.ts';

const SIDES = ['maker', 'taker'] as const;
const has = (pair: Pair, side: Side, type: string) => () => pair.types(side).includes(type);

/** Both nodes ask chains that answer after so many seconds: the maker coin's and the taker coin's. */
function slowPair(doc: number, marty: number): Pair {
  return createPair({
    options: (_, { chains, clock }) => ({
      chains: chains.map((chain) =>
        slowChain(chain, { clock, latency: () => (chain.traits.coin === 'DOC' ? doc : marty) }),
      ),
    }),
  });
}

describe('two nodes whose chains answer slowly', () => {
  it.each([
    [11, 11],
    [2, 19],
    [26, 9],
    // Each takes longer than a wait's pause between two looks.
    [19, 17],
  ])('swap all the same, with %i s and %i s for an answer', async (doc, marty) => {
    const pair = slowPair(doc, marty);
    for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side));
    const done = () => SIDES.every((side) => pair.types(side).includes('Finished'));
    expect(await pair.until(done, 90)).toBe(true);
    for (const side of SIDES) {
      expect(await pair.nodes[side].runtime.status(UUID)).toMatchObject({ outcome: 'completed' });
    }
  });

  it('give the maker its payment back when the taker never pays, with 19 s and 17 s for an answer', async () => {
    const pair = slowPair(19, 17);
    for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side));
    expect(await pair.until(has(pair, 'maker', 'MakerPaymentSent'), 90)).toBe(true);
    await pair.nodes.taker.runtime.pause(UUID);
    expect(await pair.until(has(pair, 'maker', 'Finished'), 600)).toBe(true);
    expect(await pair.nodes.maker.runtime.status(UUID)).toMatchObject({ outcome: 'refunded' });
  });

  it('report in their status that an answer takes long, and what waits for it', async () => {
    const pair = slowPair(2, 19);
    for (const side of SIDES) await pair.nodes[side].runtime.startSwap(requestOf(side));
    expect(await pair.until(has(pair, 'taker', 'TakerFeeSent'), 30)).toBe(true);
    const texts = new Set<string>();
    for (let second = 1; second <= 300; second += 1) {
      if (second % 60 === 0) for (const coin of ['DOC', 'MARTY'] as const) pair.chains[coin].mine();
      const status = await pair.nodes.taker.runtime.status(UUID);
      if (status?.waiting?.for === 'answer') texts.add(status.waiting.text);
      await pair.clock.advance(1000);
    }
    const slow = 'which takes some 19 s to answer; the node pays and claims nothing before it has seen both chains.';
    expect([...texts].sort()).toEqual(['Waits for the answer of DOC.', `Waits for the answer of MARTY, ${slow}`]);
  });
});

describe('how old a look may be for an act', () => {
  const old = (latency: { maker: number; taker: number }, until: number | null = null) =>
    freshness(turnOf({ policy: { freshness: 7 }, facts: { latency } }), until === null ? null : after(until));

  it('is what the policy says if chains answer at once', () => {
    expect(old({ maker: 0, taker: 0 })).toBe(7);
    expect(old({ maker: 1000, taker: 2000 })).toBe(7);
  });

  it('is as long as two looks at both chains take if they answer slowly', () => {
    expect(old({ maker: 1000, taker: 2501 })).toBeCloseTo(7.002, 9);
    expect(old({ maker: 11_000, taker: 4000 })).toBe(30);
  });

  it('is never more than a tenth of the remaining time, nor less than the policy', () => {
    const slow = { maker: 11_000, taker: 4000 };
    expect(old(slow, 301)).toBe(30);
    expect(old(slow, 290)).toBe(29);
    expect(old(slow, 60)).toBe(7);
    expect(old(slow, -5)).toBe(7);
  });
});
