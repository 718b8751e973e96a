import { MAX_SCRIPT_BYTES, OP_RETURN } from '../../htlc/script.ts';
import { SIGHASH_ALL, SIGHASH_ANYONECANPAY, SIGHASH_NONE, SIGHASH_SINGLE } from '../../htlc/signature-hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { opcodeName } from './opcodes.ts';
import { isDataPush, operationAt } from './operations.ts';
import { decodeScriptNumber } from './script-number.ts';
import { hasDefinedHashType, isStrictDer } from './signature-encoding.ts';

const HASH_TYPES: ReadonlyMap<number, string> = new Map([
  [SIGHASH_ALL, 'ALL'],
  [SIGHASH_NONE, 'NONE'],
  [SIGHASH_SINGLE, 'SINGLE'],
]);

export type ScriptAsmOptions = {
  /** Whether a push that looks like a signature shows its hash type as a word: for input scripts. No by default. */
  readonly signatureHashTypes?: boolean;
};

/**
 * The text of a script as the smart-chain node prints it: pushes of up to four bytes as numbers, longer ones as
 * hexadecimal, other operations by {@link opcodeName}. Ends in `[error]` where a push runs past the end. Linear in the
 * length of the script, which has no limit.
 */
export function scriptAsm(script: Uint8Array, options: ScriptAsmOptions = {}): string {
  // As in the node: data that can never be spent holds no signatures.
  const spendable = script[0] !== OP_RETURN && script.length <= MAX_SCRIPT_BYTES;
  const hashTypes = options.signatureHashTypes === true && spendable;
  const words: string[] = [];
  let offset = 0;
  while (offset < script.length) {
    const operation = operationAt(script, offset);
    if (operation === undefined) {
      words.push('[error]');
      break;
    }
    const { opcode, data, next } = operation;
    words.push(isDataPush(opcode) ? pushText(data, hashTypes) : opcodeName(opcode));
    offset = next;
  }
  return words.join(' ');
}

function pushText(data: Uint8Array, hashTypes: boolean): string {
  const value = decodeScriptNumber(data);
  if (value !== undefined) return String(value);
  if (!hashTypes || !isStrictDer(data) || !hasDefinedHashType(data)) return bytesToHex(data);
  return `${bytesToHex(data.subarray(0, -1))}[${hashTypeName(data.at(-1) ?? 0)}]`;
}

function hashTypeName(type: number): string {
  const name = HASH_TYPES.get(type & ~SIGHASH_ANYONECANPAY) ?? '';
  return type & SIGHASH_ANYONECANPAY ? `${name}|ANYONECANPAY` : name;
}
