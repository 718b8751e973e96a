import { describe, expect, it } from 'vitest';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { mostChecks, signatureChecks, writtenChecks } from '../../../../src/smartchain/chain/signature-checks.ts';
import type { BlockNode } from '../../../../src/smartchain/chain/tree.ts';
import { NOTHING_SHIELDED } from '../../../../src/smartchain/transaction/transaction.ts';
import { answerOf, blockOn, testChain } from '../../../support/smart-chain.ts';

const KEY = `21${'02'.padEnd(66, '1')}`;

describe('signature checks that a script asks for', () => {
  it.each([
    ['a key', `${KEY}ac`, 1, 1],
    ['a verified one', `${KEY}ad`, 1, 1],
    ['two of three keys', `52${KEY.repeat(3)}53ae`, 20, 3],
    ['many keys without a number before them', `${KEY}ae`, 20, 20],
    ['many keys, verified', `51${KEY}51af`, 20, 1],
    ['a pushed opcode', '01ac', 0, 0],
    ['a push past the end', 'ac4c', 0, 0],
    ['nothing', '', 0, 0],
  ])('%s', (_, script, loose, exact) => {
    expect(signatureChecks(hexToBytes(script), { exact: false })).toBe(loose);
    expect(signatureChecks(hexToBytes(script), { exact: true })).toBe(exact);
  });

  it('are counted in both scripts of a transaction', () => {
    const script = hexToBytes(`${KEY}ac`);
    const input = { txid: '1'.repeat(64), vout: 0, scriptSig: hexToBytes('ac'), sequence: 0 };
    const transaction = {
      ...{
        overwintered: false,
        version: 1,
        versionGroupId: 0,
        lockTime: 0,
        expiryHeight: 0,
        shielded: NOTHING_SHIELDED,
      },
      ...{ inputs: [input, input], outputs: [{ value: 1n, script }] },
    };
    expect(writtenChecks(transaction)).toBe(3);
  });
});

it('a block that asks for more than one check in a hundred bytes of its limit is refused', async () => {
  const params = { maxBlockSize: 10_000 };
  const test = await testChain({ params });
  const offer = async (count: number) => {
    const outputs = [{ value: 1n, script: hexToBytes('ac'.repeat(count)) }];
    const block = blockOn(test.chain.tree.tip as BlockNode, test.chain, {
      coinbase: (draft) => ({ ...draft, outputs }),
    });
    return answerOf(await test.chain.submitBlock(block));
  };
  expect(mostChecks(params.maxBlockSize)).toBe(100);
  expect(await offer(101)).toBe('16: bad-blk-sigops');
  expect(await offer(100)).toBe('taken');
});
