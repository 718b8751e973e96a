import type { ScriptError } from './errors.ts';
import { conclude, type InstructionTable, type Machine, peekNumber, pop, pushBoolean } from './machine.ts';
import {
  OP_0NOTEQUAL,
  OP_1ADD,
  OP_1SUB,
  OP_ABS,
  OP_ADD,
  OP_BOOLAND,
  OP_BOOLOR,
  OP_GREATERTHAN,
  OP_GREATERTHANOREQUAL,
  OP_LESSTHAN,
  OP_LESSTHANOREQUAL,
  OP_MAX,
  OP_MIN,
  OP_NEGATE,
  OP_NOT,
  OP_NUMEQUAL,
  OP_NUMEQUALVERIFY,
  OP_NUMNOTEQUAL,
  OP_SUB,
  OP_WITHIN,
} from './opcodes.ts';
import { encodeScriptNumber } from './script-number.ts';

type Result = number | boolean;

function pushResult(machine: Machine, result: Result): undefined {
  machine.stack.push(encodeScriptNumber(Number(result)));
}

// Operands stay below 2^31, so that every result is exact; it may need five bytes, and is then no operand any more.
function unary(compute: (value: number) => Result) {
  const run = (machine: Machine): ScriptError | undefined => {
    const value = peekNumber(machine);
    if (value === undefined) return 'UNKNOWN_ERROR';
    pop(machine);
    return pushResult(machine, compute(value));
  };
  return { needs: 1, run };
}

function binary(compute: (left: number, right: number) => Result) {
  const run = (machine: Machine): ScriptError | undefined => {
    const operands = takePair(machine);
    return operands === undefined ? 'UNKNOWN_ERROR' : pushResult(machine, compute(...operands));
  };
  return { needs: 2, run };
}

function takePair(machine: Machine): readonly [number, number] | undefined {
  const left = peekNumber(machine, 1);
  const right = peekNumber(machine);
  if (left === undefined || right === undefined) return undefined;
  machine.stack.length -= 2;
  return [left, right];
}

function equalVerify(machine: Machine): ScriptError | undefined {
  const operands = takePair(machine);
  if (operands === undefined) return 'UNKNOWN_ERROR';
  return conclude(machine, operands[0] === operands[1], 'NUMEQUALVERIFY');
}

function within(machine: Machine): ScriptError | undefined {
  const value = peekNumber(machine, 2);
  const least = peekNumber(machine, 1);
  const limit = peekNumber(machine);
  if (value === undefined || least === undefined || limit === undefined) return 'UNKNOWN_ERROR';
  machine.stack.length -= 3;
  pushBoolean(machine, least <= value && value < limit);
  return undefined;
}

/** Operations on numbers. */
export const ARITHMETIC: InstructionTable = [
  [OP_1ADD, unary((value) => value + 1)],
  [OP_1SUB, unary((value) => value - 1)],
  [OP_NEGATE, unary((value) => 0 - value)],
  [OP_ABS, unary(Math.abs)],
  [OP_NOT, unary((value) => value === 0)],
  [OP_0NOTEQUAL, unary((value) => value !== 0)],
  [OP_ADD, binary((left, right) => left + right)],
  [OP_SUB, binary((left, right) => left - right)],
  [OP_BOOLAND, binary((left, right) => left !== 0 && right !== 0)],
  [OP_BOOLOR, binary((left, right) => left !== 0 || right !== 0)],
  [OP_NUMEQUAL, binary((left, right) => left === right)],
  [OP_NUMEQUALVERIFY, { needs: 2, run: equalVerify }],
  [OP_NUMNOTEQUAL, binary((left, right) => left !== right)],
  [OP_LESSTHAN, binary((left, right) => left < right)],
  [OP_GREATERTHAN, binary((left, right) => left > right)],
  [OP_LESSTHANOREQUAL, binary((left, right) => left <= right)],
  [OP_GREATERTHANOREQUAL, binary((left, right) => left >= right)],
  [OP_MIN, binary(Math.min)],
  [OP_MAX, binary(Math.max)],
  [OP_WITHIN, { needs: 3, run: within }],
];
