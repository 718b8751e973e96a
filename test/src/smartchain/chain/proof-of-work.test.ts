import { describe, expect, it } from 'vitest';
import { NO_BLOCK } from '../../../../src/smartchain/chain/block.ts';
import {
  EASIEST_BITS,
  meetsTarget,
  searchNonce,
  targetOf,
  workOf,
} from '../../../../src/smartchain/chain/proof-of-work.ts';

describe('the target of a short form', () => {
  it.each([
    // Bitcoin's first block, and the one of block 100,800 in its developer reference.
    [0x1d00_ffff, 0xffffn << 208n],
    [0x1b04_04cb, 0x0404cbn << 192n],
    [0x0312_3456, 0x123456n],
    [0x0212_3456, 0x1234n],
    [0x0112_3456, 0x12n],
    [EASIEST_BITS, 0x7fffffn << 232n],
  ])('%i', (bits, target) => {
    expect(targetOf(bits)).toBe(target);
  });

  it.each([
    ['zero', 0x0300_0000],
    ['negative', 0x0480_0001],
    ['shifted to nothing', 0x0100_0000],
    ['above 256 bits', 0x2300_0001],
    ['above 256 bits by its digits', 0x2201_0000],
  ])('is invalid if it would be %s', (_, bits) => {
    expect(targetOf(bits)).toBeUndefined();
    expect([workOf(bits), meetsTarget(NO_BLOCK, bits)]).toEqual([0n, false]);
  });
});

it('the work of a target is how many hashes it takes on average', () => {
  expect(workOf(EASIEST_BITS)).toBe(2n);
  // The chain work of Bitcoin after its first block, as every node prints it.
  expect(workOf(0x1d00_ffff)).toBe(0x1_0001_0001n);
});

it('a hash meets a target up to the target itself', () => {
  const target = targetOf(0x1d00_ffff) as bigint;
  const hash = (value: bigint) => value.toString(16).padStart(64, '0');
  expect([target - 1n, target, target + 1n].map((value) => meetsTarget(hash(value), 0x1d00_ffff))).toEqual([
    true,
    true,
    false,
  ]);
});

it('a nonce is searched from zero up, and no longer than allowed', () => {
  const header = {
    ...{ version: 4, previous: NO_BLOCK, merkleRoot: NO_BLOCK, saplingRoot: NO_BLOCK, time: 1 },
    ...{ nonce: new Uint8Array(32), solution: new Uint8Array(0) },
  };
  const found = searchNonce({ ...header, bits: EASIEST_BITS }, 1000);
  expect(found?.nonce.length).toBe(32);
  expect(searchNonce({ ...header, bits: 0x0300_0001 }, 100)).toBeUndefined();
});
