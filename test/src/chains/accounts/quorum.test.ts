import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agreement, everyone } from '../../../../src/chains/accounts/agreement.ts';
import {
  type OneNode,
  type QuorumMemory,
  type QuorumRules,
  quorumMemory,
  quorumOf,
} from '../../../../src/chains/accounts/quorum.ts';
import { Disagreement, TooFew } from '../../../../src/chains/accounts/silence.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

type Block = { readonly height: number; readonly fork: string };
type Look = { readonly head: Block; readonly settled: boolean; word(): Promise<string> };
type Node = OneNode<Block, Look, string> & { readonly name: string };

const RULES: QuorumRules<Block, Look, string> = {
  heightOf: ({ height }) => height,
  nameOf: ({ height, fork }) => `${height} ${fork}`,
  agreedLook: ({ head, settled, ...agreeing }) => ({
    ...{ head, settled },
    word: () => agreement(agreeing, (look) => look.word()),
  }),
  isKnownAlready: (refusal) => refusal === 'known',
};

/** What a node is like; a word or a height may be changed while it is asked. */
type Manner = {
  height: number;
  word: string;
  fork?: string;
  away?: boolean;
  silent?: boolean;
  refusal?: string | null;
};

function nodeOf(name: string, manner: Manner) {
  let asked = 0;
  const heard = <T>(answer: T): Promise<T> => {
    if (manner.away === true) return Promise.reject(new BackendSilent(`${name} is away`));
    return Promise.resolve(answer);
  };
  const at = (height: number): Block => ({ height, fork: manner.fork ?? 'main' });
  const node: Node = {
    name,
    head: () => {
      asked += 1;
      return heard(at(manner.height));
    },
    block: (height) => heard(height > manner.height ? null : at(height)),
    lookAt: (head) => ({
      head,
      settled: false,
      word: () =>
        manner.silent === true ? Promise.reject(new BackendSilent(`${name} says nothing`)) : heard(manner.word),
    }),
    send: () => heard(manner.refusal ?? null),
  };
  return { node, asked: () => asked };
}

function worldOf(manners: readonly Manner[], options: { quorum?: number; memory?: QuorumMemory } = {}) {
  const clock = virtualClock(1_700_000_000_000);
  const nodes = manners.map((manner, place) => nodeOf(`node ${place}`, manner));
  const quorum = quorumOf<Node, Block, Look, string>(
    { readers: nodes.map(({ node }) => node), clock, ...options },
    RULES,
  );
  return { clock, nodes, quorum };
}

