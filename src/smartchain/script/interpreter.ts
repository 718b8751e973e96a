import { MAX_SCRIPT_BYTES, OP_0, OP_1, OP_ENDIF, OP_IF, OP_PUSHDATA1, OP_PUSHDATA2 } from '../../htlc/script.ts';
import type { ScriptError } from './errors.ts';
import { ARITHMETIC } from './instructions-arithmetic.ts';
import { CONTROL } from './instructions-control.ts';
import { HASHES } from './instructions-hash.ts';
import { SIGNATURES } from './instructions-signature.ts';
import { STACK } from './instructions-stack.ts';
import {
  type EvaluateOptions,
  type Instruction,
  MAX_ELEMENT_BYTES,
  MAX_FULFILLMENT_BYTES,
  MAX_OPERATIONS,
  MAX_STACK_ITEMS,
  type Machine,
} from './machine.ts';
import {
  OP_1NEGATE,
  OP_2DIV,
  OP_2MUL,
  OP_16,
  OP_AND,
  OP_CAT,
  OP_CODESEPARATOR,
  OP_DIV,
  OP_INVERT,
  OP_LEFT,
  OP_LSHIFT,
  OP_MOD,
  OP_MUL,
  OP_OR,
  OP_RIGHT,
  OP_RSHIFT,
  OP_SUBSTR,
  OP_XOR,
} from './opcodes.ts';
import { isDataPush, isPushOnly, type Operation, operationAt } from './operations.ts';
import { scriptBoolean } from './script-number.ts';
import { payToCondition, payToScriptHash } from './templates.ts';

export type { EvaluateOptions, SignatureChecker } from './machine.ts';

/** Fail even where they do not run. */
const DISABLED: ReadonlySet<number> = new Set([
  ...[OP_CAT, OP_SUBSTR, OP_LEFT, OP_RIGHT, OP_INVERT, OP_AND, OP_OR, OP_XOR],
  ...[OP_2MUL, OP_2DIV, OP_MUL, OP_DIV, OP_MOD, OP_LSHIFT, OP_RSHIFT],
]);

const INSTRUCTIONS: ReadonlyMap<number, Instruction> = new Map([
  ...CONTROL,
  ...STACK,
  ...ARITHMETIC,
  ...HASHES,
  ...SIGNATURES,
]);

/**
 * Runs a script on a stack, whose last element is the top and which is altered. Gives why the script fails, or undefined
 * when it ends; what it leaves on the stack is for the caller to judge. Never throws. Its time is bounded by
 * {@link MAX_SCRIPT_BYTES} and the limits of `machine.ts`: at most 201 signatures or hashes.
 *
 * Source: smart-chain node, which has the rules of Bitcoin before segregated witness, less OP_CODESEPARATOR.
 */
export function evaluateScript(
  stack: Uint8Array[],
  script: Uint8Array,
  options: EvaluateOptions,
): ScriptError | undefined {
  if (script.length > MAX_SCRIPT_BYTES) return 'SCRIPT_SIZE';
  const machine: Machine = {
    flags: options.flags,
    checker: options.checker,
    script,
    stack,
    altStack: [],
    branches: [],
    idleBranches: 0,
    operations: 0,
    codeStart: 0,
  };
  let offset = 0;
  while (offset < script.length) {
    const operation = operationAt(script, offset);
    if (operation === undefined) return 'BAD_OPCODE';
    const error = step(machine, operation);
    if (error !== undefined) return error;
    if (stack.length + machine.altStack.length > MAX_STACK_ITEMS) return 'STACK_SIZE';
    offset = operation.next;
  }
  return machine.branches.length === 0 ? undefined : 'UNBALANCED_CONDITIONAL';
}

