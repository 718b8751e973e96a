import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { depthOf, finalityMemory, MOST_BEHIND } from '../../../../src/chains/evm/depth.ts';
import type { EvmNode } from '../../../../src/chains/evm/node.ts';
import { createEvmNodeReader } from '../../../../src/chains/evm/node-reader.ts';
import { createEvmQuorumReader } from '../../../../src/chains/evm/quorum-reader.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const HEAD = 100;
const BLOCK_TIME = 60;
const FINALITY = 3;
/** Number of the first block that is near the head. */
const NEAR = HEAD - MOST_BEHIND / BLOCK_TIME;
const hex = (number: number) => `0x${number.toString(16)}`;
const blockAt = (number: number) => ({
  number: hex(number),
  hash: `0x${number.toString(16).padStart(64, '0')}`,
  timestamp: hex(number * BLOCK_TIME),
  baseFeePerGas: '0x1',
});

/** What a node says of the last final block: a number, that it knows none, that it refuses, or nothing. */
type Word = number | null | 'refuses' | 'too much' | 'silent';

function nodeThatSays(name: string, word: () => Word): EvmNode {
  return {
    name,
    async request(method, [at]) {
      if (method === 'eth_chainId') return '0x1';
      if (at !== 'finalized') return blockAt(at === 'latest' ? HEAD : Number(at));
      const said = word();
      if (said === 'silent') throw new BackendSilent('it is away');
      if (said === 'refuses') throw new NodeRefusal(-32602, 'invalid argument 0: hex string without 0x prefix');
      if (said === 'too much') throw new NodeRefusal(-32005, 'daily request count exceeded, request rate limited');
      return said === null ? null : { ...blockAt(said), timestamp: hex(7) };
    },
  };
}

/** Depths by nodes that say so, one word each time; all by what was remembered before. */
function judged(finalizedTag: boolean | 'ifKnown' = 'ifKnown') {
  const account = { finality: finalityMemory() };
  return async (words: readonly Word[], block: number): Promise<number | 'unsettled'> => {
    const readers = words.map((word, place) =>
      createEvmNodeReader(
        nodeThatSays(`n${place}`, () => word),
        1,
      ),
    );
    const reader = createEvmQuorumReader({ readers, clock: virtualClock() });
    return depthOf(await reader.look(), block, { coin: { finality: FINALITY, finalizedTag }, account }).catch(
      (error: unknown) => {
        if (error instanceof BackendSilent) return 'unsettled' as const;
        throw error;
      },
    );
  };
}

const DEEP = 95;
const DEPTH = HEAD - DEEP + 1;
const WAITS = FINALITY - 1;

describe('the depth of a confirmed transaction', () => {
  it.each([
    ['nobody knows a final block', [null, 'refuses', null], DEPTH],
    ['one alone knows none', [null], DEPTH],
    ['one alone knows a near one', [NEAR], WAITS],
    ['one alone knows a far one only', [NEAR - 1], DEPTH],
    ['two call it final', [DEEP, 97, null], DEPTH],
    ['one of two calls it final', [DEEP, null], WAITS],
    ['one of two calls all final', [9999, null], WAITS],
    ['one of three calls a near one final, and the others know none', [NEAR, null, 'refuses'], WAITS],
    ['one of three calls a far one final, and the others know none', [0, null, null], WAITS],
    ['two of three know far ones only', [3, 0, null], DEPTH],
    ['two of three call far ones final, and one a near one', [3, 0, NEAR], WAITS],
    ['one of two is asked too much', [null, 'too much'], 'unsettled'],
    ['the one is asked too much', ['too much'], 'unsettled'],
    ['one of two says nothing', [DEEP, 'silent'], 'unsettled'],
  ] as [string, Word[], number | string][])('is counted if %s', async (_, words, expected) => {
    expect(await judged()(words, DEEP)).toBe(expected);
  });

  it('is unchanged below the depth of finality, and if the coin goes by depth alone', async () => {
    expect([await judged()([null, 9999], HEAD - 1), await judged(false)([null, 'silent'], DEEP)]).toEqual([2, DEPTH]);
  });

  it('always follows the nodes if the coin is set to', async () => {
    const always = judged(true);
    expect([await always([null, null], DEEP), await always([0, 0], DEEP), await always([DEEP, DEEP], DEEP)]).toEqual([
      WAITS,
      WAITS,
      DEPTH,
    ]);
  });

  it('is never enough by less than two answers, however one of three lies, once a near final block was named', async () => {
    const honest = fc.oneof(fc.constant(null), fc.constant('refuses' as const), fc.constant(NEAR + 3));
    const lie: fc.Arbitrary<Word> = fc.oneof(
      fc.constantFrom<Word>(null, 'refuses', 0, 9999, 'silent', 'too much'),
      fc.integer({ min: 0, max: HEAD }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(honest, honest, lie), { maxLength: 6 }), async (rounds) => {
        const depth = judged();
        await depth([NEAR + 3, null, null], DEEP);
        for (const words of rounds) expect(await depth(words, DEEP)).not.toBe(DEPTH);
      }),
      { numRuns: 60 },
    );
  });
});
