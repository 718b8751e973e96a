import { secretHashKey, transactionKey } from '../events/things.ts';
import type { SignedTransaction } from '../ports/chain.ts';
import type { Millis } from '../primitives/time.ts';

/**
 * Which things of a swap belong to another swap of the node, for a deciding runner. Swap uuids; null for its own or
 * unclaimed things.
 */
export type Claims = {
  /** Of a secret hash in hex, 20 or 32 bytes. */
  readonly secretHash: (hash: string) => string | null;
  /** Of a fee, a payment or any other transaction, by its id in hex. */
  readonly transaction: (hash: string) => string | null;
  /**
   * Fees of other swaps that were paid in a coin and accepted by a node, oldest first: while one of them is lost,
   * transactions that spend its change must wait for it, as must every later nonce of an account. @defaultValue none
   */
  readonly fees?: (coin: string) => readonly PaidFee[];
};

/** A fee as its swap's log holds it. */
export type PaidFee = { readonly tx: SignedTransaction; readonly preparedAt: Millis };

/** For the only swap of a node. */
export const NO_CLAIMS: Claims = { secretHash: () => null, transaction: () => null };

/** The same by the holder of each thing's key. */
export function claimsBy(foreign: (key: string) => string | null): Claims {
  const of = (key: string | null) => (key === null ? null : foreign(key));
  return { secretHash: (hash) => of(secretHashKey(hash)), transaction: (hash) => of(transactionKey(hash)) };
}
