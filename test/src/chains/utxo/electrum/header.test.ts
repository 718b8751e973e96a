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

  // Block 100,000 of Qtum: behind the 80 bytes two roots, a stake and its signature.
  const STAKED =
    '0000002071c290d8e1235720dabbe995fb4bf964e778c77142ec63eb2c60c8d8feb3a8dc009c22e8ae82e18adc325673fd9eb7f159cae62ae7da9b13dbf4ecdc901cc3e310ac835a3138041a00000000f224a65d4239b1dd8e1cde879e30ca9d46fbc27e630138b551b124732f78f619f5f22c17b537d984f591ae926a35f2969f8d98a9c9d3559b9d1c1a8765bab461d4158f17288d49074c0f33d92578f12148b9be19de374e6d6ff0ff9441cd30ff02000000473045022100ab4e564cc5f54b84ad93a06cd27476500adcbacb589bfeca135bcb7aaae306710220186c2bf2575d25db6664303012b75c66bfc254d2a371f815f984ee87401e87a6';

  it('of Qtum is named by all of its bytes, with its time where Bitcoin has it', () => {
    expect(headerOf(STAKED)).toEqual({
      hash: 'de1bbb38849c24c4d4593bcb2011af88fa9a64cc07029a549b1596e487257ff4',
      previous: 'dca8b3fed8c8602ceb63ec4271c778e764f94bfb95e9bbda205723e1d890c271',
      merkleRoot: 'e3c31c90dcecf4db139bdae72ae6ca59f1b79efd735632dc8ae182aee8229c00',
      time: 1518578704,
    });
  });

  it('of Qtum has its time in the usual place, whatever byte its roots have where a solution would have its length', () => {
    for (let byte = 0; byte < 256; byte++) {
      const bytes = Buffer.from(STAKED, 'hex');
      bytes[140] = byte;
      expect(headerOf(bytes.toString('hex'))).toMatchObject({ hash: shown(bytes), time: 1518578704 });
    }
  });

  it('of a block that was mined with one of another chain is named without the proof of that', () => {
    const bytes = Buffer.from(`${FIRST}${'44'.repeat(200)}`, 'hex');
    bytes.writeUInt32LE(0x0062_0104, 0);
    expect(headerOf(bytes.toString('hex'))?.hash).toBe(shown(bytes.subarray(0, 80)));
  });

  it.each([[FIRST.slice(2)], ['zz'], [null], [7]])('is not %s', (told) => expect(headerOf(told as never)).toBeNull());
});
