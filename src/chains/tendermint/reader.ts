import type { StoredHtlc } from '../../htlc/tendermint-stored.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import type { News } from '../accounts/feed.ts';

// Hex is lower case; addresses are as the chain writes them; amounts are in base units.

/** What a node said when it did not take a transaction: a code of its application, by its codespace; null where the node itself refuses. */
export type TendermintRefusal = { readonly code: number | null; readonly codespace: string; readonly message: string };

/** A block of the chain. */
export type TendermintBlock = {
  readonly height: number;
  /** 64 hex digits. */
  readonly hash: string;
  readonly time: UnixSeconds;
};

/** An account's number and sequence; a signature needs both. */
export type AccountState = {
  readonly number: bigint;
  readonly sequence: number;
  /** Whether some of its coins vest over time. @defaultValue false */
  readonly isVesting?: boolean;
};

/** A transaction in a block. Code 0 is success; any other has cost its fee and its sequence. */
export type Included = { readonly id: string; readonly height: number; readonly code: number; readonly hex: string };

/** What to search for among the events of a payment. */
export type PaymentEvent = { readonly kind: 'create' | 'claim'; readonly id: string };

/**
 * One look at the chain. What is asked of its state is answered as of its head, also where more blocks came since, so that all answers of a look fit
 * together. Each question fails with `BackendSilent` where nobody answers.
 */
export interface TendermintLook {
  readonly head: TendermintBlock;
  /** Whether a quorum backs its answers; otherwise they settle nothing. */
  readonly settled: boolean;
  /** Null for an account that never held anything; `at` a block at or below the head. @defaultValue the head */
  account(address: string, at?: number): Promise<AccountState | null>;
  /** `unlocked`: without coins that vest later. @defaultValue all of it */
  balance(owned: { readonly address: string; readonly denom: string; readonly unlocked?: boolean }): Promise<bigint>;
  /** The payment of this id, in upper case, that the HTLC module keeps; null for none. */
  payment(id: string): Promise<StoredHtlc | null>;
  /** A transaction in a block up to the head, by its id; null if there is none. */
  included(id: string): Promise<Included | null>;
  /** Ids of the transactions with events of a payment, as far as nodes have indexed them. */
  search(event: PaymentEvent): Promise<readonly string[]>;
  block(height: number): Promise<TendermintBlock | null>;
  /** Bytes of all transactions of a block at or below the head. */
  contents(height: number): Promise<readonly string[]>;
  /** Bytes of the mempool; none if nodes do not show it. */
  waiting(): Promise<readonly string[]>;
  /** A node's estimate of its gas; null if it gives none. */
  gas(hex: string): Promise<bigint | null>;
}

/** The best chain and its mempool, as far as a wallet needs them. */
export interface TendermintReader {
  /**
   * A look by which money may move; or, with `few`, one by as many as there are, though they may be too few.
   *
   * @throws BackendSilent; TooFew, Disagreement
   */
  look(few?: boolean): Promise<TendermintLook>;
  /** Calls when a node announces a new block. @defaultValue none does */
  readonly news?: News;
  /** Null for taken. @throws BackendSilent where nobody knows whether it was */
  send(hex: string): Promise<TendermintRefusal | null>;
}
