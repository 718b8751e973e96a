import type { ScriptError } from './errors.ts';
import type { ScriptFlags } from './flags.ts';
import { decodeScriptNumber } from './script-number.ts';

/** Longest element that a script may push, in bytes. */
export const MAX_ELEMENT_BYTES = 520;
/** Longest push that spends a crypto-condition, in bytes. Source: smart-chain node. */
export const MAX_FULFILLMENT_BYTES = 2048;
/** Most operations of one script other than pushes; each key of OP_CHECKMULTISIG counts as one more. */
export const MAX_OPERATIONS = 201;
/** Most elements on both stacks together. */
export const MAX_STACK_ITEMS = 1000;
/** Most keys of one OP_CHECKMULTISIG. */
export const MAX_MULTISIG_KEYS = 20;

/** What a script cannot judge by itself, since it depends on the transaction. No method may throw. */
export interface SignatureChecker {
  /**
   * Whether a signature, its hash type in the last byte, is valid for a key. Neither is checked in any way beyond the flags,
   * the signature is not empty.
   */
  checkSignature(question: {
    readonly signature: Uint8Array;
    readonly publicKey: Uint8Array;
    readonly scriptCode: Uint8Array;
  }): boolean;
  /** Whether the transaction keeps a lock time of 0 to 2^39 - 1: a height below 500,000,000, else seconds (BIP 65). */
  checkLockTime(lockTime: bigint): boolean;
  /** Whether the input keeps a relative lock time of 0 to 2^39 - 1 (BIP 112). */
  checkSequence(sequence: bigint): boolean;
  /** Whether a fulfillment, with its hash type in the last byte, satisfies a condition; `invalid` for one that is no such thing. */
  checkCryptoCondition(question: {
    readonly condition: Uint8Array;
    readonly fulfillment: Uint8Array;
    readonly scriptCode: Uint8Array;
  }): 'ok' | 'false' | 'invalid';
}

export type EvaluateOptions = {
  readonly flags: ScriptFlags;
  readonly checker: SignatureChecker;
};

/** The state of one running script. Elements are never altered in place, so several may be views of the same bytes. */
export type Machine = EvaluateOptions & {
  readonly script: Uint8Array;
  readonly stack: Uint8Array[];
  readonly altStack: Uint8Array[];
  /** For each open OP_IF whether its present branch runs. */
  readonly branches: boolean[];
  /** How many of the branches do not run. */
  idleBranches: number;
  operations: number;
  /** Where the script that signatures sign starts: behind the last OP_CODESEPARATOR, in bytes. */
  codeStart: number;
};

/** What one opcode does. */
export type Instruction = {
  /** Elements that the stack holds at least; with fewer the script fails. */
  readonly needs: number;
  readonly run: (machine: Machine, opcode: number) => ScriptError | undefined;
};

export type InstructionTable = readonly (readonly [opcode: number, instruction: Instruction])[];

export const TRUE = Uint8Array.of(1);
export const FALSE = new Uint8Array(0);

/** The element `depth` below the top, which is 0. The caller knows that it is there. */
export function peek(machine: Machine, depth = 0): Uint8Array {
  return machine.stack[machine.stack.length - 1 - depth] as Uint8Array;
}

/** Takes the top element off. The caller knows that it is there. */
export function pop(machine: Machine): Uint8Array {
  return machine.stack.pop() as Uint8Array;
}

export function pushBoolean(machine: Machine, value: boolean): void {
  machine.stack.push(value ? TRUE : FALSE);
}

/** The element `depth` below the top as an operand. Undefined when it is too long, or longer than the flags allow. */
export function peekNumber(machine: Machine, depth = 0): number | undefined {
  return decodeScriptNumber(peek(machine, depth), { minimal: machine.flags.minimalData === true });
}

/** Leaves a verdict on the stack, or for the `VERIFY` form of an operation nothing where it is true and `error` where not. */
export function conclude(machine: Machine, verdict: boolean, verify: ScriptError | undefined): ScriptError | undefined {
  if (verify === undefined) pushBoolean(machine, verdict);
  return verify === undefined || verdict ? undefined : verify;
}
