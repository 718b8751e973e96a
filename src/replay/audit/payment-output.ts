import { htlcRedeemScript, htlcTermsProblem, OP_RETURN } from '../../htlc/script.ts';
import type { TransactionOutput } from '../../htlc/transaction.ts';
import { unixSecondsOf } from '../../primitives/time.ts';
import type { AuditedPayment, AuditedSwap } from './swap-view.ts';
import { notUtxo } from './transactions.ts';

/** A value that the log gives, or why it does not. */
export type Derived<Value> = { readonly value: Value } | { readonly missing: string };

/** Terms that no payment can have, whatever the chain says. */
export type ImpossibleTerms = { readonly impossible: string };

export function isMissing(derived: object): derived is { readonly missing: string } {
  return 'missing' in derived;
}

const QTUM_OP_CALL = 0xc2;

/** The first output of a payment on a UTXO chain, which holds the locked amount. */
export function lockedOutput(payment: AuditedPayment): Derived<TransactionOutput> {
  const { transaction } = payment;
  if (transaction === undefined) return { missing: `the log holds no payment of the ${payment.payer}` };
  const output = transaction.utxo?.outputs[0];
  if (output === undefined) return { missing: notUtxo(transaction) };
  if (output.script[0] === OP_RETURN || output.script.at(-1) === QTUM_OP_CALL) {
    return { missing: 'the payment moves a token, whose terms are not in an output of its own' };
  }
  return { value: output };
}

type Rebuilt = Derived<Uint8Array> | ImpossibleTerms;

// Several checks ask for the same ones, and a script with its keys checked costs more than most of them.
const rebuilt = new WeakMap<AuditedPayment, Rebuilt>();

/** The redeem script of a payment of the swap, made from the keys, the lock and the secret hash of the log. */
export function rebuiltScript(swap: AuditedSwap, payment: AuditedPayment): Rebuilt {
  const known = rebuilt.get(payment) ?? rebuild(swap, payment);
  rebuilt.set(payment, known);
  return known;
}

function rebuild(swap: AuditedSwap, payment: AuditedPayment): Rebuilt {
  const { payer, senderKey, receiverKey, lockTime } = payment;
  const { secretHash } = swap;
  const receiver = payer === 'maker' ? 'taker' : 'maker';
  if (senderKey === undefined) return { missing: noKey(payer, payment) };
  if (receiverKey === undefined) return { missing: noKey(receiver, payment) };
  if (lockTime === undefined) return { missing: `the log does not say until when the ${payer}'s payment is locked` };
  if (secretHash === undefined) return { missing: 'the log holds neither the secret hash nor the secret' };
  const terms = { senderKey, receiverKey, secretHash, lockTime: unixSecondsOf(lockTime) };
  const problem = htlcTermsProblem(terms);
  return problem === undefined ? { value: htlcRedeemScript(terms) } : { impossible: problem };
}

function noKey(party: string, { payer }: AuditedPayment): string {
  return `the log does not hold the key of the ${party} for the ${payer} coin`;
}
