import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { scriptAsm } from '../../../../src/smartchain/script/asm.ts';
import { describeShared } from '../../../support/shared.ts';
import { currentScripts } from './published-scripts.ts';

const asm = (hex: string, signatureHashTypes = false) => scriptAsm(hexToBytes(hex), { signatureHashTypes });
/** R and S are 1. */
const SMALLEST_SIGNATURE = '300602010102010'; // the last digit is left to the hash type

describeShared('text of the scripts of published transactions', () => {
  it('is the one that the node printed', () => {
    const scripts = currentScripts();
    for (const { kind, script, asm: expected } of scripts) {
      expect(scriptAsm(script, { signatureHashTypes: kind === 'input' })).toBe(expected);
    }
    expect(scripts.filter(({ kind }) => kind === 'input').length).toBeGreaterThan(40);
    expect(scripts.filter(({ kind }) => kind === 'output').length).toBeGreaterThan(80);
  });
});

describe('text of a script', () => {
  it('shows pushes of up to four bytes as numbers and longer ones as they are', () => {
    expect(asm('0101 0181 02ff00 04ffffffff 04ffffff7f 050102030405'.replaceAll(' ', ''))).toBe(
      '1 -1 255 -2147483647 2147483647 0102030405',
    );
    expect(asm('00 4c00 0180 5160 4f'.replaceAll(' ', ''))).toBe('0 0 0 1 16 -1');
  });

  it('ends where a push runs past the end', () => {
    expect(asm('7605ff')).toBe('OP_DUP [error]');
    expect(asm('4d')).toBe('[error]');
    expect(asm('')).toBe('');
  });

  it('names the hash type of a signature in an input alone', () => {
    const types = { '01': 'ALL', '02': 'NONE', '03': 'SINGLE', '81': 'ALL|ANYONECANPAY', '83': 'SINGLE|ANYONECANPAY' };
    for (const [type, name] of Object.entries(types)) {
      const script = `09${SMALLEST_SIGNATURE}1${type}`;
      expect(asm(script, true)).toBe(`${SMALLEST_SIGNATURE}1[${name}]`);
      expect(asm(script)).toBe(`${SMALLEST_SIGNATURE}1${type}`);
    }
    for (const type of ['00', '04', '80', '84']) {
      expect(asm(`09${SMALLEST_SIGNATURE}1${type}`, true)).toBe(`${SMALLEST_SIGNATURE}1${type}`);
    }
    expect(asm(`6a09${SMALLEST_SIGNATURE}101`, true)).toBe(`OP_RETURN ${SMALLEST_SIGNATURE}101`);
  });

  it('exists for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.boolean(), (script, signatureHashTypes) => {
        const words = scriptAsm(script, { signatureHashTypes }).split(' ');
        expect(words.every((word) => /^(|-?\d+|[0-9a-f]+(\[[A-Z|]+\])?|OP_[A-Z0-9]+|\[error\])$/.test(word))).toBe(
          true,
        );
      }),
    );
  });
});
