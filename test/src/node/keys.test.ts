import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { keyAddress } from '../../../src/chains/utxo/address.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { Secret } from '../../../src/primitives/secret.ts';

const KOMODO = { keyPrefix: Uint8Array.of(60), scriptPrefix: Uint8Array.of(85), bech32: null };
const walletOf = (text: string) => walletOfPassphrase(new Secret(text));
const addressOf = (text: string) => keyAddress(walletOf(text).coins.key, { form: KOMODO, kind: 'p2pkh' });
const HASH = hexToBytes('5a'.repeat(32));

describe('the key of a passphrase', () => {
  it('is the real node’s for a seed phrase', () => {
    expect(addressOf('bob passphrase')).toBe('RRnMcSeKiLrNdbp91qNVQwwXx5azD4S4CD');
  });

  it('is the generator of the curve for one, as raw digits and in the import format of two networks', () => {
    const generator = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
    const one = `0x${'1'.padStart(64, '0')}`;
    const bitcoin = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
    const uncompressed = '5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf';
    for (const text of [one, bitcoin, uncompressed]) expect(bytesToHex(walletOf(text).coins.key)).toBe(generator);
  });

  it.each([
    ['an empty one', '  '],
    ['zero', `0x${'0'.repeat(64)}`],
    ['the order of the curve', `0x${secp256k1.Point.CURVE().n.toString(16)}`],
  ])('is refused for %s, and the error does not show it', (_, text) => {
    try {
      walletOf(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'PASSPHRASE_INVALID' });
      if (text.trim() !== '') expect(String(error)).not.toContain(text);
    }
  });
});

describe('the wallet of one key', () => {
  it('E1, E2: signs exactly the given hash, with a low S', () => {
    const { coins } = walletOf('a seed phrase of a test');
    const signature = coins.sign(HASH) as Uint8Array;
    const options = { prehash: false, lowS: true, format: 'der' } as const;
    expect(secp256k1.verify(signature, HASH, coins.key, options)).toBe(true);
    expect(secp256k1.verify(signature, hexToBytes('5b'.repeat(32)), coins.key, options)).toBe(false);
    expect(secp256k1.Signature.fromBytes(signature, 'der').hasHighS()).toBe(false);
  });

  it('has one key for its coins and all its swaps', () => {
    const { coins, ofSwap, ofKey } = walletOf('bob passphrase');
    expect(ofSwap('3447b727-fe93-4357-8e5a-8cf2699b7e86')).toBe(coins);
    expect([ofKey(bytesToHex(coins.key)), ofKey(`02${'01'.repeat(32)}`)]).toEqual([coins, undefined]);
  });

  it('has the identity that the framework makes of its key for a seed node, and none once it is closed', () => {
    const { identity, close } = walletOf(`0x${'01'.repeat(32)}`);
    expect(bytesToHex(identity())).toBe(bytesToHex(sha256(new Uint8Array(32).fill(1))));
    close();
    expect(identity).toThrow('The wallet is closed');
  });

  it('signs nothing once it is closed', () => {
    const { coins, close } = walletOf('bob passphrase');
    close();
    expect(() => coins.sign(HASH)).toThrow('The wallet is closed');
  });
});
