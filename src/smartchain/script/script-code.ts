import { concatBytes } from '../../htlc/byte-writer.ts';
import { pushData } from '../../htlc/script.ts';
import { sameBytes } from '../../primitives/hex.ts';
import type { Machine } from './machine.ts';
import { operationAt } from './operations.ts';

/**
 * The script that the signatures of an operation sign. In the smart-chain node the whole one; under `bitcoinScriptCode` what
 * follows the last OP_CODESEPARATOR that ran, without any push of the signatures themselves.
 */
export function scriptCodeOf(machine: Machine, signatures: readonly Uint8Array[]): Uint8Array {
  if (!machine.flags.bitcoinScriptCode) return machine.script;
  let code = machine.script.subarray(machine.codeStart);
  for (const signature of signatures) code = withoutPushesOf(code, pushData(signature));
  return code;
}

/**
 * A script without each operation that is this very push, byte for byte. The rest, with a push that runs past the end, stays
 * as it is. Linear: where most of the bytes agree, an operation as long as them is skipped.
 */
function withoutPushesOf(script: Uint8Array, push: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  let keptTo = 0;
  let offset = 0;
  while (offset < script.length) {
    if (sameBytes(script.subarray(offset, offset + push.length), push)) {
      kept.push(script.subarray(keptTo, offset));
      offset += push.length;
      keptTo = offset;
      continue;
    }
    const operation = operationAt(script, offset);
    if (operation === undefined) break;
    offset = operation.next;
  }
  return kept.length === 0 ? script : concatBytes([...kept, script.subarray(keptTo)]);
}
