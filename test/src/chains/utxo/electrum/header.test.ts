import { describe, expect, it } from 'vitest';
import { headerOf } from '../../../../../src/chains/utxo/electrum/header.ts';
import { hash256 } from '../../../../../src/primitives/hash.ts';

// The first block of Bitcoin.
const FIRST =
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c';

const ROOT = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';
const shown = (bytes: Uint8Array) => Buffer.from(hash256(bytes)).reverse().toString('hex');

describe('a header', () => {
  it('of Bitcoin is named by the double hash of its 80 bytes', () => {
    expect(headerOf(FIRST)).toEqual({
      hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      previous: '00'.repeat(32),
      merkleRoot: ROOT,
      time: 1231006505,
    });
  });

  it.each([
    ['fd4005', 1344],
    ['64', 100],
    ['00', 0],
  ])(
    'with a solution of Equihash (%s) has its time behind one more hash, and is named by all of its bytes',
    (size, length) => {
      const bytes = Buffer.from(`${FIRST}${'11'.repeat(60)}${size}${'22'.repeat(length)}`, 'hex');
      bytes.writeUInt32LE(1_800_000_007, 100);
      expect(headerOf(bytes.toString('hex'))).toMatchObject({
        hash: shown(bytes),
        merkleRoot: ROOT,
        time: 1_800_000_007,
      });
    },
  );

  it('that is longer for another reason has its time where Bitcoin has it', () => {
    const bytes = Buffer.from(`${FIRST}${'33'.repeat(40)}`, 'hex');
    expect(headerOf(bytes.toString('hex'))).toMatchObject({ hash: shown(bytes), time: 1231006505 });
  });

  it('of a block that was mined with one of another chain is named without the proof of that', () => {
    const bytes = Buffer.from(`${FIRST}${'44'.repeat(200)}`, 'hex');
    bytes.writeUInt32LE(0x0062_0104, 0);
    expect(headerOf(bytes.toString('hex'))?.hash).toBe(shown(bytes.subarray(0, 80)));
  });

  it.each([[FIRST.slice(2)], ['zz'], [null], [7]])('is not %s', (told) => expect(headerOf(told as never)).toBeNull());
});
