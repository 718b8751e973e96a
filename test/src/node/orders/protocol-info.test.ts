import { expect, it } from 'vitest';
import { protocolInfoOf, supportsProtocol } from '../../../../src/node/orders/protocol-info.ts';

const STANDARD = protocolInfoOf({ address: 'p2pkh', cash: null });
const SEGWIT = protocolInfoOf({ address: 'p2wpkh', cash: null });
const CASH = protocolInfoOf({ address: 'p2pkh', cash: { network: 'bitcoincash', keyPrefix: 0, scriptPrefix: 5 } });
const TEST = protocolInfoOf({ address: 'p2pkh', cash: { network: 'bchtest', keyPrefix: 111, scriptPrefix: 196 } });

it('a wallet tells others the form of its addresses as the real node packs it', () => {
  expect([STANDARD, SEGWIT]).toEqual(['91a87374616e64617264', '91a6736567776974']);
  expect(CASH).toBe('94ab6361736861646472657373ab626974636f696e636173680005');
  expect(TEST).toBe('94ab6361736861646472657373a7626368746573746fccc4');
});

it('wallets with cash addresses swap with all others, and a wallet with a witness only with those that support it', () => {
  for (const own of [STANDARD, SEGWIT, CASH])
    for (const info of [STANDARD, SEGWIT, CASH, TEST]) expect(supportsProtocol(own, info)).toBe(true);
  expect([STANDARD, CASH, SEGWIT].map((own) => supportsProtocol(own, null))).toEqual([true, true, false]);
  expect(supportsProtocol(CASH, '94ab63')).toBe(false);
});
