import { expect, it } from 'vitest';
import { bytesToHex } from '../../../../../src/primitives/hex.ts';
import { publicKeyOf } from '../../../../../src/smartchain/keys/secp256k1.ts';
import { nodeVectors } from '../../../../support/node-vectors.ts';
import { describeShared } from '../../../../support/shared.ts';
import { ask, errorOf, openNode, withPublicKeys } from '../method-context.ts';

type Sample = {
  n: number;
  keys: string[];
  address: string;
  redeemScript: string;
  pubkeys: string[];
  checks: { keys_match_script: boolean };
};

describeShared('published samples', () => {
  it('are answered, keys given as such or as addresses that the wallet knows', async () => {
    const samples = nodeVectors<Sample>('createmultisig');
    expect(samples.length).toBe(4);
    for (const { n, keys, pubkeys, address, redeemScript, checks } of samples) {
      const node = withPublicKeys(await openNode(), pubkeys);
      // One sample's keys are not those of its addresses; its script follows from its keys all the same.
      const given = checks.keys_match_script ? keys : pubkeys;
      const answer = await ask(node, 'createmultisig', n, given);
      expect(JSON.stringify(answer)).toBe(JSON.stringify({ address, redeemScript }));
    }
  });
});

const key = (index: number) => bytesToHex(publicKeyOf(new Uint8Array(32).fill(index)));

it('says what is wrong, in the order of the node', async () => {
  const node = await openNode();
  const refusal = (required: number, keys: unknown[]) => errorOf(node, 'createmultisig', required, keys as string[]);
  expect(await refusal(0, [])).toBe('-1 a multisignature address must require at least one key to redeem');
  expect(await refusal(2, [key(1)])).toBe('-1 not enough keys supplied (got 1 keys, but need at least 2 to redeem)');
  const many = Array.from({ length: 17 }, (_, index) => key(index + 1));
  expect(await refusal(1, many)).toBe(
    '-1 Number of addresses involved in the multisignature address creation > 16\nReduce the number',
  );
  const script = 'bEP3HK73CboW8tGN8obyHUQteBzYjFzgNm';
  expect(await refusal(1, [script, 'zz'])).toBe(`-1 ${script} does not refer to a key`);
  const stranger = 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7';
  expect(await refusal(1, [stranger])).toBe(`-1 no full public key for address ${stranger}`);
  expect(await refusal(1, ['zz'])).toBe('-1  Invalid public key: zz');
  expect(await refusal(1, many.slice(0, 16))).toBe('-1 redeemScript exceeds size limit: 547 > 520');
});

it('throws for other types', async () => {
  const node = await openNode();
  expect(await errorOf(node, 'createmultisig', '2', [])).toBe('-1 JSON value is not an integer as expected');
  expect(await errorOf(node, 'createmultisig', 1.5, [])).toBe('-1 JSON integer out of range');
  expect(await errorOf(node, 'createmultisig', 2, 'k')).toBe('-1 JSON value is not an array as expected');
  expect(await errorOf(node, 'createmultisig', 1, [5])).toBe('-1 JSON value is not a string as expected');
});
