import type { LockExpiry, PaymentTerms } from '../../../ports/chain.ts';
import type { AccountTransaction } from './transaction.ts';

/** A payment as a contract keeps it. */
export type KeptPayment = {
  readonly entry: { readonly tx: AccountTransaction };
  /** 1 paid, 2 claimed, 3 refunded; as in KDF's contract, where 0 stands for none. */
  readonly state: 1 | 2 | 3;
  /** Height at which the chain refunds automatically; infinite if it does not. */
  readonly expiry: number;
};

/** The block in which an action happens. */
export type Moment = { readonly height: number; readonly time: number };

/** Who gets the amount of a payment that ends, or why it does not end. */
export type Ending = { readonly ok: true; readonly to: string; readonly reward?: PaidReward } | { readonly ok: false };

/** A part of the amount that goes to someone else; to null it stays in the contract forever. */
export type PaidReward = { readonly to: string | null; readonly amount: bigint };

/** The part of a payment's terms that says how long it is locked. */
export type LockTerms = Pick<PaymentTerms, 'lock' | 'counted'>;

/**
 * The rules by which a chain with accounts keeps payments under hash time locks. They apply at the moment of inclusion, and a refusal is a revert.
 */
export type SwapModule = {
  /** Height at which a payment made now is refunded automatically; undefined for one that is refused. */
  readonly expiryOf: (tx: AccountTransaction, at: Moment) => number | undefined;
  readonly claim: (tx: AccountTransaction, payment: KeptPayment, at: Moment) => Ending;
  readonly refund: (tx: AccountTransaction, payment: KeptPayment, at: Moment) => Ending;
  /** Whether a payment may be ended by its clock as a view of the chain shows it. */
  readonly isRefundable: (lock: { readonly time: number; readonly expiry: number | undefined }, at: Moment) => boolean;
  /** When the lock ends as a view of the chain shows it, in the module's own unit. */
  readonly expiryTold: (lock: { readonly time: number; readonly expiry: number | undefined }, at: Moment) => LockExpiry;
  /** Why a payment made at `paidAt`, in seconds, does not keep its amount as long as its terms demand; null if it does. */
  readonly lockProblem: (tx: AccountTransaction, terms: LockTerms, paidAt: number) => string | null;
  /** The lock of a payment in the contract's form, for one made at `now`, in seconds. */
  readonly lockArguments: (terms: LockTerms, now: number) => { readonly lockTime: number; readonly lockBlocks: number };
  /** Whether a mempool lets a dearer transaction replace one with the same nonce. */
  readonly replaceable: boolean;
  /** Whether payments may promise a reward to anyone who ends them for a party. */
  readonly rewards: boolean;
  /** What a node does with a nonce that is ahead. */
  readonly gaps: 'queue' | 'refuse';
};

export const REFUSED: Ending = { ok: false };
