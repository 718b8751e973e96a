import { OP_0, OP_1, OP_DROP, OP_EQUAL, OP_HASH160, OP_PUSHDATA1 } from '../../htlc/script.ts';
import { OP_16, OP_CHECKCRYPTOCONDITION } from './opcodes.ts';
import { isDataPush, operationAt } from './operations.ts';

/** The hash that a pay-to-script-hash output names, 20 bytes (BIP 16). Undefined for any other script. */
export function payToScriptHash(script: Uint8Array): Uint8Array | undefined {
  const matches = script.length === 23 && script[0] === OP_HASH160 && script[1] === 20 && script[22] === OP_EQUAL;
  return matches ? script.subarray(2, 22) : undefined;
}

export type PaidCondition = {
  /** 1 to 75 bytes, not decoded. */
  readonly condition: Uint8Array;
  /** The script up to and with its OP_CHECKCRYPTOCONDITION: what the address is a hash of. */
  readonly head: Uint8Array;
};

/**
 * What a pay-to-crypto-condition output demands: a direct push and OP_CHECKCRYPTOCONDITION, then pushes that are all
 * dropped again. Undefined for any other script. Source: smart-chain node; its later mixed mode, with longer pushes, is
 * not known here.
 */
export function payToCondition(script: Uint8Array): PaidCondition | undefined {
  const push = operationAt(script, 0);
  if (push === undefined || push.opcode === OP_0 || push.opcode >= OP_PUSHDATA1) return undefined;
  if (script[push.next] !== OP_CHECKCRYPTOCONDITION) return undefined;
  const end = push.next + 1;
  return dropsWhatItPushes(script, end) ? { condition: push.data, head: script.subarray(0, end) } : undefined;
}

function dropsWhatItPushes(script: Uint8Array, offset: number): boolean {
  let held = 0;
  let position = offset;
  while (position < script.length) {
    const operation = operationAt(script, position);
    if (operation === undefined) return false;
    const { opcode, data, next } = operation;
    if (opcode === OP_DROP) {
      held -= 1;
      if (held < 0) return false;
    } else {
      const pushes = opcode === OP_0 || (opcode >= OP_1 && opcode <= OP_16) || (isDataPush(opcode) && data.length > 0);
      if (!pushes) return false;
      held += 1;
    }
    position = next;
  }
  return held === 0;
}
