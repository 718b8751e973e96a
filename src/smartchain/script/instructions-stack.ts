import { OP_DROP, OP_DUP, OP_SIZE } from '../../htlc/script.ts';
import type { ScriptError } from './errors.ts';
import { type InstructionTable, type Machine, peek, peekNumber, pop } from './machine.ts';
import {
  OP_2DROP,
  OP_2DUP,
  OP_2OVER,
  OP_2ROT,
  OP_2SWAP,
  OP_3DUP,
  OP_DEPTH,
  OP_FROMALTSTACK,
  OP_IFDUP,
  OP_NIP,
  OP_OVER,
  OP_PICK,
  OP_ROLL,
  OP_ROT,
  OP_SWAP,
  OP_TOALTSTACK,
  OP_TUCK,
} from './opcodes.ts';
import { encodeScriptNumber, scriptBoolean } from './script-number.ts';

type Run = (machine: Machine) => undefined;

/** Copies `count` elements, the lowest of which is `depth` below the top, to the top. */
function copy(depth: number, count = 1): Run {
  return ({ stack }) => {
    const start = stack.length - 1 - depth;
    stack.push(...stack.slice(start, start + count));
  };
}

/** Moves `count` elements, the lowest of which is `depth` below the top, to the top. */
function move(depth: number, count = 1): Run {
  return ({ stack }) => {
    stack.push(...stack.splice(stack.length - 1 - depth, count));
  };
}

function drop(count: number): Run {
  return ({ stack }) => {
    stack.length -= count;
  };
}

function toAltStack(machine: Machine): undefined {
  machine.altStack.push(pop(machine));
}

function fromAltStack({ stack, altStack }: Machine): ScriptError | undefined {
  const element = altStack.pop();
  if (element === undefined) return 'INVALID_ALTSTACK_OPERATION';
  stack.push(element);
  return undefined;
}

function copyWhenTrue(machine: Machine): undefined {
  const top = peek(machine);
  if (scriptBoolean(top)) machine.stack.push(top);
}

function depth({ stack }: Machine): undefined {
  stack.push(encodeScriptNumber(stack.length));
}

function size(machine: Machine): undefined {
  machine.stack.push(encodeScriptNumber(peek(machine).length));
}

function nip({ stack }: Machine): undefined {
  stack.splice(-2, 1);
}

function tuck(machine: Machine): undefined {
  machine.stack.splice(-2, 0, peek(machine));
}

function pickOrRoll(machine: Machine, opcode: number): ScriptError | undefined {
  const chosen = peekNumber(machine);
  if (chosen === undefined) return 'UNKNOWN_ERROR';
  pop(machine);
  if (chosen < 0 || chosen >= machine.stack.length) return 'INVALID_STACK_OPERATION';
  return opcode === OP_ROLL ? move(chosen)(machine) : copy(chosen)(machine);
}

/** Operations that move elements about. */
export const STACK: InstructionTable = [
  [OP_TOALTSTACK, { needs: 1, run: toAltStack }],
  [OP_FROMALTSTACK, { needs: 0, run: fromAltStack }],
  [OP_2DROP, { needs: 2, run: drop(2) }],
  [OP_2DUP, { needs: 2, run: copy(1, 2) }],
  [OP_3DUP, { needs: 3, run: copy(2, 3) }],
  [OP_2OVER, { needs: 4, run: copy(3, 2) }],
  [OP_2ROT, { needs: 6, run: move(5, 2) }],
  [OP_2SWAP, { needs: 4, run: move(3, 2) }],
  [OP_IFDUP, { needs: 1, run: copyWhenTrue }],
  [OP_DEPTH, { needs: 0, run: depth }],
  [OP_DROP, { needs: 1, run: drop(1) }],
  [OP_DUP, { needs: 1, run: copy(0) }],
  [OP_NIP, { needs: 2, run: nip }],
  [OP_OVER, { needs: 2, run: copy(1) }],
  [OP_PICK, { needs: 2, run: pickOrRoll }],
  [OP_ROLL, { needs: 2, run: pickOrRoll }],
  [OP_ROT, { needs: 3, run: move(2) }],
  [OP_SWAP, { needs: 2, run: move(1) }],
  [OP_TUCK, { needs: 2, run: tuck }],
  [OP_SIZE, { needs: 1, run: size }],
];
