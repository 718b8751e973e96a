import { OP_0, OP_PUSHDATA1, OP_PUSHDATA4 } from '../../htlc/script.ts';
import { OP_16 } from './opcodes.ts';

/** One operation of a script, with what it pushes as a view of the script; no bytes for one that pushes none. */
export type Operation = {
  readonly opcode: number;
  readonly data: Uint8Array;
  /** Where the next one starts, in bytes from the start of the script. */
  readonly next: number;
};

const EMPTY = new Uint8Array(0);

/**
 * The operation at `offset`, in constant time whatever the length of the script. Undefined at the end, and where a push
 * runs past it.
 */
export function operationAt(script: Uint8Array, offset: number): Operation | undefined {
  const next = operationEnd(script, offset);
  if (next < 0) return undefined;
  const opcode = script[offset] as number;
  const start = offset + 1 + lengthBytes(opcode);
  return { opcode, data: start === next ? EMPTY : script.subarray(start, next), next };
}

/** Where the operation after the one at `offset` starts; -1 where {@link operationAt} finds none. Makes no view of what is pushed. */
export function operationEnd(script: Uint8Array, offset: number): number {
  const opcode = script[offset];
  if (opcode === undefined) return -1;
  if (opcode === OP_0 || opcode > OP_PUSHDATA4) return offset + 1;
  const start = offset + 1 + lengthBytes(opcode);
  if (start > script.length) return -1;
  let length = 0;
  if (opcode < OP_PUSHDATA1) length = opcode;
  else for (let index = start - 1; index > offset; index--) length = length * 256 + (script[index] as number);
  return start + length > script.length ? -1 : start + length;
}

/** Bytes between an opcode and what it pushes, which tell the length of that. */
function lengthBytes(opcode: number): number {
  return opcode < OP_PUSHDATA1 || opcode > OP_PUSHDATA4 ? 0 : 1 << (opcode - OP_PUSHDATA1);
}

/** Whether an operation pushes the bytes that follow it, or none (OP_0). */
export function isDataPush(opcode: number): boolean {
  return opcode <= OP_PUSHDATA4;
}

/**
 * Whether a script, from `offset` on, does nothing but push. As in the node OP_RESERVED counts as a push, though it fails
 * when it runs.
 */
export function isPushOnly(script: Uint8Array, offset = 0): boolean {
  let position = offset;
  while (position < script.length) {
    const next = operationEnd(script, position);
    if (next < 0 || (script[position] as number) > OP_16) return false;
    position = next;
  }
  return true;
}
