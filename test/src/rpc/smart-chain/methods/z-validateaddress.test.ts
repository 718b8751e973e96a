import { expect, it } from 'vitest';
import { describeShared, readShared } from '../../../../support/shared.ts';
import { ask, errorOf, openNode } from '../method-context.ts';

type Sample = { readonly request: string; readonly expected: Readonly<Record<string, unknown>> };

describeShared('addresses of the tests of the node', () => {
  const { positive, negative } = JSON.parse(readShared('vectors/node/z_validateaddress.json')) as Record<
    string,
    Sample[]
  >;

  it('are taken apart, none of them the own one', async () => {
    const node = await openNode();
    for (const { request, expected } of positive ?? []) {
      const answer = await ask(node, 'z_validateaddress', request);
      expect(answer).toMatchObject({ ...expected, address: request, ismine: false });
      const members = Object.keys(expected);
      if (members.includes('address')) expect(Object.keys(answer)).toEqual(members);
    }
  });

  it('are refused with one member when invalid', async () => {
    const node = await openNode();
    for (const { request, expected } of negative ?? []) {
      expect(await ask(node, 'z_validateaddress', request)).toEqual(expected);
    }
  });
});

it('throws for other types', async () => {
  expect(await errorOf(await openNode(), 'z_validateaddress', 5)).toBe('-1 JSON value is not a string as expected');
});
