import { expect } from 'vitest';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import type { ScriptError } from '../../../../src/smartchain/script/errors.ts';
import { MANDATORY_FLAGS, type ScriptFlags } from '../../../../src/smartchain/script/flags.ts';
import { evaluateScript } from '../../../../src/smartchain/script/interpreter.ts';
import type { SignatureChecker } from '../../../../src/smartchain/script/machine.ts';
import { assemble, checkerWith } from './assemble.ts';

export type Setting = { readonly flags?: ScriptFlags; readonly checker?: SignatureChecker };

/** What a script leaves on an empty stack, in hexadecimal, or why it fails. */
export function leaves(text: string, { flags = MANDATORY_FLAGS, checker = checkerWith() }: Setting = {}) {
  const stack: Uint8Array[] = [];
  return evaluateScript(stack, assemble(text), { flags, checker }) ?? stack.map(bytesToHex).join(' ');
}

/** Two scripts that leave the same. */
export function agree(rows: Readonly<Record<string, string>>): void {
  for (const [text, result] of Object.entries(rows)) expect([text, leaves(text)]).toEqual([text, leaves(result)]);
}

export function fail(rows: Readonly<Record<string, ScriptError>>, setting: Setting = {}): void {
  for (const [text, error] of Object.entries(rows)) expect([text, leaves(text, setting)]).toEqual([text, error]);
}
