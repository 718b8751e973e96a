import { expect, it } from 'vitest';
import { describeShared, readShared } from '../../../../support/shared.ts';
import { ask, errorOf, openNode } from '../method-context.ts';

type Message = {
  address: string;
  message: string;
  signature: string;
  wif?: string;
  expected?: boolean;
  expectedError?: { code: number; message: string };
};

describeShared('messages', () => {
  const all = JSON.parse(readShared('vectors/node/messages.json')) as Record<string, Message[]>;

  it('verifies published signatures and its own, and refuses the rest', async () => {
    const node = await openNode();
    for (const each of [...(all['published'] ?? []), ...(all['generated'] ?? [])]) {
      expect(await ask(node, 'verifymessage', each.address, each.signature, each.message)).toBe(true);
    }
    for (const { address, signature, message, expected, expectedError } of all['negative'] ?? []) {
      if (expectedError === undefined) {
        expect(await ask(node, 'verifymessage', address, signature, message)).toBe(expected);
      } else {
        const { code, message: said } = expectedError;
        expect(await errorOf(node, 'verifymessage', address, signature, message)).toBe(`${code} ${said}`);
      }
    }
  });

  it('signs with an imported key to the bit', async () => {
    const node = await openNode();
    for (const { wif = '', address, message, signature } of all['generated'] ?? []) {
      expect(await ask(node, 'importprivkey', wif)).toBe(address);
      expect(await ask(node, 'signmessage', address, message)).toBe(signature);
    }
  });
});

it('says why it cannot sign', async () => {
  const node = await openNode();
  expect(await errorOf(node, 'signmessage', 'nobody', 'm')).toBe('-3 Invalid address');
  expect(await errorOf(node, 'signmessage', 'bEP3HK73CboW8tGN8obyHUQteBzYjFzgNm', 'm')).toBe(
    '-3 Address does not refer to key',
  );
  expect(await errorOf(node, 'signmessage', 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7', 'm')).toBe(
    '-4 Private key not available',
  );
  expect(await errorOf(node, 'signmessage', 'nobody', 5)).toBe('-1 JSON value is not a string as expected');
  expect(await errorOf(node, 'verifymessage', 'nobody', 5, 'm')).toBe('-1 JSON value is not a string as expected');
});
