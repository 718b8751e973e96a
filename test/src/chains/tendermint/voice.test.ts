import { describe, expect, it } from 'vitest';
import { heldToTendermintChain } from '../../../../src/chains/tendermint/held-node.ts';
import type { TendermintNode } from '../../../../src/chains/tendermint/node.ts';
import { createTendermintNodeReader } from '../../../../src/chains/tendermint/node-reader.ts';
import { tendermintVoiceOf } from '../../../../src/chains/tendermint/voice.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { IRIS, TendermintTestChain, UNIT } from '../../../support/tendermint/adapter-chain.ts';

const test = new TendermintTestChain(IRIS);
test.give('somebody', 7n * UNIT);
test.chain.mine(3);
const { chainId } = IRIS;
const rules = { chainId, module: 'irismod' } as const;

/** A way to a node, which may be cut, and tells what it was asked. */
function wayTo(node: TendermintNode) {
  const asked: string[] = [];
  const way = {
    isCut: false,
    asked,
    node: {
      name: node.name,
      async request(method: string, params: Readonly<Record<string, unknown>>) {
        asked.push(method);
        if (way.isCut) throw new BackendSilent('the connection was refused');
        return node.request(method, params);
      },
    },
  };
  return way;
}

const honest = () => wayTo(test.node());
const stranger = () => wayTo(test.node({ chainId: 'irishub-1' }));
const voiceOver = (...ways: readonly ReturnType<typeof wayTo>[]) =>
  tendermintVoiceOf({ name: 'a host', ways: ways.map(({ node }) => heldToTendermintChain(node, chainId)) });

describe('several ways to one host of a Tendermint chain', () => {
  it('answer for one another, in one look too', async () => {
    const [one, two] = [honest(), honest()];
    const reader = createTendermintNodeReader(voiceOver(one, two), rules);
    const look = await reader.look();
    one.isCut = true;
    expect(await look.balance({ address: test.addressOf('somebody'), denom: IRIS.denom })).toBe(7n * UNIT);
    two.isCut = true;
    await expect(reader.look()).rejects.toThrow(BackendSilent);
    one.isCut = false;
    expect((await reader.look()).head.height).toBe(test.height);
  });

  it('do not count if they lead to another chain: nothing is asked there, and nothing sent', async () => {
    const [one, other] = [honest(), stranger()];
    const reader = createTendermintNodeReader(voiceOver(other, one), rules);
    expect((await reader.look()).head.height).toBe(test.height);
    one.isCut = true;
    await expect(reader.send('00')).rejects.toThrow(BackendSilent);
    expect(new Set(other.asked)).toEqual(new Set(['status']));
  });
});

describe('a node that must prove its chain', () => {
  it('names its chain once, and again after a silence', async () => {
    const way = honest();
    const held = heldToTendermintChain(way.node, chainId);
    for (const _ of [1, 2]) await held.request('health', {});
    way.isCut = true;
    await expect(held.request('health', {})).rejects.toThrow(BackendSilent);
    way.isCut = false;
    await held.request('health', {});
    expect(way.asked).toEqual(['status', 'health', 'health', 'health', 'status', 'health']);
  });
});
