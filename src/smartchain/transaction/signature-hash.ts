import {
  signatureHasher as hasherOf,
  type SignableTransaction,
  type SignatureHasher,
} from '../../htlc/signature-hash.ts';
import { formOf, type Transaction } from './transaction.ts';

/** The signature hashes of a transaction by the form of its version; see `signatureHasher` of `swapfold/htlc`. */
export function signatureHasher(transaction: Transaction): SignatureHasher {
  return hasherOf(signable(transaction));
}

function signable(transaction: Transaction): SignableTransaction {
  const { version, versionGroupId, inputs, outputs, lockTime, expiryHeight, shielded } = transaction;
  const { valueBalance } = shielded;
  const format = formOf(transaction);
  return { format, version, versionGroupId, inputs, outputs, lockTime, expiryHeight, valueBalance, shielded };
}
