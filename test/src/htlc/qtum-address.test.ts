import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  qtumAccount,
  qtumContractAddress,
  qtumWalletAddress,
  readQtumAddress,
} from '../../../src/htlc/qtum-address.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';

const TEST_NETWORK = { keyPrefix: 120, bech32: 'tq' };
const MAIN_NETWORK = { keyPrefix: 58, bech32: 'qc' };

// Accounts of the public test network.
const KNOWN = [
  ['9e032d4b0090a11dc40fe6c47601499a35d55fbb', 'qXxsj5RtciAby9T7m98AgAATL4zTi4UwDG'],
  ['0240b898276ad2cc0d2fe6f527e8e31104e7fde3', 'qHmJ3KA6ZAjR9wGjpFASn4gtUSeFAqdZgs'],
] as const;

describe('the forms of an address', () => {
  it.each(KNOWN)('%s is %s, both ways', (account, wallet) => {
    expect(qtumWalletAddress(account, TEST_NETWORK)).toBe(wallet);
    expect(readQtumAddress(wallet, TEST_NETWORK)).toEqual({ ok: true, account });
    expect(readQtumAddress(qtumContractAddress(account), TEST_NETWORK)).toEqual({ ok: true, account });
    expect(readQtumAddress(`0x${account.toUpperCase()}`, TEST_NETWORK)).toEqual({ ok: true, account });
  });

  it('the account of a key is the hash in its wallet form', () => {
    const key = hexToBytes('03693bff1b39e8b5a306810023c29b95397eb395530b106b1820ea235fd81d9ce9');
    expect(qtumAccount(key)).toBe(KNOWN[0][0]);
  });

  it('are read back on any network, and on no other', () => {
    const accounts = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytesToHex);
    fc.assert(
      fc.property(accounts, (account) => {
        const wallet = qtumWalletAddress(account, MAIN_NETWORK);
        expect(readQtumAddress(wallet, MAIN_NETWORK)).toEqual({ ok: true, account });
        expect(readQtumAddress(wallet, TEST_NETWORK)).toMatchObject({
          ok: false,
          base58: 'prefix 58, expected 120',
        });
      }),
    );
  });

  it('with a witness are read, those of scripts are not', () => {
    // Of BIP 173's own vectors.
    const account = '751e76e8199196d454941c45d1b3a323f1433bd6';
    const witness = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
    expect(readQtumAddress(witness, { keyPrefix: 111, bech32: 'tb' })).toEqual({ ok: true, account });
    expect(readQtumAddress(witness, MAIN_NETWORK)).toMatchObject({ ok: false, witness: 'prefix tb, expected qc' });
    const script = qtumWalletAddress(account, { keyPrefix: 110 });
    expect(readQtumAddress(script, TEST_NETWORK)).toEqual({
      ok: false,
      base58: 'prefix 110, expected 120',
      witness: 'no bech32',
      contract: 'Address must be prefixed with 0x',
    });
  });

  it('hostile texts are invalid in every form, and never make the reader throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        expect(readQtumAddress(text, TEST_NETWORK).ok).toBe(false);
      }),
    );
    for (const text of [
      '0x',
      '1'.repeat(500_000),
      `0x${'1'.repeat(500_000)}`,
      `0x${'g'.repeat(40)}`,
      `0x${'1'.repeat(39)}`,
      KNOWN[0][1].slice(1),
      `${KNOWN[0][1]}1`,
    ])
      expect(readQtumAddress(text, TEST_NETWORK).ok).toBe(false);
    expect(() => qtumWalletAddress('12', TEST_NETWORK)).toThrow(RangeError);
  });
});
