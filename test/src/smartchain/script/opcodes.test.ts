import { describe, expect, it } from 'vitest';
import * as shared from '../../../../src/htlc/script.ts';
import * as opcodes from '../../../../src/smartchain/script/opcodes.ts';

/** Of those that two names stand for, the one that the node does not print. */
const ALIASES = ['OP_0', 'OP_1', 'OP_16', 'OP_1NEGATE', 'OP_CHECKLOCKTIMEVERIFY', 'OP_CHECKSEQUENCEVERIFY'];

const constants = Object.entries({ ...shared, ...opcodes }).flatMap(([name, code]) =>
  name.startsWith('OP_') && typeof code === 'number' ? [{ name, code: code as number }] : [],
);

describe('names of operations', () => {
  it('are those of the constants', () => {
    for (const { name, code } of constants) {
      if (!ALIASES.includes(name)) expect(opcodes.opcodeName(code)).toBe(name);
    }
    expect(constants.length).toBeGreaterThan(90);
  });

  it('are values where an operation pushes a small number', () => {
    expect([0, 0x4f, 0x51, 0x5a, 0x60].map(opcodes.opcodeName)).toEqual(['0', '-1', '1', '10', '16']);
    expect([0x51, 0x60].map(opcodes.smallInteger)).toEqual([1, 16]);
  });

  it('are those of the node for lock times and crypto-conditions', () => {
    expect([0xb1, 0xb2, 0xcc, 0xcd].map(opcodes.opcodeName)).toEqual([
      'OP_NOP2',
      'OP_NOP3',
      'OP_CHECKCRYPTOCONDITION',
      'OP_CHECKCRYPTOCONDITIONVERIFY',
    ]);
  });

  it('are absent for codes without a meaning', () => {
    for (const code of [0x01, 0x4b, 0xba, 0xcb, 0xce, 0xfe]) expect(opcodes.opcodeName(code)).toBe('OP_UNKNOWN');
    expect(opcodes.opcodeName(0xff)).toBe('OP_INVALIDOPCODE');
  });
});
