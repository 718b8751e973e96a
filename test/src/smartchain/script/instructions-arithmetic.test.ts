import { describe, expect, it } from 'vitest';
import { agree, leaves } from './running.ts';

describe('operations on numbers', () => {
  it('compute as named', () => {
    agree({
      '2147483647 1ADD': '2147483648',
      '-2147483647 1SUB': '-2147483648',
      '5 NEGATE': '-5',
      '0 NEGATE': '0',
      '-5 ABS': '5',
      '0 NOT 7 NOT': '1 0',
      '0 0NOTEQUAL -3 0NOTEQUAL': '0 1',
      '2147483647 DUP ADD': '4294967294',
      '3 8 SUB': '-5',
      '0 4 BOOLAND 4 4 BOOLAND': '0 1',
      '0 4 BOOLOR 0 0 BOOLOR': '1 0',
      '<0500> 5 NUMEQUAL 5 6 NUMEQUAL': '1 0',
      '5 5 NUMNOTEQUAL 5 6 NUMNOTEQUAL': '0 1',
      '5 5 NUMEQUALVERIFY': '',
      '5 6 LESSTHAN 6 6 LESSTHAN': '1 0',
      '6 5 GREATERTHAN 6 6 GREATERTHAN': '1 0',
      '6 6 LESSTHANOREQUAL 7 6 LESSTHANOREQUAL': '1 0',
      '6 6 GREATERTHANOREQUAL 5 6 GREATERTHANOREQUAL': '1 0',
      '-3 2 MIN -3 2 MAX': '-3 2',
      '1 1 3 WITHIN 3 1 3 WITHIN 0 1 3 WITHIN': '1 0 0',
    });
    expect(leaves('5 6 NUMEQUALVERIFY')).toBe('NUMEQUALVERIFY');
  });

  it('refuse more than four bytes, and longer forms if the flags say so', () => {
    const unary = ['1ADD', '1SUB', 'NEGATE', 'ABS', 'NOT', '0NOTEQUAL'];
    const binary = ['ADD', 'SUB', 'BOOLAND', 'NUMEQUALVERIFY', 'LESSTHAN', 'MAX', 'PICK', 'ROLL'];
    const texts = [
      ...unary.map((name) => `$ ${name}`),
      ...binary.map((name) => `1 $ ${name}`),
      '$ 1 ADD',
      '$ 0 0 WITHIN',
    ];
    const keys = ['$ CHECKMULTISIG', '0 $ 0 CHECKMULTISIG'];
    for (const text of [...texts, '0 $ 0 WITHIN', '0 0 $ WITHIN', ...keys]) {
      expect([text, leaves(text.replace('$', '<0000000001>'))]).toEqual([text, 'UNKNOWN_ERROR']);
      expect([text, leaves(text.replace('$', '<0000>'), { flags: { minimalData: true } })]).toEqual([
        text,
        'UNKNOWN_ERROR',
      ]);
      expect(leaves(text.replace('$', '<0000>'))).not.toBe('UNKNOWN_ERROR');
    }
  });
});
