import { expect, it } from 'vitest';
import { describeShared, readShared } from '../../../../support/shared.ts';
import { ask, errorOf, openNode, withPublicKeys } from '../method-context.ts';

type Sample = { readonly request: string; readonly expected: { readonly ismine?: boolean; readonly pubkey?: string } };

describeShared('published samples', () => {
  const { vectors, negative } = JSON.parse(readShared('vectors/node/validateaddress.json')) as Record<string, Sample[]>;

  it('are answered, member for member', async () => {
    expect(vectors?.length).toBe(9);
    for (const { request, expected } of vectors ?? []) {
      const keys = expected.pubkey === undefined ? [] : [expected.pubkey];
      const node = withPublicKeys(await openNode(), keys);
      expect(JSON.stringify(await ask(node, 'validateaddress', request))).toBe(JSON.stringify(expected));
    }
  });

  it('are refused with one member when invalid', async () => {
    const node = await openNode();
    for (const { request, expected } of negative ?? []) {
      expect(await ask(node, 'validateaddress', request)).toEqual(expected);
    }
  });
});

it('passes over white space, which only the segment depends on', async () => {
  const node = await openNode();
  const address = 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7';
  const plain = await ask(node, 'validateaddress', address);
  const spaced = await ask(node, 'validateaddress', ` ${address}\n`);
  expect(spaced).toEqual({ ...plain, segid: spaced.segid });
  expect(await errorOf(node, 'validateaddress', 5)).toBe('-1 JSON value is not a string as expected');
});

it('reports an imported address as watched', async () => {
  const node = await openNode();
  const address = 'bEP3HK73CboW8tGN8obyHUQteBzYjFzgNm';
  expect(await ask(node, 'importaddress', address)).toBeNull();
  expect(await ask(node, 'validateaddress', address)).toMatchObject({
    ismine: false,
    iswatchonly: true,
    isscript: true,
  });
});
