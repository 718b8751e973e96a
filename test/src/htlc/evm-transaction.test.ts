import * as fc from 'fast-check';
import { pointCompress, pointFromScalar } from 'tiny-secp256k1';
import { describe, expect, it } from 'vitest';
import { decodeEvmTransaction, evmAddress, evmCall } from '../../../src/htlc/evm-transaction.ts';
import { keccak256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { DEX_FEE_ACCOUNT } from '../../../src/replay/audit/fees.ts';
import { legacyBytes, rlpList, rlpNumber, rlpText } from '../../support/evm-transactions.ts';

describe('evmAddress', () => {
  it('gives the account of the key that receives the fee', () => {
    const key = hexToBytes('03bc2c7ba671bae4a6fc835244c9762b41647b9827d4780a89a949b984a8ddcc06');
    expect(evmAddress(key)).toBe(DEX_FEE_ACCOUNT);
  });

  it('agrees with libsecp256k1 on every key', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 255n }), (secret) => {
        const key = pointFromScalar(hexToBytes(secret.toString(16).padStart(64, '0')), true);
        if (key === null) throw new Error('the scalar has no point');
        expect(evmAddress(key)).toBe(bytesToHex(keccak256(pointCompress(key, false).subarray(1))).slice(24));
      }),
      { numRuns: 50 },
    );
  });

  it('has no account for bytes that are not a point of the curve', () => {
    expect(evmAddress(hexToBytes(`02${'00'.repeat(31)}05`))).toBeUndefined();
    expect(evmAddress(hexToBytes(`04${'11'.repeat(32)}`))).toBeUndefined();
    expect(evmAddress(new Uint8Array(0))).toBeUndefined();
    const good = '03bc2c7ba671bae4a6fc835244c9762b41647b9827d4780a89a949b984a8ddcc06';
    for (const parity of ['00', '01', '04', '05', '06', '07']) {
      expect(evmAddress(hexToBytes(`${parity}${good.slice(2)}`))).toBeUndefined();
    }
    expect(evmAddress(hexToBytes(`${good}00`))).toBeUndefined();
    expect(evmAddress(hexToBytes(good.slice(0, -2)))).toBeUndefined();
    const prime = 'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f';
    for (const above of [0n, 1n, 2n, 3n]) {
      const x = (BigInt(`0x${prime}`) + above).toString(16);
      expect(evmAddress(hexToBytes(`02${x}`))).toBeUndefined();
    }
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

describe('the lengths of RLP', () => {
  const to = 'aa'.repeat(20);

  it('are read in every form: one byte, up to 55 bytes, and longer ones with a length of their own', () => {
    for (const length of [0, 1, 2, 54, 55, 56, 57, 255, 256, 257, 70_000]) {
      const data = 'c5'.repeat(length);
      const decoded = decodeEvmTransaction(legacyBytes({ to, value: 7n, data }));
      expect(decoded).toEqual({ to, value: 7n, data: hexToBytes(data) });
    }
    expect(decodeEvmTransaction(legacyBytes({ to, data: '05' }))?.data).toEqual(Uint8Array.of(5));
    expect(decodeEvmTransaction(legacyBytes({ to, data: '7f' }))?.data).toEqual(Uint8Array.of(0x7f));
    expect(decodeEvmTransaction(legacyBytes({ to, data: '80' }))?.data).toEqual(Uint8Array.of(0x80));
  });

  it('may have at most six bytes of their own, which is more than any transaction', () => {
    const data = hexToBytes('c5'.repeat(60));
    const items = [1n, 1n, 1n].map((value) => rlpText(rlpNumber(value)));
    const withLength = (size: number) => {
      const head = Uint8Array.of(0xb7 + size, ...new Uint8Array(size - 1), 60);
      return rlpList([...items, rlpText(hexToBytes(to)), rlpText(rlpNumber(9n)), head, data]);
    };
    expect(decodeEvmTransaction(withLength(6))).toEqual({ to, value: 9n, data });
    expect(decodeEvmTransaction(withLength(7))).toBeUndefined();
  });

  it('must be those of the bytes', () => {
    const whole = legacyBytes({ to, value: 1n, data: 'c5'.repeat(70) });
    for (let length = 0; length < whole.length; length++) {
      expect(decodeEvmTransaction(whole.subarray(0, length))).toBeUndefined();
    }
    expect(decodeEvmTransaction(Uint8Array.of(...whole, 0))).toBeUndefined();
    expect(decodeEvmTransaction(Uint8Array.of(0xf8))).toBeUndefined();
    expect(decodeEvmTransaction(Uint8Array.of(0xf9, 1))).toBeUndefined();
    const overrun = rlpList([1n, 1n, 1n].map((value) => rlpText(rlpNumber(value))).concat(Uint8Array.of(0x94, 1)));
    expect(decodeEvmTransaction(overrun)).toBeUndefined();
  });

  it('belong to texts: a list in place of a member, or a text in place of the list, is not a transaction', () => {
    const items = [1n, 1n, 1n].map((value) => rlpText(rlpNumber(value)));
    const rest = [rlpText(hexToBytes(to)), rlpText(rlpNumber(9n)), rlpText(new Uint8Array())];
    expect(decodeEvmTransaction(rlpList([...items, ...rest]))?.value).toBe(9n);
    expect(decodeEvmTransaction(rlpList([...items, ...rest.slice(0, 2), rlpList([])]))).toBeUndefined();
    expect(decodeEvmTransaction(rlpText(rlpList([...items, ...rest])))).toBeUndefined();
    expect(decodeEvmTransaction(rlpList([...items, ...rest.slice(0, 2)]))).toBeUndefined();
  });
});

describe('the members of an EVM transaction', () => {
  const to = 'aa'.repeat(20);

  it('are a callee of 20 bytes, or none for a new contract, and a value of at most 32 bytes', () => {
    expect(decodeEvmTransaction(legacyBytes({ value: 3n }))?.to).toBeUndefined();
    expect(decodeEvmTransaction(legacyBytes({ value: 3n }))).toMatchObject({ value: 3n });
    for (const other of ['aa', 'aa'.repeat(19), 'aa'.repeat(21)]) {
      expect(decodeEvmTransaction(legacyBytes({ to: other }))).toBeUndefined();
    }
    expect(decodeEvmTransaction(legacyBytes({ to, value: 2n ** 256n - 1n }))?.value).toBe(2n ** 256n - 1n);
    expect(decodeEvmTransaction(legacyBytes({ to, value: 2n ** 256n }))).toBeUndefined();
    expect(decodeEvmTransaction(legacyBytes({ to }))?.value).toBe(0n);
  });

  it('stand elsewhere in each typed form, and are not read in other types', () => {
    const numbers = (count: number) => Array.from({ length: count }, () => rlpText(rlpNumber(3n)));
    const typed = (type: number, before: number) => {
      const rest = [rlpText(hexToBytes(to)), rlpText(rlpNumber(9n)), rlpText(Uint8Array.of(1, 2)), rlpList([])];
      return Uint8Array.of(type, ...rlpList([...numbers(before), ...rest]));
    };
    const expected = { to, value: 9n, data: Uint8Array.of(1, 2) };
    expect(decodeEvmTransaction(typed(1, 4))).toEqual(expected);
    expect(decodeEvmTransaction(typed(2, 5))).toEqual(expected);
    for (const type of [0, 3, 4, 5]) {
      for (const before of [3, 4, 5]) expect(decodeEvmTransaction(typed(type, before))).toBeUndefined();
    }
    expect(decodeEvmTransaction(typed(1, 5))).toBeUndefined();
    expect(decodeEvmTransaction(new Uint8Array())).toBeUndefined();
  });
});

describe('evmCall', () => {
  const called = (data: string) => evmCall({ to: undefined, value: 0n, data: hexToBytes(data) });

  it('is a selector of four bytes and whole words after it', () => {
    expect(called('aabbccdd')).toEqual({ selector: 'aabbccdd', words: [] });
    const words = ['01'.repeat(32), '02'.repeat(32)];
    expect(called(`aabbccdd${words.join('')}`)).toEqual({ selector: 'aabbccdd', words: words.map(hexToBytes) });
    for (const data of ['', 'aabbcc', 'aabbccdd00', `aabbccdd${'00'.repeat(31)}`, `aabbccdd${'00'.repeat(33)}`]) {
      expect(called(data)).toBeUndefined();
    }
  });

  it('has at most 32 words: no function of a swap contract takes more', () => {
    expect(called(`aabbccdd${'00'.repeat(32 * 32)}`)?.words).toHaveLength(32);
    expect(called(`aabbccdd${'00'.repeat(32 * 33)}`)).toBeUndefined();
  });
});
