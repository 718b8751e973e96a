import { describe, expect, it } from 'vitest';
import type { Answer, PreparedTransaction, PrepareRequest } from '../../../src/ports/chain.ts';
import type { RuntimeChain } from '../../../src/runtime/index.ts';
import { createPair, type Pair, requestOf } from '../../support/swap-pair.ts';

const UUIDS = ['3447b727-fe93-4357-8e5a-000000000001', '3447b727-fe93-4357-8e5a-000000000002'] as const;

/** A wallet that prepares one transaction of a purpose, and hands it out to whoever asks for one. */
function repeating(chain: RuntimeChain, purpose: PrepareRequest['purpose']): RuntimeChain {
  let made: Promise<Answer<PreparedTransaction>> | null = null;
  return {
    ...chain,
    prepare: (request, forSwap) => {
      if (request.purpose !== purpose) return chain.prepare(request, forSwap);
      // Whoever asks before the answer is there gets the same as well.
      made ??= Promise.resolve(chain.prepare(request, forSwap));
      return made;
    },
  };
}

const pairWith = (purpose: PrepareRequest['purpose']): Pair =>
  createPair({
    options: (side, { chains }) => ({
      chains: chains.map((chain) =>
        side === 'taker' && chain.traits.coin === 'MARTY' ? repeating(chain, purpose) : chain,
      ),
    }),
  });

const outOf = ({ chains }: Pair, purpose: string) =>
  chains.MARTY.ledger?.transactions('taker').filter((seen) => seen.purpose === purpose) ?? [];

describe.each(['fee', 'payment'] as const)('a wallet that hands out one %s to two swaps', (purpose) => {
  it('has it broadcast for one of them: the other learns that, sends nothing and ends', async () => {
    const pair = pairWith(purpose);
    // Both pay the same, so that the one transaction would fit both.
    for (const uuid of UUIDS) {
      for (const side of ['maker', 'taker'] as const)
        await pair.nodes[side].runtime.startSwap(requestOf(side, { uuid }));
    }
    const { runtime, log } = pair.nodes.taker;
    const errors = new Set<string>();
    const over = async () => {
      for (const uuid of UUIDS) {
        const status = await runtime.status(uuid);
        if (status?.error != null) errors.add(status.error.code);
        for (const { message } of status?.faults ?? []) if (message.includes('belongs to')) errors.add('fault');
      }
      return UUIDS.every((uuid) => pair.types('taker', uuid).includes('Finished'));
    };
    expect(await pair.until(over, 900)).toBe(true);
    expect([...errors]).not.toContain('RUNNER_FAILED');
    expect(errors.size).toBeGreaterThan(0);
    expect(outOf(pair, purpose)).toHaveLength(1);
    const users = UUIDS.filter((uuid) => pair.types('taker', uuid).includes('TakerPaymentSent'));
    expect(users).toHaveLength(1);
    const prepared = UUIDS.map((uuid) =>
      (log.read(`taker-swap/${uuid}`) as readonly { type: string; data: { purpose?: string } }[]).filter(
        ({ type, data }) => type === 'TransactionPrepared' && data.purpose === purpose,
      ),
    );
    expect(prepared.map(({ length }) => length).sort()).toEqual([0, 1]);
  });
});
