import { describe, expect, it } from 'vitest';
import { AnswerTooLong } from '../../../../src/chains/accounts/silence.ts';
import type { TendermintLook } from '../../../../src/chains/tendermint/reader.ts';
import { useOf } from '../../../../src/chains/tendermint/sequence-use.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';

const HEAD = 300;
const USED_IN = 290;
const made = { id: 'the own one', from: 'aa', sequence: 5 };

/** A chain one block of which uses the sequence, and is too long to be read; `indexed`: in which block nodes know the transaction. */
function chainOf(indexed: number | null | 'silent'): TendermintLook {
  const look: Partial<TendermintLook> = {
    head: { height: HEAD } as TendermintLook['head'],
    account: async (_, height = HEAD) =>
      ({ sequence: height >= USED_IN ? 6 : 5 }) as Awaited<ReturnType<TendermintLook['account']>>,
    contents: async (height) => {
      if (height === USED_IN) throw new AnswerTooLong('the answer is longer than is read');
      return [];
    },
    included: async () => {
      if (indexed === 'silent') throw new BackendSilent('no answer');
      return indexed === null ? null : ({ height: indexed } as Awaited<ReturnType<TendermintLook['included']>>);
    },
  };
  return look as TendermintLook;
}

describe('the transaction that used a sequence in a block that is too long to be read', () => {
  it.each([
    ['is the transaction itself where it is known to be there', USED_IN, 'the own one'],
    ['is unknown where that is known in another block', USED_IN + 1, null],
    ['is unknown where no block is known to hold that', null, null],
  ])('%s', async (_, indexed, id) => {
    const use = await useOf(chainOf(indexed), { made, address: 'aa', others: [] });
    expect(use).toEqual({ id, depth: HEAD - USED_IN + 1 });
  });

  it('is no fact if nobody reports it', async () => {
    await expect(useOf(chainOf('silent'), { made, address: 'aa', others: [] })).rejects.toThrow('no answer');
  });
});
