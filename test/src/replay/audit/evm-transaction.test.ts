import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keccak256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { decodeEvmTransaction, evmAddress } from '../../../../src/replay/audit/evm-transaction.ts';
import { DEX_FEE_ACCOUNT } from '../../../../src/replay/audit/fees.ts';

describe('evmAddress', () => {
  it('gives the account of the key that receives the fee', () => {
    const key = hexToBytes('03bc2c7ba671bae4a6fc835244c9762b41647b9827d4780a89a949b984a8ddcc06');
    expect(evmAddress(key)).toBe(DEX_FEE_ACCOUNT);
  });

  it('agrees with the curve library on every key', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 255n }), (secret) => {
        const scalar = hexToBytes(secret.toString(16).padStart(64, '0'));
        const whole = secp256k1.getPublicKey(scalar, false);
        expect(evmAddress(secp256k1.getPublicKey(scalar, true))).toBe(
          bytesToHex(keccak256(whole.subarray(1))).slice(24),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('has no account for bytes that are no point of the curve', () => {
    expect(evmAddress(hexToBytes(`02${'00'.repeat(31)}05`))).toBeUndefined();
    expect(evmAddress(hexToBytes(`04${'11'.repeat(32)}`))).toBeUndefined();
    expect(evmAddress(new Uint8Array(0))).toBeUndefined();
  });
});

describe('decodeEvmTransaction', () => {
  const to = 'aa'.repeat(20);
  // [nonce 1, gas price 2, gas limit 3, to, value 0x0400, data "", v 1b, r 1, s 1]
  const legacy = `df01020394${to}820400801b0101`;

  it('reads callee, value and data of a legacy transaction', () => {
    expect(decodeEvmTransaction(hexToBytes(legacy))).toEqual({ to, value: 1024n, data: new Uint8Array(0) });
  });

  it('reads the typed forms of EIP-2930 and EIP-1559', () => {
    const typed1 = hexToBytes(`01e30101020394${to}820400820102c0800101`);
    const typed2 = hexToBytes(`02e4010102030494${to}820400820102c0800101`);
    for (const raw of [typed1, typed2]) {
      expect(decodeEvmTransaction(raw)).toEqual({ to, value: 1024n, data: Uint8Array.of(1, 2) });
    }
  });

  it('never throws, and refuses what does not end with the list', () => {
    expect(decodeEvmTransaction(hexToBytes(`${legacy}00`))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom([], [1], [2], [0xf8, 100]), (bytes, head) => {
        decodeEvmTransaction(Uint8Array.from([...head, ...bytes]));
      }),
    );
  });
});
