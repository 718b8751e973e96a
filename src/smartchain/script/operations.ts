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
  const opcode = script[offset];
  if (opcode === undefined) return undefined;
  if (opcode === OP_0 || opcode > OP_PUSHDATA4) return { opcode, data: EMPTY, next: offset + 1 };
  const lengthBytes = opcode < OP_PUSHDATA1 ? 0 : 1 << (opcode - OP_PUSHDATA1);
  const start = offset + 1 + lengthBytes;
  if (start > script.length) return undefined;
  let length = lengthBytes === 0 ? opcode : 0;
  for (let index = start - 1; index > offset && lengthBytes > 0; index--) {
    length = length * 256 + (script[index] as number);
  }
  const next = start + length;
  return next > script.length ? undefined : { opcode, data: script.subarray(start, next), next };
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
    const operation = operationAt(script, position);
    if (operation === undefined || operation.opcode > OP_16) return false;
    position = operation.next;
  }
  return true;
}
