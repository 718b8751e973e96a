import { parseHtlcInput } from '../../../htlc/htlc-input.ts';
import { secretHashMatches } from '../../../htlc/secret-hash.ts';
import {
  type DecodedTransaction,
  decodeTransaction,
  isTransactionProblem,
  type TransactionInput,
} from '../../../htlc/transaction.ts';
import { inputsOfUnread } from '../../../htlc/unread-inputs.ts';
import { hexToBytes } from '../../../primitives/hex.ts';
import { type ElectrumVoice, Unsteady } from './panel.ts';

/** Bytes of one transaction as one server sent them: null for a form that is not read, which stands in `unread`. */
export type Version = { readonly voice: ElectrumVoice; readonly hex: string | null; readonly unread?: string };

/**
 * The bytes that hold, of what servers sent so far; undefined while others that tell of the transaction must be asked too.
 *
 * The id covers all but the witnesses. Whoever passes a transaction on may take these out or put in others, and so hide how a payment was claimed. Where
 * an input depends on one, that version holds which shows the secret of a payment, since nobody can make one up, or else what two servers send alike.
 */
export function settledVersion(versions: readonly Version[]): string | undefined {
  const read = versions.flatMap(({ hex }) => hex ?? []);
  return read.find(
    (hex, place) => !needsWitness(hex) || showsSecret(hex) || (hasWitnesses(hex) && read.indexOf(hex) < place),
  );
}

/** Once all were asked and nothing is settled: what all of them send, which may be one alone. @throws Unsteady where they differ */
export function onlyVersion(txid: string, versions: readonly Version[]): string | undefined {
  const [first, ...others] = new Set(versions.flatMap(({ hex }) => hex ?? []));
  if (others.length === 0) return first;
  throw new Unsteady(`servers send different witnesses of ${txid}`);
}

function needsWitness(hex: string): boolean {
  return inputsOf(hex).some(({ scriptSig }) => scriptSig.length === 0);
}

/** Whether every input that has no script has a witness: without either it takes nothing that a key or a script holds. */
function hasWitnesses(hex: string): boolean {
  return inputsOf(hex).every(({ scriptSig, witness = [] }) => scriptSig.length > 0 || witness.length > 0);
}

function showsSecret(hex: string): boolean {
  return inputsOf(hex).some(isClaim);
}

function isClaim(input: TransactionInput): boolean {
  const taken = parseHtlcInput(input);
  return taken?.kind === 'spend' && secretHashMatches(taken.secret, taken.terms.secretHash);
}

/**
 * What a transaction takes with the secret, in a form that is not read. Its bytes need not be those of its id, but nobody can make up a secret. Undefined where
 * it takes nothing so.
 */
export function claimsInUnread(versions: readonly Version[]): Claims | undefined {
  for (const { unread } of versions) {
    const inputs = unread === undefined ? [] : (inputsOfUnread(hexToBytes(unread)) ?? []).filter(isClaim);
    if (unread !== undefined && inputs.length > 0) return { hex: unread, inputs: () => inputs };
  }
  return undefined;
}

type Claims = { readonly hex: string; readonly inputs: () => readonly TransactionInput[] };

function inputsOf(hex: string): DecodedTransaction['inputs'] {
  const tx = decodeTransaction(hexToBytes(hex));
  return isTransactionProblem(tx) ? [] : tx.inputs;
}
