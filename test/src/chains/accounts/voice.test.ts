import { describe, expect, it } from 'vitest';
import { type AskedNode, NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { voiceOfWays } from '../../../../src/chains/accounts/voice.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';

type Params = { readonly id: number };

function bench(...names: readonly string[]) {
  const asked: string[] = [];
  const away = new Set<string>();
  const ways = names.map(
    (name): AskedNode<Params> => ({
      name,
      async request(method, { id }) {
        asked.push(name);
        if (away.has(name)) throw new BackendSilent(`${name} does not answer`);
        if (method === 'refused') throw new NodeRefusal(3, `${name} refuses`);
        return `of ${name}: ${id}`;
      },
    }),
  );
  return { asked, away, voice: voiceOfWays({ name: 'a host', ways }) };
}

describe('the ways to one host', () => {
  it('are tried in turn, and the one that answered is asked first from then on', async () => {
    const { asked, away, voice } = bench('one', 'two', 'three');
    away.add('one');
    expect([await voice.request('call', { id: 5 }), asked.splice(0)]).toEqual(['of two: 5', ['one', 'two']]);
    expect([await voice.request('call', { id: 6 }), asked.splice(0)]).toEqual(['of two: 6', ['two']]);
    away.delete('one');
    away.add('two');
    expect([await voice.request('send', { id: 7 }), asked]).toEqual(['of one: 7', ['two', 'one']]);
  });

  it('have one word: what one refuses is refused, and all of them have to be silent', async () => {
    const { asked, away, voice } = bench('one', 'two');
    await expect(voice.request('refused', { id: 1 })).rejects.toThrow('one refuses');
    expect(asked.splice(0)).toEqual(['one']);
    away.add('one').add('two');
    await expect(voice.request('call', { id: 1 })).rejects.toThrow(BackendSilent);
    expect([asked, voice.name]).toEqual([['one', 'two'], 'a host']);
    expect(() => bench()).toThrow(RangeError);
  });
});
