import type { Reward } from '../../../src/htlc/evm-reward-calls.ts';
import type { Standing } from '../laws/draft.ts';

/** Who has an account of its own in each sequence. */
export const ROLES = ['sender', 'receiver', 'stranger'] as const;
export type Role = (typeof ROLES)[number];

/** What a payment is agreed to be. Its secret follows from its place among those of the sequence. */
export type Agreed = {
  readonly from: Role;
  readonly to: Role | 'nobody';
  /** In base units. */
  readonly amount: bigint;
  /** In seconds since 1970. */
  readonly lock: number;
  /** What of the amount it promises to whoever ends it for a party; null for a plain payment. */
  readonly reward: Reward | null;
};

export type DraftCall =
  | { readonly kind: 'transfer'; readonly to: Role }
  | { readonly kind: 'payment'; readonly agreed: number; readonly to: Role | 'nobody' }
  /** `party`: whom it names as the payment's other side. */
  | {
      readonly kind: 'claim' | 'refund';
      readonly agreed: number;
      readonly secret: 'right' | 'wrong';
      readonly party: Role;
      readonly amount: bigint;
      /** By the functions for anybody: for whom it is ended, and the reward that it names. Null by the plain ones. */
      readonly forParty: { readonly owner: Role; readonly reward: Reward } | null;
    };

/** A transaction as both chains are to be given it; ids, accounts and signatures are each chain's own. */
export type Draft = {
  readonly by: Role;
  readonly nonce: number;
  /** Base units for each unit of gas. */
  readonly price: number;
  readonly gas: number;
  readonly value: bigint;
  readonly call: DraftCall;
};

/** What each account has at the beginning, and the price from which on nodes relay. */
export const FUNDS = 10n ** 19n;
export const LEAST_PRICE = 2000;
/** More than a transaction costs by itself, and less than any call of the contract uses. */
export const SHORT_GAS = 28_000;
export const NO_GAS = 15_000;
export const ENOUGH_GAS = { transfer: 21_000, payment: 65_000, claim: 65_000, refund: 100_000 } as const;

/** What a chain says to a transaction, in the words of the chain port. */
export type Verdict =
  | 'sent'
  | 'known'
  | 'confirmed'
  | 'invalid'
  | 'feeTooLow'
  | 'insufficientFunds'
  | 'nonceUsed'
  | 'nonceGap'
  | 'other';

/** Where a draft is: the height of its block, 0 while it waits, null where the chain does not hold it. */
export type Place = { readonly at: number | null; readonly failed: boolean };
export const NOWHERE: Place = { at: null, failed: false };

/** As the contract keeps it: nothing, paid, claimed, refunded. */
export type Kept = 0 | 1 | 2 | 3;

/** The drafts of one sequence with the place of each, from which all else follows. */
export class Book {
  readonly drafts: Draft[] = [];
  readonly agreed: Agreed[] = [];
  readonly places: Place[] = [];
  /** What waits, in the order in which it came. */
  order: number[] = [];
  tip = 0;

  standing(tx: number): Standing {
    const { at } = this.places[tx] ?? NOWHERE;
    return at === null || at === 0 ? at : this.tip - at + 1;
  }

  /** The next nonce of an account by its blocks. */
  used(by: Role): number {
    return this.drafts.filter((draft, tx) => draft.by === by && (this.standing(tx) ?? 0) > 0).length;
  }

  /** What waits with this nonce. */
  rival(by: Role, nonce: number): number | undefined {
    return this.order.find((tx) => this.drafts[tx]?.by === by && this.drafts[tx]?.nonce === nonce);
  }

  /** The least nonce that neither a block nor anything that waits has. */
  free(by: Role): number {
    let nonce = this.used(by);
    while (this.rival(by, nonce) !== undefined) nonce += 1;
    return nonce;
  }

  /** What took the nonce of a draft in a block. */
  takerOf(tx: number): number | undefined {
    const { by, nonce } = this.drafts[tx] as Draft;
    const found = this.drafts.findIndex(
      (draft, other) => other !== tx && draft.by === by && draft.nonce === nonce && (this.standing(other) ?? 0) > 0,
    );
    return found < 0 ? undefined : found;
  }

  /** By the transactions in blocks that had their effect. */
  kept(agreed: number): Kept {
    let kept: Kept = 0;
    for (const [tx, { call }] of this.drafts.entries()) {
      const { at, failed } = this.places[tx] ?? NOWHERE;
      if (at === null || at === 0 || failed || call.kind === 'transfer' || call.agreed !== agreed) continue;
      const end: Kept = call.kind === 'payment' ? 1 : call.kind === 'claim' ? 2 : 3;
      if (end > kept) kept = end;
    }
    return kept;
  }
}
