import { expect, it } from 'vitest';
import { heldToEvmChain } from '../../../../src/chains/evm/held-node.ts';
import type { EvmNode } from '../../../../src/chains/evm/node.ts';
import { evmVoiceOf } from '../../../../src/chains/evm/voice.ts';

it('the ways to one host must each prove the chain', async () => {
  const ways = ['one', 'two'].map((name): EvmNode => ({ name, request: async () => '0x89' }));
  const held = ways.map((way) => heldToEvmChain(way, 137));
  const voice = evmVoiceOf({ name: 'a host', ways: held });
  expect([voice.name, voice.heldTo, await voice.request('eth_chainId', [])]).toEqual(['a host', 137, '0x89']);
  expect(evmVoiceOf({ name: 'a host', ways: [...held, ...ways] }).heldTo).toBeUndefined();
  expect(() => evmVoiceOf({ name: 'a host', ways: [] })).toThrow(RangeError);
});
