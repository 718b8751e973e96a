import { secretHashKey, transactionKey } from '../events/things.ts';

/** Which things of a swap belong to another swap of the node, for a runner that decides. Uuids of swaps; null for its own or nobody's. */
export type Claims = {
  /** Of a secret hash in hex, 20 or 32 bytes. */
  readonly secretHash: (hash: string) => string | null;
  /** Of a fee, a payment or any other transaction, by its id in hex. */
  readonly transaction: (hash: string) => string | null;
};

/** For a swap that is the only one of its node. */
export const NO_CLAIMS: Claims = { secretHash: () => null, transaction: () => null };

/** The same by the holder of each thing's key. */
export function claimsBy(foreign: (key: string) => string | null): Claims {
  const of = (key: string | null) => (key === null ? null : foreign(key));
  return { secretHash: (hash) => of(secretHashKey(hash)), transaction: (hash) => of(transactionKey(hash)) };
}
