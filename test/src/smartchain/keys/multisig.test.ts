import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { type Address, encodeAddress } from '../../../../src/smartchain/encoding/address.ts';
import { type MultisigOptions, multisigScript } from '../../../../src/smartchain/keys/multisig.ts';
import { publicKeyOf } from '../../../../src/smartchain/keys/secp256k1.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';
import { describeShared, readShared } from '../../../support/shared.ts';

const prefixes = PREFIXES.main;
const keyOf = (number: number, compressed = true) => publicKeyOf(new Uint8Array(32).fill(number), compressed);
const hexOf = (number: number) => bytesToHex(keyOf(number));
const addressOf = (key: Uint8Array) => encodeAddress({ kind: 'key', hash: hash160(key) }, prefixes);
const script = encodeAddress({ kind: 'script', hash: new Uint8Array(20) }, prefixes);
const nothingKnown: MultisigOptions = { prefixes, keyOfAddress: () => undefined };
const knowing = (...keys: Uint8Array[]): MultisigOptions => ({
  prefixes,
  keyOfAddress: ({ hash }: Address) => keys.find((key) => bytesToHex(hash160(key)) === bytesToHex(hash)),
});
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

it('pushes the keys in the order given between both numbers', () => {
  const counts = fc
    .integer({ min: 1, max: 15 })
    .chain((count) => fc.tuple(fc.integer({ min: 1, max: count }), fc.constant(count)));
  fc.assert(
    fc.property(counts, ([required, count]) => {
      const keys = numbers(count).toReversed();
      const hex = keys.map((number) => `21${hexOf(number)}`).join('');
      expect(multisigScript(required, keys.map(hexOf), nothingKnown)).toEqual({
        script: hexToBytes(`${(0x50 + required).toString(16)}${hex}${(0x50 + count).toString(16)}ae`),
      });
    }),
    { numRuns: 20 },
  );
});

it('accepts addresses that the wallet knows, long keys, hybrid ones and hex in any case', () => {
  const long = keyOf(2, false);
  const hybrid = Uint8Array.of(6 + ((long[64] as number) & 1), ...long.subarray(1));
  const keys = [addressOf(keyOf(1)), bytesToHex(long), bytesToHex(hybrid), hexOf(3).toUpperCase()];
  expect(multisigScript(1, keys, knowing(keyOf(1)))).toEqual({
    script: hexToBytes(`5121${hexOf(1)}41${bytesToHex(long)}41${bytesToHex(hybrid)}21${hexOf(3)}54ae`),
  });
});

it.each<[string, number, readonly string[], string]>([
  ['none required', 0, [], 'a multisignature address must require at least one key to redeem'],
  ['less than none required', -3, [script], 'a multisignature address must require at least one key to redeem'],
  ['too few keys', 3, [script, 'x'], 'not enough keys supplied (got 2 keys, but need at least 3 to redeem)'],
  [
    'too few of too many keys',
    18,
    numbers(17).map(hexOf),
    'not enough keys supplied (got 17 keys, but need at least 18 to redeem)',
  ],
  [
    'too many keys',
    2,
    [script, ...numbers(16).map(hexOf)],
    'Number of addresses involved in the multisignature address creation > 16\nReduce the number',
  ],
  ['a script', 1, [hexOf(1), script, 'x'], `${script} does not refer to a key`],
  ['an unknown key', 1, [addressOf(keyOf(9)), script], `no full public key for address ${addressOf(keyOf(9))}`],
  ['no hex', 1, ['xyz', script], ' Invalid public key: xyz'],
  ['the empty text', 1, [''], ' Invalid public key: '],
  ['half a byte', 1, [hexOf(1).slice(1)], ` Invalid public key: ${hexOf(1).slice(1)}`],
  ['no point', 1, [`02${'ff'.repeat(32)}`], ` Invalid public key: 02${'ff'.repeat(32)}`],
  ['a key cut short', 1, [hexOf(1).slice(2)], ` Invalid public key: ${hexOf(1).slice(2)}`],
  ['16 short keys', 1, numbers(16).map(hexOf), 'redeemScript exceeds size limit: 547 > 520'],
  [
    '8 long keys',
    1,
    numbers(8).map((number) => bytesToHex(keyOf(number, false))),
    'redeemScript exceeds size limit: 531 > 520',
  ],
])('refuses %s in the words of the node', (_, required, keys, error) => {
  expect(multisigScript(required, keys, nothingKnown)).toEqual({ error });
});

it('refuses an invalid wallet key', () => {
  const address = addressOf(keyOf(1));
  const options = { prefixes, keyOfAddress: () => new Uint8Array(33) };
  expect(multisigScript(1, [address], options)).toEqual({ error: ` Invalid public key: ${address}` });
});

type Row = {
  readonly n: number;
  readonly keys: string[];
  readonly pubkeys: string[];
  readonly address: string;
  readonly redeemScript: string;
  readonly checks: { readonly keys_match_script: boolean };
};

describeShared('published multisignature addresses', () => {
  const { vectors } = JSON.parse(readShared('vectors/node/createmultisig.json')) as { vectors: Row[] };

  it.each(vectors)('$address', (row) => {
    // One sample asks with other addresses than its script holds, so there the keys of the script are given themselves.
    const asked = row.checks.keys_match_script ? row.keys : row.pubkeys;
    const made = multisigScript(row.n, asked, knowing(...row.pubkeys.map(hexToBytes))) as { script: Uint8Array };
    expect(bytesToHex(made.script)).toBe(row.redeemScript);
    expect(encodeAddress({ kind: 'script', hash: hash160(made.script) }, prefixes)).toBe(row.address);
  });
});
