import type { Answer, FaultKind } from '../../../ports/chain.ts';
import { refused } from '../faults.ts';
import { GONE, type UtxoEntry, type UtxoState } from './state.ts';
import type { UtxoInput, UtxoOutput, UtxoTransaction } from './transaction.ts';
import { conflictDepth } from './views.ts';

/** What a valid transaction takes and pays, regardless of who else takes the same. */
export type Judged = { readonly ok: true; readonly sources: readonly UtxoEntry[]; readonly fee: bigint };

/** Checks a transaction against all rules that do not depend on the mempool. */
export function judge(state: UtxoState, tx: UtxoTransaction): Judged | Exclude<Answer<never>, { ok: true }> {
  const sources: UtxoEntry[] = [];
  let value = 0n;
  for (const input of tx.inputs) {
    const source = state.entries.get(input.txid);
    if (source === undefined || source.height === GONE) {
      if (source !== undefined && conflictDepth(state, source.tx, state.list.truth) > 0) {
        return fault('inputsSpent', `another transaction in the chain took the place of ${input.txid}`);
      }
      // Not the transaction's fault: what it spends may return, so it is worth another try.
      return fault('parentsUnknown', `missing inputs: ${input.txid} is not known`);
    }
    const output = source.tx.outputs[input.vout];
    if (output === undefined) return fault('invalid', `output ${input.vout} of ${input.txid} does not exist`);
    const problem = unlockProblem(tx, input, output);
    if (problem !== null) return fault('invalid', problem);
    if (isTakenTwice(tx, sources, { source, vout: input.vout })) return fault('invalid', 'takes an output twice');
    sources.push(source);
    value += output.value;
  }
  if (sources.length === 0) return fault('invalid', 'has no inputs');
  for (const output of tx.outputs) value -= output.value;
  return value < 0n ? fault('invalid', 'pays out more than it takes') : { ok: true, sources, fee: value };
}

function fault(kind: FaultKind, message: string): Exclude<Answer<never>, { ok: true }> {
  return refused(kind, message) as Exclude<Answer<never>, { ok: true }>;
}

type Outpoint = { readonly source: UtxoEntry; readonly vout: number };

function isTakenTwice(tx: UtxoTransaction, sources: readonly UtxoEntry[], { source, vout }: Outpoint): boolean {
  for (let index = 0; index < sources.length; index++) {
    if (sources[index] === source && tx.inputs[index]?.vout === vout) return true;
  }
  return false;
}

/** Why an input may not take an output, by its script; null if it may. This does not check the chain's clock. */
export function unlockProblem(tx: UtxoTransaction, input: UtxoInput, output: UtxoOutput): string | null {
  const { unlock } = input;
  if (output.kind !== 'key' && output.kind !== 'htlc') return 'nobody can take this output';
  if (unlock.lock !== output.lock) return 'the input script does not fit the output';
  if (!unlock.signed) return 'the signature is not that of the key that the output asks for';
  if (output.kind === 'key') return unlock.by === 'key' ? null : 'the input script does not fit the output';
  if (unlock.by === 'secret')
    return unlock.hashed ? null : 'the secret does not have the hash that the output asks for';
  if (unlock.by !== 'refund') return 'the secret is missing';
  if (input.final) return 'a refund needs a sequence that is not final';
  return tx.lockTime < unlock.lockTime ? 'the lock time is before that of the payment' : null;
}

/** Whether a block after one with this median time past may hold the transaction (BIP 113). */
export function isFinal(tx: UtxoTransaction, median: number): boolean {
  return tx.lockTime < median || tx.inputs.every(({ final }) => final);
}
