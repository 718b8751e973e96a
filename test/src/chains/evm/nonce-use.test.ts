import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerTooLong } from '../../../../src/chains/accounts/silence.ts';
import { useOf } from '../../../../src/chains/evm/nonce-use.ts';
import type { EvmLook } from '../../../../src/chains/evm/reader.ts';
import type { Made } from '../../../../src/chains/evm/transaction.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';

const FROM = 'aa'.repeat(20);
const NONCE = 5;
const KEPT = 100;

type Chain = {
  readonly head: number;
  readonly at: number;
  readonly kept: number;
  /** Ids of the block with the nonce, which is too long to be read with all that is in it. @defaultValue it is not */
  readonly tooLong?: readonly string[] | null;
};

/** A chain of which a block has used the nonce; rounds are questions that wait for the answer to another one. */
function chainOf({ head, at, kept, tooLong }: Chain) {
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
      if (block === at && tooLong !== undefined) throw new AnswerTooLong('the answer is longer than is read');
      return block === at ? [{ id: 'the other one', from: FROM, nonce: NONCE }] : [];
    },
    ids: async (block) => {
      await round();
      if (block !== at) return [];
      if (tooLong === null) throw new BackendSilent('no answer');
      return tooLong ?? ['the other one'];
    },
  };
  return { look: look as EvmLook, rounds: () => rounds };
}

const made = { id: 'the own one', from: FROM, nonce: NONCE };

describe('the transaction that used a nonce', () => {
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

  it.each([
    ['the own one, of which no receipt is known yet', ['x', 'the own one'], 'the own one'],
    ['a variant of it', ['a variant', 'x'], 'a variant'],
    ['something else', ['x', 'y'], null],
  ] as const)('is found by the ids in a block that is too long to be read: %s', async (_, ids, id) => {
    const { look } = chainOf({ head: 300, at: 290, kept: KEPT, tooLong: ids });
    const variant = { ...made, id: 'a variant' } as Made;
    expect(await useOf(look, { made, others: [variant] })).toEqual({ id, block: 290 });
  });

  it('is unknown, and no fact, if nodes do not report the ids either', async () => {
    const { look } = chainOf({ head: 300, at: 290, kept: KEPT, tooLong: null });
    await expect(useOf(look, { made, others: [] })).rejects.toThrow('no answer');
  });

  it('is reported without an id if the node has no state that old and no block shows it', async () => {
    const { look } = chainOf({ head: 300, at: 250, kept: 10 });
    expect(await useOf(look, { made, others: [] })).toEqual({ id: 'the other one', block: 250 });
  });
});