describe('several nodes, none of which is believed alone', () => {
  it('settle what two of them agree on, at the highest block that two have', async () => {
    const { quorum } = worldOf([
      { height: 9, word: 'rich' },
      { height: 12, word: 'poor' },
      { height: 11, word: 'poor' },
    ]);
    const look = await quorum.look();
    expect([look.head.height, look.settled, await look.word()]).toEqual([11, true, 'poor']);
  });

  it('never settle an answer that fewer than the quorum give', async () => {
    const word = fc.constantFrom('a', 'b');
    const manner = fc.record({ height: fc.integer({ min: 5, max: 8 }), word, away: fc.boolean() });
    const scene = fc.record({ manners: fc.array(manner, { minLength: 2, maxLength: 5 }), need: fc.constantFrom(1, 2) });
    await fc.assert(
      fc.asyncProperty(scene, async ({ manners, need }) => {
        const { quorum } = worldOf(manners, { quorum: need });
        const told = await quorum
          .look()
          .then(async (look) => ({ head: look.head.height, word: await look.word() }))
          .catch((error: unknown) => {
            if (error instanceof BackendSilent) return null;
            throw error;
          });
        if (told === null) return;
        const who = manners.filter(({ away, height }) => !away && height >= told.head);
        expect(who.filter((one) => one.word === told.word).length).toBeGreaterThanOrEqual(need);
      }),
    );
  });

  it('say that they are too few, or that they differ', async () => {
    const few = worldOf([
      { height: 5, word: 'a' },
      { height: 5, word: 'a', away: true },
    ]);
    await expect(few.quorum.look()).rejects.toThrow(TooFew);
    const doubtful = await few.quorum.look(true);
    expect([doubtful.settled, await doubtful.word()]).toEqual([false, 'a']);
    const split = worldOf([
      { height: 5, word: 'a' },
      { height: 5, word: 'a', fork: 'other' },
    ]);
    await expect(split.quorum.look()).rejects.toThrow(Disagreement);
  });

  it('ignore a node that contradicts the others, and share that with everyone who asks the same nodes', async () => {
    const memory = quorumMemory();
    const manners = [
      { height: 5, word: 'lie' },
      { height: 5, word: 'truth' },
      { height: 5, word: 'truth' },
    ];
    const first = worldOf(manners, { memory });
    expect(await (await first.quorum.look()).word()).toBe('truth');
    const second = worldOf(manners, { memory });
    expect(await (await second.quorum.look()).word()).toBe('truth');
    expect(second.nodes.map(({ asked }) => asked())).toEqual([0, 1, 1]);
    const alone = worldOf(manners);
    await alone.quorum.look();
    expect(alone.nodes.map(({ asked }) => asked())).toEqual([1, 1, 1]);
  });

  it.each([
    ['lies', { word: 'lie' }],
    ['is silent about it', { silent: true }],
    ['is on another chain', { fork: 'other' }],
  ] as const)('ask an outvoted node again if one of the others %s', async (_, fault) => {
    const manners: [Manner, Manner, Manner] = [
      { height: 5, word: 'late' },
      { height: 5, word: 'truth' },
      { height: 5, word: 'truth' },
    ];
    const { quorum } = worldOf(manners);
    expect(await (await quorum.look()).word()).toBe('truth');
    manners[0].word = 'truth';
    Object.assign(manners[2], fault);
    const told = () => quorum.look().then((look) => look.word());
    await expect(told()).rejects.toThrow(BackendSilent);
    expect([await told(), await told()]).toEqual(['truth', 'truth']);
  });

  it('are not believed for a minute if all have fallen back by more than two blocks', async () => {
    const manners = [
      { height: 20, word: 'a' },
      { height: 20, word: 'a' },
    ];
    const { quorum, clock } = worldOf(manners);
    await quorum.look();
    for (const manner of manners) manner.height = 18;
    expect((await quorum.look()).head.height).toBe(18);
    for (const manner of manners) manner.height = 17;
    await expect(quorum.look()).rejects.toThrow('at block 17, which is in the past');
    await clock.advance(60_000);
    expect((await quorum.look()).head.height).toBe(17);
  });

  it('have accepted what one of them accepts, and hold what one of them holds', async () => {
    const sent = (...refusals: readonly (string | null | 'away')[]) =>
      worldOf(
        refusals.map((refusal) => ({ height: 5, word: 'a', refusal, ...(refusal === 'away' ? { away: true } : {}) })),
      ).quorum.send('00');
    expect(await sent('bad', null, 'away')).toBeNull();
    expect(await sent('bad', 'known')).toBe('known');
    expect(await sent('away', 'bad')).toBe('bad');
    await expect(sent('away', 'away')).rejects.toThrow('no node answers');
  });
});

describe('all nodes that answer', () => {
  it('are as many as are needed at least', async () => {
    const looks = ['x', 'y', null].map((word) => ({
      look: async () => {
        if (word === null) throw new BackendSilent('away');
        return word;
      },
      distrust: () => undefined,
    }));
    expect(await everyone({ looks, need: 2 }, (look) => look())).toEqual(['x', 'y']);
    await expect(everyone({ looks, need: 3 }, (look) => look())).rejects.toThrow(TooFew);
    await expect(everyone({ looks, need: 1 }, () => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
  });
});
