import { OP_1, OP_CHECKLOCKTIMEVERIFY, OP_ELSE, OP_ENDIF, OP_IF, OP_RETURN } from '../../htlc/script.ts';
import type { ScriptError } from './errors.ts';
import { type InstructionTable, type Machine, peek, pop } from './machine.ts';
import {
  OP_1NEGATE,
  OP_16,
  OP_CHECKSEQUENCEVERIFY,
  OP_NOP,
  OP_NOP1,
  OP_NOP10,
  OP_NOTIF,
  OP_VERIFY,
  smallInteger,
} from './opcodes.ts';
import { decodeScriptNumber, encodeScriptNumber, LOCK_TIME_BYTES, scriptBoolean } from './script-number.ts';

/** A sequence with this bit asks for nothing (BIP 112). */
const SEQUENCE_DISABLED = 2 ** 31;

function pushSmallNumber(machine: Machine, opcode: number): undefined {
  machine.stack.push(encodeScriptNumber(smallInteger(opcode)));
}

function nothing(): undefined {}

function reservedNop({ flags }: Machine): ScriptError | undefined {
  return flags.discourageUpgradableNops ? 'DISCOURAGE_UPGRADABLE_NOPS' : undefined;
}

function openBranch(machine: Machine, opcode: number): ScriptError | undefined {
  let runs = false;
  if (machine.idleBranches === 0) {
    if (machine.stack.length === 0) return 'UNBALANCED_CONDITIONAL';
    const condition = peek(machine);
    if (machine.flags.minimalIf && !isMinimalBoolean(condition)) return 'MINIMALIF';
    runs = scriptBoolean(condition) === (opcode === OP_IF);
    pop(machine);
  }
  machine.branches.push(runs);
  if (!runs) machine.idleBranches += 1;
  return undefined;
}

function isMinimalBoolean(bytes: Uint8Array): boolean {
  return bytes.length === 0 || (bytes.length === 1 && bytes[0] === 1);
}

function switchBranch(machine: Machine): ScriptError | undefined {
  const ran = machine.branches.pop();
  if (ran === undefined) return 'UNBALANCED_CONDITIONAL';
  machine.branches.push(!ran);
  machine.idleBranches += ran ? 1 : -1;
  return undefined;
}

function closeBranch(machine: Machine): ScriptError | undefined {
  const ran = machine.branches.pop();
  if (ran === undefined) return 'UNBALANCED_CONDITIONAL';
  if (!ran) machine.idleBranches -= 1;
  return undefined;
}

function verify(machine: Machine): ScriptError | undefined {
  if (!scriptBoolean(peek(machine))) return 'VERIFY';
  pop(machine);
  return undefined;
}

function lockTimeVerify(machine: Machine): ScriptError | undefined {
  if (!machine.flags.checkLockTimeVerify) return reservedNop(machine);
  const lockTime = lockTimeOperand(machine);
  if (typeof lockTime !== 'number') return lockTime;
  return machine.checker.checkLockTime(BigInt(lockTime)) ? undefined : 'UNSATISFIED_LOCKTIME';
}

function sequenceVerify(machine: Machine): ScriptError | undefined {
  if (!machine.flags.checkSequenceVerify) return reservedNop(machine);
  const sequence = lockTimeOperand(machine);
  if (typeof sequence !== 'number') return sequence;
  if (Math.floor(sequence / SEQUENCE_DISABLED) % 2 === 1) return undefined;
  return machine.checker.checkSequence(BigInt(sequence)) ? undefined : 'UNSATISFIED_LOCKTIME';
}

/** Stays on the stack: the operations were once OP_NOPs, which take nothing. */
function lockTimeOperand(machine: Machine): number | ScriptError {
  if (machine.stack.length === 0) return 'INVALID_STACK_OPERATION';
  const minimal = machine.flags.minimalData === true;
  const value = decodeScriptNumber(peek(machine), { maxBytes: LOCK_TIME_BYTES, minimal });
  if (value === undefined) return 'UNKNOWN_ERROR';
  return value < 0 ? 'NEGATIVE_LOCKTIME' : value;
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Numbers that an opcode pushes, branches, lock times and the operations without an effect. */
export const CONTROL: InstructionTable = [
  ...[OP_1NEGATE, ...range(OP_1, OP_16)].map((code) => [code, { needs: 0, run: pushSmallNumber }] as const),
  ...range(OP_NOP1, OP_NOP10).map((code) => [code, { needs: 0, run: reservedNop }] as const),
  [OP_CHECKLOCKTIMEVERIFY, { needs: 0, run: lockTimeVerify }],
  [OP_CHECKSEQUENCEVERIFY, { needs: 0, run: sequenceVerify }],
  [OP_NOP, { needs: 0, run: nothing }],
  [OP_IF, { needs: 0, run: openBranch }],
  [OP_NOTIF, { needs: 0, run: openBranch }],
  [OP_ELSE, { needs: 0, run: switchBranch }],
  [OP_ENDIF, { needs: 0, run: closeBranch }],
  [OP_VERIFY, { needs: 1, run: verify }],
  [OP_RETURN, { needs: 0, run: () => 'OP_RETURN' }],
];
