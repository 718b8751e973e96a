import { describe, expect, it } from 'vitest';
import { checkerWith } from './assemble.ts';
import { agree, fail, leaves } from './running.ts';

describe('branches', () => {
  it('run one side', () => {
    agree({
      '1 IF 2 ELSE 3 ENDIF': '2',
      '0 IF 2 ELSE 3 ENDIF': '3',
      '1 NOTIF 2 ELSE 3 ENDIF': '3',
      '0 NOTIF 2 ENDIF': '2',
      '1 IF 2 ELSE 3 ELSE 4 ENDIF': '2 4',
      '0 IF 1 IF RETURN ELSE RETURN ENDIF ENDIF 5': '5',
      '<80> IF 2 ELSE 3 ENDIF': '3',
      '0 IF VER RESERVED 0xba RETURN CHECKCRYPTOCONDITION <00> ENDIF 1': '1',
    });
  });

  it('are balanced, and some operations fail even if they do not run', () => {
    fail({
      '1 IF': 'UNBALANCED_CONDITIONAL',
      IF: 'UNBALANCED_CONDITIONAL',
      ELSE: 'UNBALANCED_CONDITIONAL',
      ENDIF: 'UNBALANCED_CONDITIONAL',
      '0 IF VERIF ENDIF': 'BAD_OPCODE',
      '0 IF VERNOTIF ENDIF': 'BAD_OPCODE',
      '0 IF 2MUL ENDIF': 'DISABLED_OPCODE',
      '0 IF CODESEPARATOR ENDIF': 'DISABLED_OPCODE',
      RETURN: 'OP_RETURN',
      VER: 'BAD_OPCODE',
      RESERVED: 'BAD_OPCODE',
      '0xba': 'BAD_OPCODE',
      '0x05ff': 'BAD_OPCODE',
    });
  });

  it('take a minimal condition if the flag says so', () => {
    const flags = { minimalIf: true };
    for (const condition of ['2', '<0100>', '<00>'])
      expect(leaves(`${condition} IF ENDIF`, { flags })).toBe('MINIMALIF');
    for (const condition of ['0', '1']) expect(leaves(`${condition} NOTIF ENDIF`, { flags })).toBe('');
  });

  it('hold disabled operations in none of their forms', () => {
    const names = ['CAT', 'SUBSTR', 'LEFT', 'RIGHT', 'INVERT', 'AND', 'OR', 'XOR', '2MUL', '2DIV', 'MUL', 'DIV', 'MOD'];
    for (const name of [...names, 'LSHIFT', 'RSHIFT']) expect(leaves(`1 1 1 ${name}`)).toBe('DISABLED_OPCODE');
  });
});

describe('lock times', () => {
  const seen: bigint[] = [];
  const checker = checkerWith({
    checkLockTime: (lockTime) => seen.push(lockTime) > 0 && lockTime < 600_000_000n,
    checkSequence: (sequence) => seen.push(sequence) > 0 && sequence < 100n,
  });

  it('are asked of the checker and stay on the stack', () => {
    expect(leaves('4294967295 CLTV', { checker })).toBe('UNSATISFIED_LOCKTIME');
    expect(leaves('599999999 CLTV', { checker })).toBe('ff45c323');
    expect(seen).toEqual([4_294_967_295n, 599_999_999n]);
    fail(
      { '-1 CLTV': 'NEGATIVE_LOCKTIME', CLTV: 'INVALID_STACK_OPERATION', '<010203040506> CLTV': 'UNKNOWN_ERROR' },
      { checker },
    );
  });

  it('do nothing without their flag, unless such operations are discouraged', () => {
    expect(leaves('-1 CLTV CSV', { flags: {} })).toBe('81');
    expect(leaves('-1 CSV')).toBe('81');
    const flags = { discourageUpgradableNops: true };
    for (const name of ['CLTV', 'CSV', 'NOP1', 'NOP10'])
      expect(leaves(name, { flags })).toBe('DISCOURAGE_UPGRADABLE_NOPS');
    expect(leaves('NOP 0 IF NOP10 ENDIF', { flags })).toBe('');
  });

  it('of an input are asked of the checker unless the sequence is off', () => {
    const flags = { checkSequenceVerify: true };
    expect(leaves('99 CSV', { flags, checker })).toBe('63');
    expect(leaves('100 CSV', { flags, checker })).toBe('UNSATISFIED_LOCKTIME');
    expect(leaves('2147483648 CSV DROP', { flags })).toBe('');
    expect(leaves('4294967296 CSV', { flags })).toBe('UNSATISFIED_LOCKTIME');
    expect(leaves('-1 CSV', { flags })).toBe('NEGATIVE_LOCKTIME');
  });
});
