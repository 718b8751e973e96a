import { parseScript } from '../../htlc/script.ts';
import type { Transaction } from '../transaction/transaction.ts';

const OP_CHECKSIG = 0xac;
const OP_CHECKSIGVERIFY = 0xad;
const OP_CHECKMULTISIG = 0xae;
const OP_CHECKMULTISIGVERIFY = 0xaf;
const MOST_KEYS = 20;
const BYTES_PER_CHECK = 100;

/** Signature checks that a block of so many bytes may ask for, counted by {@link writtenChecks}. */
export function mostChecks(maxBlockSize: number): number {
  return Math.floor(maxBlockSize / BYTES_PER_CHECK);
}

/**
 * Signature checks that a script asks for. A check of several keys counts all that it could have; where `exact` is set it counts as
 * many as the number before it says. What follows a push that runs past the end is not counted.
 */
export function signatureChecks(script: Uint8Array, { exact }: { readonly exact: boolean }): number {
  const ops = parseScript(script) ?? [];
  let checks = 0;
  for (const [index, { opcode }] of ops.entries()) {
    if (opcode === OP_CHECKSIG || opcode === OP_CHECKSIGVERIFY) checks++;
    if (opcode !== OP_CHECKMULTISIG && opcode !== OP_CHECKMULTISIGVERIFY) continue;
    const keys = (ops[index - 1]?.opcode ?? 0) - 0x50;
    checks += exact && keys >= 1 && keys <= 16 ? keys : MOST_KEYS;
  }
  return checks;
}

/** Signature checks in the scripts that a transaction itself holds, those of its redeem scripts left out. Source: Bitcoin. */
export function writtenChecks({ inputs, outputs }: Transaction): number {
  let checks = 0;
  for (const { scriptSig } of inputs) checks += signatureChecks(scriptSig, { exact: false });
  for (const { script } of outputs) checks += signatureChecks(script, { exact: false });
  return checks;
}
