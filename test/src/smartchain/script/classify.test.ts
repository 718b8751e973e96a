import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { p2pkhScript, p2shScript, pushData } from '../../../../src/htlc/script.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import type { Condition } from '../../../../src/smartchain/conditions/condition.ts';
import { encodeCondition } from '../../../../src/smartchain/conditions/encode.ts';
import { classifyScript, standardness } from '../../../../src/smartchain/script/classify.ts';
import { describeShared } from '../../../support/shared.ts';
import { currentScripts } from './published-scripts.ts';

const base58check = createBase58check(sha256);
const key = concatBytes([Uint8Array.of(2), new Uint8Array(32).fill(7)]);
const longKey = concatBytes([Uint8Array.of(4), new Uint8Array(64).fill(7)]);
const join = (...parts: readonly (Uint8Array | number)[]) =>
  concatBytes(parts.map((part) => (typeof part === 'number' ? Uint8Array.of(part) : part)));
const multisig = (required: number, keys: readonly Uint8Array[]) =>
  join(0x50 + required, ...keys.map(pushData), 0x50 + keys.length, 0xae);
const condition = encodeCondition({ type: 'threshold', threshold: 1, conditions: [{ type: 'key', key }] });
const conditionScript = join(pushData(condition), 0xcc);
const typeOf = (script: Uint8Array) => classifyScript(script).type;

describeShared('types of the outputs of published transactions', () => {
  it('are those that the node printed, and so are the addresses', () => {
    const outputs = currentScripts().filter(({ kind }) => kind === 'output');
    for (const { script, type, reqSigs, addresses } of outputs) {
      const found = classifyScript(script);
      expect([found.type, found.reqSigs]).toEqual([type, reqSigs]);
      const hashes = found.solutions.map((solution) => (found.type === 'pubkey' ? hash160(solution) : solution));
      expect(hashes.map((hash) => base58check.encode(join(60, hash)))).toEqual(addresses ?? []);
      // Some of the chains were started with a higher limit of data.
      expect(standardness(script, { maxOpReturn: 8192 })).toBeUndefined();
    }
    expect(new Set(outputs.map(({ type }) => type))).toEqual(new Set(['pubkey', 'cryptocondition', 'nulldata']));
  });
});

