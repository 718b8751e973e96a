import { describe, expect, it } from 'vitest';
import { heldToChain } from '../../../../src/chains/evm/held-node.ts';
import { type EvmNode, NodeRefusal } from '../../../../src/chains/evm/node.ts';
import { BackendSilent } from '../../../../src/chains/evm/reader.ts';
import { voiceOf } from '../../../../src/chains/evm/voice.ts';

function bench(...names: readonly string[]) {
  const asked: string[] = [];
  const away = new Set<string>();
  const ways = names.map(
    (name): EvmNode => ({
      name,
      async request(method) {
        asked.push(name);
        if (away.has(name)) throw new BackendSilent(`${name} does not answer`);
        if (method === 'eth_refused') throw new NodeRefusal(3, `${name} refuses`);
        return `of ${name}`;
      },
    }),
  );
  return { asked, away, ways, voice: voiceOf({ name: 'a host', ways }) };
}

describe('the ways to one host', () => {
  it('are tried in turn, and the one that answered is asked first from then on', async () => {
    const { asked, away, voice } = bench('one', 'two', 'three');
    away.add('one');
    expect([await voice.request('eth_call', []), asked.splice(0)]).toEqual(['of two', ['one', 'two']]);
    expect([await voice.request('eth_call', []), asked.splice(0)]).toEqual(['of two', ['two']]);
    away.delete('one');
    away.add('two');
    expect([await voice.request('eth_sendRawTransaction', ['0x']), asked]).toEqual(['of one', ['two', 'one']]);
  });

  it('have one word: what one refuses is refused, and all of them have to be silent', async () => {
    const { asked, away, voice } = bench('one', 'two');
    await expect(voice.request('eth_refused', [])).rejects.toThrow('one refuses');
    expect(asked.splice(0)).toEqual(['one']);
    away.add('one').add('two');
    await expect(voice.request('eth_call', [])).rejects.toThrow(BackendSilent);
    expect([asked, voice.name]).toEqual([['one', 'two'], 'a host']);
  });

  it('are held to a chain where each of them is', () => {
    const { ways } = bench('one', 'two');
    const held = ways.map((way) => heldToChain(way, 137));
    expect(voiceOf({ name: 'a host', ways: held }).heldTo).toBe(137);
    expect(voiceOf({ name: 'a host', ways: [...held, ...ways] }).heldTo).toBeUndefined();
    expect(() => voiceOf({ name: 'a host', ways: [] })).toThrow(RangeError);
  });
});
