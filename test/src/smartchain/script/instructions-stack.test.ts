import { describe, expect, it } from 'vitest';
import { agree, fail, leaves } from './running.ts';

describe('operations on the stack', () => {
  it('move elements as named', () => {
    agree({
      '7 8 DROP': '7',
      '7 8 9 2DROP': '7',
      '7 DUP': '7 7',
      '7 8 2DUP': '7 8 7 8',
      '7 8 9 3DUP': '7 8 9 7 8 9',
      '7 8 9 10 2OVER': '7 8 9 10 7 8',
      '1 2 3 4 5 6 2ROT': '3 4 5 6 1 2',
      '1 2 3 4 2SWAP': '3 4 1 2',
      '1 2 NIP': '2',
      '1 2 OVER': '1 2 1',
      '1 2 3 ROT': '2 3 1',
      '1 2 SWAP': '2 1',
      '1 2 TUCK': '2 1 2',
      '5 6 7 2 PICK': '5 6 7 5',
      '5 6 7 0 PICK': '5 6 7 7',
      '5 6 7 2 ROLL': '6 7 5',
      '0 IFDUP': '0',
      '3 IFDUP': '3 3',
      '1 2 DEPTH': '1 2 2',
      '<0102030405> SIZE': '<0102030405> 5',
      '7 TOALTSTACK 8 FROMALTSTACK': '8 7',
    });
  });

  it('need what they take', () => {
    const needs = {
      DUP: 1,
      '2DROP': 2,
      '3DUP': 3,
      '2OVER': 4,
      '2ROT': 6,
      '2SWAP': 4,
      PICK: 2,
      ROLL: 2,
      WITHIN: 3,
      ADD: 2,
    };
    for (const [name, count] of Object.entries({
      ...needs,
      TOALTSTACK: 1,
      SIZE: 1,
      SHA256: 1,
      EQUAL: 2,
      VERIFY: 1,
      CHECKSIG: 2,
    })) {
      expect(leaves(`${'1 '.repeat(count - 1)}${name}`)).toBe('INVALID_STACK_OPERATION');
    }
    fail({
      FROMALTSTACK: 'INVALID_ALTSTACK_OPERATION',
      '1 1 PICK': 'INVALID_STACK_OPERATION',
      '1 -1 ROLL': 'INVALID_STACK_OPERATION',
    });
  });
});
