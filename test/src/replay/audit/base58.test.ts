import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEX_FEE_KEY_HASH } from '../../../../src/htlc/dex-fee.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { decodeBase58 } from '../../../../src/replay/audit/base58.ts';

const FEE_ADDRESS = 'RThtXup6Zo7LZAi8kRWgjAyi1s4u6U9Cpf';

describe('decodeBase58', () => {
  it('reads known addresses', () => {
    const genesis = decodeBase58('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa');
    expect(bytesToHex(genesis?.payload ?? new Uint8Array())).toBe('0062e907b15cbf27d5425399ebf6f0fb50ebb88f18');
    const fee = decodeBase58(FEE_ADDRESS);
    expect(bytesToHex(fee?.payload.subarray(1) ?? new Uint8Array())).toBe(DEX_FEE_KEY_HASH);
    expect([genesis?.checksumRight, fee?.checksumRight]).toEqual([true, true]);
  });

  it('finds the checksum wrong after any change of one character', () => {
    for (let at = 0; at < FEE_ADDRESS.length; at++) {
      const other = FEE_ADDRESS[at] === 'x' ? 'y' : 'x';
      const changed = FEE_ADDRESS.slice(0, at) + other + FEE_ADDRESS.slice(at + 1);
      expect(decodeBase58(changed)?.checksumRight).toBe(false);
    }
  });

  it('refuses other characters and long texts, and never throws', () => {
    for (const text of ['', '0', 'bitcoincash:qqq', '1'.repeat(100_000), FEE_ADDRESS.replace('R', 'l')]) {
      expect(decodeBase58(text)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeBase58(text)?.checksumRight ?? false).toBe(false);
      }),
    );
  });
});
