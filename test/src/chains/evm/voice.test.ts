import { expect, it } from 'vitest';
import { heldToChain } from '../../../../src/chains/evm/held-node.ts';
import type { EvmNode } from '../../../../src/chains/evm/node.ts';
import { voiceOf } from '../../../../src/chains/evm/voice.ts';

it('the ways to one host are held to a chain where each of them is', async () => {
  const ways = ['one', 'two'].map((name): EvmNode => ({ name, request: async () => '0x89' }));
  const held = ways.map((way) => heldToChain(way, 137));
  const voice = voiceOf({ name: 'a host', ways: held });
  expect([voice.name, voice.heldTo, await voice.request('eth_chainId', [])]).toEqual(['a host', 137, '0x89']);
  expect(voiceOf({ name: 'a host', ways: [...held, ...ways] }).heldTo).toBeUndefined();
  expect(() => voiceOf({ name: 'a host', ways: [] })).toThrow(RangeError);
});
