import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useOf } from '../../../../src/chains/evm/nonce-use.ts';
import type { EvmLook } from '../../../../src/chains/evm/reader.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';

const FROM = 'aa'.repeat(20);
const NONCE = 5;
const KEPT = 100;

/** A chain of which a block has used the nonce; rounds are questions that wait for the answer to another one. */
function chainOf({ head, at, kept }: { readonly head: number; readonly at: number; readonly kept: number }) {
  let rounds = 0;
  let open = false;
  const round = async (): Promise<void> => {
    if (!open) {
      open = true;
      rounds += 1;
      setImmediate(() => {
        open = false;
      });
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  const look: Partial<EvmLook> = {
    head: { number: head, hash: '', time: 0 as UnixSeconds, baseFee: null },
    used: async (_, block = head) => {
      await round();
      if (block < head - kept) throw new BackendSilent('the state of then is gone');
      return block >= at ? NONCE + 1 : NONCE;
    },
    receipt: async () => {
      await round();
      return null;
    },
    included: async (block) => {
      await round();
      return block === at ? [{ id: 'the other one', from: FROM, nonce: NONCE }] : [];
    },
  };
  return { look: look as EvmLook, rounds: () => rounds };
}

const made = { id: 'the own one', from: FROM, nonce: NONCE };

describe('what has used a nonce', () => {
  it('is found in any block of the last hundred, in at most five rounds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 0, max: 5000 }), async (head, below) => {
        const at = head - (below % Math.min(head, KEPT + 3));
        const { look, rounds } = chainOf({ head, at, kept: KEPT });
        const isKept = at > head - KEPT;
        const expected = isKept ? { id: 'the other one', block: at } : { id: null, block: head - KEPT };
        expect(await useOf(look, { made, others: [] })).toEqual(expected);
        expect(rounds()).toBeLessThanOrEqual(5);
      }),
    );
  });

  it('is reported without an id if the node has no state that old and no block shows it', async () => {
    const { look } = chainOf({ head: 300, at: 250, kept: 10 });
    expect(await useOf(look, { made, others: [] })).toEqual({ id: 'the other one', block: 250 });
  });
});
