import { expect, it } from 'vitest';
import { describeShared, readShared } from '../../../../support/shared.ts';
import { ask, errorOf, openNode } from '../method-context.ts';

type Case = { readonly desc?: string; readonly scriptPubKey: string; readonly expected: unknown };

/** Without the codes where they are named: a name stands for one code. */
function inHex(answer: unknown): string {
  return JSON.stringify(answer).replace(/"eval_code":"(EVAL_\w+|0x[ef]\w)"/g, '"eval_code":"named"');
}

describeShared('published and derived cases', () => {
  const { published, derived } = JSON.parse(readShared('vectors/node/decodeccopret.json')) as Record<string, Case[]>;

  it('are answered as the node does', async () => {
    const node = await openNode({ compatibility: 'node' });
    for (const { scriptPubKey, expected, desc } of [...(published ?? []), ...(derived ?? [])]) {
      expect(JSON.stringify(await ask(node, 'decodeccopret', scriptPubKey)), desc).toBe(JSON.stringify(expected));
    }
  });

  it('are answered with an object and with codes in hex by default, also where the node gives a bare 0', async () => {
    const node = await openNode();
    const odd = (derived ?? []).filter(({ expected }) => expected === 0);
    expect(odd.length).toBe(2);
    const answers = await Promise.all(odd.map(({ scriptPubKey }) => ask(node, 'decodeccopret', scriptPubKey)));
    expect(answers.map(({ result }) => result)).toEqual(['success', 'success']);
    expect(answers.map(({ OpRets }) => OpRets)).toEqual([
      [
        { eval_code: '0xf2', function: 'c' },
        { eval_code: '0x11', function: 'Q' },
      ],
      [
        { eval_code: '0xf2', function: 't' },
        { eval_code: '0xeb', function: 'O' },
      ],
    ]);
    const even = (derived ?? []).filter(({ expected }) => expected !== 0);
    for (const { scriptPubKey, expected } of even) {
      expect(inHex(await ask(node, 'decodeccopret', scriptPubKey))).toEqual(inHex(expected));
    }
  });
});

it('prints an unknown code in hex without a leading zero', async () => {
  const node = await openNode();
  expect((await ask(node, 'decodeccopret', '6a020541')).OpRets).toEqual([{ eval_code: '0x5', function: 'A' }]);
});

it('rejects anything else', async () => {
  const node = await openNode();
  for (const script of ['zz', '6a', '6a51', '51', '6a05f263']) {
    expect(await ask(node, 'decodeccopret', script)).toEqual({
      result: 'error',
      error: 'invalid or no CC opret data',
    });
  }
  expect(await errorOf(node, 'decodeccopret', 5)).toBe('-1 JSON value is not a string as expected');
});