function step(machine: Machine, operation: Operation): ScriptError | undefined {
  const { opcode, data } = operation;
  const { flags, stack } = machine;
  if (data.length > MAX_ELEMENT_BYTES) return 'PUSH_SIZE';
  if (opcode > OP_16) machine.operations += 1;
  if (machine.operations > MAX_OPERATIONS) return 'OP_COUNT';
  if (DISABLED.has(opcode)) return 'DISABLED_OPCODE';
  const runs = machine.idleBranches === 0;
  if (opcode === OP_CODESEPARATOR) {
    if (!flags.bitcoinScriptCode) return 'DISABLED_OPCODE';
    if (runs) machine.codeStart = operation.next;
    return undefined;
  }
  // Conditions count even in a branch that does not run, OP_VERIF and OP_VERNOTIF among them, which never work.
  if (!runs && (opcode < OP_IF || opcode > OP_ENDIF)) return undefined;
  if (isDataPush(opcode)) {
    if (flags.minimalData && !isMinimalPush(operation)) return 'MINIMALDATA';
    stack.push(data);
    return undefined;
  }
  const instruction = INSTRUCTIONS.get(opcode);
  if (instruction === undefined) return 'BAD_OPCODE';
  return stack.length < instruction.needs ? 'INVALID_STACK_OPERATION' : instruction.run(machine, opcode);
}

function isMinimalPush({ opcode, data }: Operation): boolean {
  const { length } = data;
  const [first = 0] = data;
  if (length === 0) return opcode === OP_0;
  if (length === 1 && first >= 1 && first <= 16) return opcode === OP_1 + first - 1;
  if (length === 1 && first === 0x81) return opcode === OP_1NEGATE;
  if (length < OP_PUSHDATA1) return opcode === length;
  return opcode === (length <= 0xff ? OP_PUSHDATA1 : OP_PUSHDATA2);
}

export type VerifyOptions = EvaluateOptions & {
  /** The script of the input. */
  readonly scriptSig: Uint8Array;
  /** The script of the output that it spends. */
  readonly scriptPubKey: Uint8Array;
};

/**
 * Whether an input may spend an output: undefined when it may, else why not. Never throws. Time is that of at most three
 * scripts, see {@link evaluateScript}. Source: smart-chain node; BIP 16.
 */
export function verifyScript({ scriptSig, scriptPubKey, ...options }: VerifyOptions): ScriptError | undefined {
  const { flags } = options;
  if (flags.signaturePushOnly && !isPushOnly(scriptSig)) return 'SIG_PUSHONLY';
  const stack: Uint8Array[] = [];
  const spendsCondition = flags.cryptoConditions === true && payToCondition(scriptPubKey) !== undefined;
  const inputError = spendsCondition ? pushFulfillment(stack, scriptSig) : evaluateScript(stack, scriptSig, options);
  if (inputError !== undefined) return inputError;
  const pushed = [...stack];
  const outputError = evaluateScript(stack, scriptPubKey, options) ?? verdictOf(stack);
  if (outputError !== undefined) return outputError;
  if (!flags.p2sh || payToScriptHash(scriptPubKey) === undefined) return cleanStackProblem(stack, options);
  if (!isPushOnly(scriptSig)) return 'SIG_PUSHONLY';
  const redeemScript = pushed.pop();
  if (redeemScript === undefined) return 'EVAL_FALSE';
  const redeemError = evaluateScript(pushed, redeemScript, options) ?? verdictOf(pushed);
  return redeemError ?? cleanStackProblem(pushed, options);
}

/** An input that spends a condition is one push, longer than others may be. */
function pushFulfillment(stack: Uint8Array[], scriptSig: Uint8Array): ScriptError | undefined {
  const operation = operationAt(scriptSig, 0);
  if (operation === undefined) return 'BAD_OPCODE';
  const { opcode, data, next } = operation;
  if (opcode === OP_0 || !isDataPush(opcode) || next !== scriptSig.length) return 'INVALID_STACK_OPERATION';
  if (data.length > MAX_FULFILLMENT_BYTES) return 'PUSH_SIZE';
  stack.push(data);
  return undefined;
}

function verdictOf(stack: readonly Uint8Array[]): ScriptError | undefined {
  const top = stack.at(-1);
  return top !== undefined && scriptBoolean(top) ? undefined : 'EVAL_FALSE';
}

function cleanStackProblem(stack: readonly Uint8Array[], { flags }: EvaluateOptions): ScriptError | undefined {
  return flags.cleanStack && stack.length !== 1 ? 'CLEANSTACK' : undefined;
}
