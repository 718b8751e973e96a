import { describe, expect, it } from 'vitest';
import type { RuntimeChain } from '../../../src/runtime/index.ts';
import { createPair, requestOf, UUID } from '../../support/swap-pair.ts';

type Call = {
  readonly op: 'prepare' | 'checkFee';
  readonly coin: string;
  readonly what: string;
  readonly swap: string;
};

/** A wallet that notes for which swap it is asked. */
function noting(chain: RuntimeChain, calls: Call[]): RuntimeChain {
  const { coin } = chain.traits;
  return {
    ...chain,
    prepare: (request, forSwap) => {
      calls.push({ op: 'prepare', coin, what: request.purpose, swap: forSwap.swap });
      return chain.prepare(request, forSwap);
    },
    checkFee: (check, forSwap) => {
      calls.push({ op: 'checkFee', coin, what: check.hash, swap: forSwap.swap });
      return chain.checkFee(check, forSwap);
    },
  };
}

describe('a question to a wallet', () => {
  it('names its swap, on both sides and for every kind of transaction', async () => {
    const calls = { maker: [] as Call[], taker: [] as Call[] };
    const pair = createPair({
      options: (side, { chains }) => ({ chains: chains.map((chain) => noting(chain, calls[side])) }),
    });
    for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side));
    expect(await pair.until(() => pair.types('taker').includes('Finished'))).toBe(true);
    const signed = (side: 'maker' | 'taker') => [
      ...new Set(calls[side].map(({ op, coin, what }) => (op === 'prepare' ? `${what} ${coin}` : op))),
    ];
    expect(signed('taker')).toEqual(['fee MARTY', 'payment MARTY', 'refund MARTY', 'claim DOC']);
    expect(signed('maker')).toEqual(['checkFee', 'payment DOC', 'refund DOC', 'claim MARTY']);
    for (const { swap } of [...calls.maker, ...calls.taker]) expect(swap).toBe(UUID);
  });
});
