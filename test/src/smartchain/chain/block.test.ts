import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import {
  decodeBlock,
  encodeBlock,
  headerHash,
  merkleRoot,
  merkleTree,
  NO_BLOCK,
} from '../../../../src/smartchain/chain/block.ts';
import { heightScript } from '../../../../src/smartchain/chain/connect-block.ts';
import { medianTimePast } from '../../../../src/smartchain/chain/median-time.ts';
import { mineBlocks, testChain } from '../../../support/smart-chain.ts';

describe('the root of transaction ids', () => {
  // The first four transactions of Bitcoin's block 100,000, of which it consists.
  const ids = [
    '8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87',
    'fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4',
    '6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4',
    'e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d',
  ];

  it('is that of a block of Bitcoin', () => {
    expect(merkleRoot(ids)).toBe('f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766');
  });

  it('is the one id, and zeros for none', () => {
    expect([merkleRoot(ids.slice(0, 1)), merkleRoot([])]).toEqual([ids[0], NO_BLOCK]);
  });

  it('is the same when the last ids stand twice, which is noticed (CVE-2012-2459)', () => {
    const [a = '', b = '', c = ''] = ids;
    expect(merkleTree([a, b, c]).root).toBe(merkleTree([a, b, c, c]).root);
    expect([merkleTree([a, b, c]).repeated, merkleTree([a, b, c, c]).repeated]).toEqual([false, true]);
    expect(merkleTree([a, b, c, c, a, b]).repeated).toBe(true);
    expect(merkleTree([a, b, a, b]).repeated).toBe(true);
    expect(merkleTree([a, b, b, a]).repeated).toBe(false);
  });
});

describe('a block as bytes', () => {
  it('is read back the same, and not with a byte more or less', async () => {
    const block = await mineBlocks(await testChain(), 1);
    const bytes = encodeBlock(block);
    expect(decodeBlock(bytes)).toEqual(block);
    expect(bytes.length).toBe(block.size);
    expect(headerHash(block.header)).toBe(block.hash);
    expect(decodeBlock(Uint8Array.from([...bytes, 0]))).toBeUndefined();
    for (let length = 0; length < bytes.length; length++)
      expect(decodeBlock(bytes.subarray(0, length))).toBeUndefined();
  });

  it('never makes the reader throw, whatever its bytes are', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void decodeBlock(bytes)));
  });
});

it('the median time past is the middle of the last eleven times', () => {
  expect([medianTimePast([]), medianTimePast([5]), medianTimePast([1, 9])]).toEqual([0, 5, 9]);
  expect(medianTimePast([1000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])).toBe(6);
  expect(medianTimePast([11, 3, 7, 1, 9, 5, 2, 8, 4, 10, 6])).toBe(6);
});

it('BIP 34: a height is a script number', () => {
  const scripts = [0, 1, 16, 17, 127, 128, 255, 256, 32_767, 32_768, 500_000].map((height) =>
    bytesToHex(heightScript(height)),
  );
  expect(scripts).toEqual([
    ...['00', '51', '60', '0111', '017f', '028000', '02ff00', '020001', '02ff7f', '03008000', '0320a107'],
  ]);
});
