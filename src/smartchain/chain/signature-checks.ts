import type { DecodedTransaction, TransactionOutput } from '../../htlc/transaction.ts';
import { isPushOnly, operationAt, operationEnd } from '../script/operations.ts';
import { payToScriptHash } from '../script/templates.ts';

const OP_CHECKSIG = 0xac;
const OP_CHECKSIGVERIFY = 0xad;
const OP_CHECKMULTISIG = 0xae;
const OP_CHECKMULTISIGVERIFY = 0xaf;
const MOST_KEYS = 20;
const BYTES_PER_CHECK = 100;

/** Signature checks that a block of this size may require, counted by {@link askedChecks}. */
export function mostChecks(maxBlockSize: number): number {
  return Math.floor(maxBlockSize / BYTES_PER_CHECK);
}

/**
 * Signature checks that a script requires. A multisig check counts the maximum number of keys; with `exact`, the number before it. Ignores what
 * follows a push that runs past the end. Source: Bitcoin.
 */
export function signatureChecks(script: Uint8Array, { exact }: { readonly exact: boolean }): number {
  let checks = 0;
  let before = 0;
  let at = 0;
  for (let next = operationEnd(script, at); next >= 0; next = operationEnd(script, at)) {
    const opcode = script[at] as number;
    if (opcode === OP_CHECKSIG || opcode === OP_CHECKSIGVERIFY) checks++;
    if (opcode === OP_CHECKMULTISIG || opcode === OP_CHECKMULTISIGVERIFY) {
      const keys = before - 0x50;
      checks += exact && keys >= 1 && keys <= 16 ? keys : MOST_KEYS;
    }
    before = opcode;
    at = next;
  }
  return checks;
}

/** Signature checks in a transaction's own scripts, without its redeem scripts. Source: Bitcoin. */
export function writtenChecks({ inputs, outputs }: DecodedTransaction): number {
  let checks = 0;
  for (const { scriptSig } of inputs) checks += signatureChecks(scriptSig, { exact: false });
  for (const { script } of outputs) checks += signatureChecks(script, { exact: false });
  return checks;
}

/**
 * Signature checks that a transaction requires: those of its own scripts, and those of the scripts that its inputs redeem. `spent` is in the order of
 * the inputs. Source: Bitcoin, from BIP 16.
 */
export function askedChecks(transaction: DecodedTransaction, spent: readonly TransactionOutput[]): number {
  let checks = writtenChecks(transaction);
  for (const [index, { scriptSig }] of transaction.inputs.entries()) {
    const output = spent[index];
    if (output !== undefined && payToScriptHash(output.script) !== undefined) checks += redeemedChecks(scriptSig);
  }
  return checks;
}

/** Signature checks of the script that an input redeems; none if the input does more than push, because it then redeems nothing. */
export function redeemedChecks(scriptSig: Uint8Array): number {
  if (!isPushOnly(scriptSig)) return 0;
  let redeem: Uint8Array = new Uint8Array(0);
  for (let at = operationAt(scriptSig, 0); at !== undefined; at = operationAt(scriptSig, at.next)) redeem = at.data;
  return signatureChecks(redeem, { exact: true });
}