describe('type of an output script', () => {
  it('is that of the forms of a payment, with what they pay to', () => {
    expect(classifyScript(join(33, key, 0xac))).toEqual({ type: 'pubkey', reqSigs: 1, solutions: [key] });
    expect(classifyScript(join(65, longKey, 0xac))).toEqual({ type: 'pubkey', reqSigs: 1, solutions: [longKey] });
    const hash = hash160(key);
    expect(classifyScript(p2pkhScript(hash))).toEqual({ type: 'pubkeyhash', reqSigs: 1, solutions: [hash] });
    expect(classifyScript(p2shScript(key))).toEqual({ type: 'scripthash', reqSigs: 1, solutions: [hash] });
    expect(classifyScript(multisig(2, [key, longKey, key]))).toEqual({
      type: 'multisig',
      reqSigs: 2,
      solutions: [key, longKey, key],
    });
  });

  it('needs a key with the length of its header', () => {
    for (const header of [0, 1, 4, 5, 6, 7, 8]) {
      expect(typeOf(join(33, header, key.subarray(1), 0xac))).toBe('nonstandard');
    }
    expect(typeOf(join(65, 2, longKey.subarray(1), 0xac))).toBe('nonstandard');
    expect(typeOf(join(65, 6, longKey.subarray(1), 0xac))).toBe('pubkey');
    expect(typeOf(multisig(1, [key.subarray(1)]))).toBe('nonstandard');
  });

  it('is multisig only if the counts fit', () => {
    const keys = [key, key];
    expect(typeOf(multisig(3, keys))).toBe('nonstandard');
    expect(typeOf(join(multisig(1, keys).subarray(0, -2), 0x53, 0xae))).toBe('nonstandard');
    expect(typeOf(join(0x00, multisig(1, keys).subarray(1)))).toBe('nonstandard');
    expect(typeOf(join(multisig(1, keys), 0xae))).toBe('nonstandard');
    expect(typeOf(join(0x51, 0x51, 0xae))).toBe('nonstandard');
    expect(typeOf(multisig(16, new Array<Uint8Array>(16).fill(key)))).toBe('multisig');
  });

  it('is nulldata if only pushes follow OP_RETURN', () => {
    for (const hex of ['6a', '6a00', '6a01ff', '6a5160', '6a0201020102'])
      expect(typeOf(hexToBytes(hex))).toBe('nulldata');
    for (const hex of ['6a02ff', '6a61', '', '51']) expect(typeOf(hexToBytes(hex))).toBe('nonstandard');
  });

  it('is cryptocondition whatever is pushed and dropped after it, and the hash is that of the head', () => {
    const expected = { type: 'cryptocondition', reqSigs: 1, solutions: [hash160(conditionScript)] };
    for (const tail of ['', '0075', '01ff75', '51527575', '4c01ff75']) {
      expect(classifyScript(join(conditionScript, hexToBytes(tail)))).toEqual(expected);
    }
    for (const tail of ['00', '75', '7500', '6175', '4f75', '4c0075', '01']) {
      expect(typeOf(join(conditionScript, hexToBytes(tail)))).toBe('nonstandard');
    }
    expect(typeOf(join(0x4c, condition.length, condition, 0xcc))).toBe('nonstandard');
    expect(typeOf(hexToBytes('00cc'))).toBe('nonstandard');
    expect(typeOf(hexToBytes('51cc'))).toBe('nonstandard');
  });

  it('is nonstandard if the node cannot read the condition, or nobody can sign for it', () => {
    const anchor: Condition = { type: 'eval', code: Uint8Array.of(0xf2) };
    const signer: Condition = { type: 'key', key };
    const threshold = (...conditions: readonly Condition[]): Condition => ({
      type: 'threshold',
      threshold: 1,
      conditions,
    });
    const prefix: Condition = { type: 'prefix', prefix: Uint8Array.of(1), maxMessageLength: 9, condition: signer };
    const types = (conditions: readonly Condition[]) =>
      conditions.map((one) => typeOf(join(pushData(encodeCondition(one)), 0xcc)));
    const ed25519: Condition = { type: 'ed25519', key: new Uint8Array(32).fill(3) };
    expect(types([signer, ed25519, threshold(anchor, signer), threshold(anchor, threshold(ed25519))])).toEqual(
      Array(4).fill('cryptocondition'),
    );
    const preimage: Condition = { type: 'preimage', preimage: Uint8Array.of(5) };
    expect(types([anchor, preimage, threshold(anchor, preimage), prefix, threshold(prefix, signer)])).toEqual(
      Array(5).fill('nonstandard'),
    );
    expect(typeOf(join(pushData(new Uint8Array(46).fill(9)), 0xcc))).toBe('nonstandard');
    expect(classifyScript(join(pushData(condition.subarray(0, -1)), 0xcc))).toEqual({
      type: 'nonstandard',
      solutions: [],
    });
  });

  it('is nonstandard if the caller cannot read the condition', () => {
    const seen: string[] = [];
    const acceptsCondition = (bytes: Uint8Array) => seen.push(bytesToHex(bytes)) > 1;
    expect(classifyScript(conditionScript, { acceptsCondition }).type).toBe('nonstandard');
    expect(classifyScript(conditionScript, { acceptsCondition }).type).toBe('cryptocondition');
    expect(seen).toEqual([bytesToHex(condition), bytesToHex(condition)]);
  });

  it('is looked for behind lock times', () => {
    const payment = p2pkhScript(hash160(key));
    const lockTime = hexToBytes('0400e1f505b175');
    for (const script of [join(lockTime, payment), join(lockTime, hexToBytes('00b175'), payment)]) {
      expect(classifyScript(script)).toEqual({ ...classifyScript(payment), stripped: payment });
      expect(standardness(script)).toBe('scriptpubkey');
    }
    expect(typeOf(join(hexToBytes('06000000000000b175'), payment))).toBe('nonstandard');
    expect(typeOf(join(hexToBytes('0400e1f505b176'), payment))).toBe('nonstandard');
    expect(classifyScript(lockTime)).toMatchObject({ type: 'nonstandard', solutions: [] });
  });

  it('exists for any bytes, and solutions lie in the script or are hashes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (script) => {
        const { type, solutions, reqSigs } = classifyScript(script);
        expect(solutions.every(({ length }) => [20, 33, 65].includes(length))).toBe(true);
        expect(reqSigs === undefined).toBe(type === 'nulldata' || type === 'nonstandard');
      }),
    );
  });
});

describe('relay of an output script', () => {
  it('ends at a limit of data that can be set', () => {
    const data = join(0x6a, pushData(new Uint8Array(205)));
    expect(data).toHaveLength(208);
    expect(standardness(data)).toBeUndefined();
    expect(standardness(join(data, 0))).toBe('scriptpubkey');
    expect(standardness(join(data, 0), { maxOpReturn: 209 })).toBeUndefined();
    expect(standardness(data, { maxOpReturn: 207 })).toBe('scriptpubkey');
  });

  it('ends at nine keys', () => {
    expect(standardness(multisig(1, new Array<Uint8Array>(9).fill(key)))).toBeUndefined();
    expect(standardness(multisig(1, new Array<Uint8Array>(10).fill(key)))).toBe('scriptpubkey');
  });

  it('is refused to a script of no known form', () => {
    expect(standardness(hexToBytes('51'))).toBe('scriptpubkey');
    expect(standardness(conditionScript, { acceptsCondition: () => false })).toBe('scriptpubkey');
  });
});
