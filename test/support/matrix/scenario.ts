import type { Leg } from './chain.ts';
import type { Side } from './sides.ts';

/** Where a swap stands, by what the nodes of the chains and the messages of the parties show. */
export type Stage =
  | 'asked'
  | 'replied'
  | 'feeSeen'
  | 'makerPaymentSeen'
  | 'makerPaymentMined'
  | 'takerPaymentSeen'
  | 'takerPaymentMined'
  | 'watched'
  | 'takerPaymentTaken'
  | 'takerPaymentTakenMined'
  | 'makerPaymentTaken'
  | 'makerPaymentTakenMined'
  /** A trading fee, or the refund of a payment, is in a block. */
  | 'feeMined'
  | 'takerPaymentBack'
  | 'makerPaymentBack';

/** What happens, as data. All times in minutes but where they say otherwise. */
export type Deed =
  | { readonly do: 'die' | 'revive'; readonly side: Side }
  /** The last blocks are given up; `forgotten`: what they held waits nowhere, until somebody sends it again. */
  | { readonly do: 'reorg'; readonly leg: Leg; readonly depth: number; readonly forgotten: boolean }
  | { readonly do: 'restart'; readonly leg: Leg }
  /** The same, and from then on the node relays nothing below this, in base units for each virtual byte. */
  | { readonly do: 'floor'; readonly leg: Leg; readonly rate: number }
  /** What is asked of the node is not answered; by one side, or by all. */
  | { readonly do: 'outage'; readonly leg: Leg; readonly side?: Side; readonly minutes: number }
  /** The same of one of two servers; nothing where a side has no two. */
  | { readonly do: 'halve'; readonly leg: Leg; readonly side: Side; readonly minutes: number }
  | { readonly do: 'slow'; readonly leg: Leg; readonly seconds: number }
  /** What miners take at least, in base units for each virtual byte. */
  | { readonly do: 'dear'; readonly leg: Leg; readonly rate: number; readonly minutes: number }
  /**
   * On a chain with accounts: what a block asks for rises by an eighth with each of them up to this, in gwei, stays there for a while, and falls
   * again as quickly.
   */
  | { readonly do: 'rise'; readonly leg: Leg; readonly to: number; readonly minutes: number }
  /**
   * There too: the node, or every other answer of it, knows only blocks that were there so many seconds before its last one. What is sent to it comes
   * to miners all the same. For one side, or all.
   */
  | {
      readonly do: 'past';
      readonly leg: Leg;
      readonly side?: Leg;
      readonly seconds: number;
      readonly mixed: boolean;
      readonly minutes: number;
    }
  /** The times of new blocks stand still, or run ahead of everybody's. */
  | { readonly do: 'chainStands'; readonly leg: Leg; readonly minutes: number }
  | { readonly do: 'chainJumps'; readonly leg: Leg; readonly seconds: number }
  | { readonly do: 'hostStands'; readonly side: Side }
  | { readonly do: 'hostSet'; readonly side: Side; readonly by: number }
  /** On a chain with accounts, every call of the swap contract fails: by a refusal, or with all of its gas. */
  | { readonly do: 'break'; readonly leg: Leg; readonly by: 'refusal' | 'gas'; readonly minutes: number }
  /** Somebody who has the key of a wallet as well sends from it, with the nonce of what waits. */
  | { readonly do: 'steal'; readonly leg: Leg; readonly side: Leg }
  /** The swap contract may move nothing of a wallet's tokens any more. */
  | { readonly do: 'disallow'; readonly leg: Leg; readonly side: Leg }
  /** The token moves nothing, or keeps a part of what it moves. */
  | { readonly do: 'spoil'; readonly leg: Leg; readonly by: 'pause' | 'tax'; readonly minutes: number }
  /**
   * From now on somebody with the taker’s keys reads every secret that a transaction of the taker coin shows, whatever becomes of it, and takes the
   * maker's payment where the taker's is not there to be claimed. On a chain of outputs nobody does; the judge knows of the secret.
   */
  | { readonly do: 'snatch' }
  | { readonly do: 'wait'; readonly minutes: number };

export type Step = { readonly at: Stage; readonly deeds: readonly Deed[] };

/** How a party departs from the protocol. The judge holds nothing for it. */
export type Cheat =
  | { readonly side: 'maker'; readonly with: 'amount' | 'lock' | 'hash' | 'key' | 'offeredLock' | 'secretReused' }
  | { readonly side: 'taker'; readonly with: 'amount' | 'lock' | 'key' | 'fee' };

/** What becomes of a payment; `mixed` where those of several swaps differ, or one is not made. */
export type Fate = 'none' | 'claimed' | 'refunded' | 'left' | 'mixed';

/** How a run may end: what becomes of the payment of each side, and whether the trading fee was paid. */
export type End = { readonly maker: Fate; readonly taker: Fate; readonly fee: boolean };

export type Scenario = {
  readonly name: string;
  /** Which class of ends it belongs to; a sample holds some of each. */
  readonly path: string;
  readonly steps: readonly Step[];
  readonly ends: readonly End[];
  readonly cheats?: Cheat;
  /** Which coin must be on a chain with accounts, and whether it must be a token there. @defaultValue none */
  readonly needs?: { readonly leg: Leg; readonly token: boolean };
  /** The name by which a wallet refuses the coin; it plays nothing then. @defaultValue none does */
  readonly refused?: { readonly leg: Leg; readonly by: 'tax'; readonly code: string };
  readonly watched?: boolean;
  /** Swaps of the same two wallets that begin together. @defaultValue 1 */
  readonly swaps?: 1 | 2;
  /** Whether the nodes replace what waits. @defaultValue true where they can */
  readonly replaces?: boolean;
  /** The taker has too little, or the maker. @defaultValue nobody has */
  readonly poor?: Leg;
  /** A side that never starts. @defaultValue both do */
  readonly absent?: Leg;
  /** The run is over after so long, whatever is still open. @defaultValue 420 */
  readonly minutes?: number;
  /** Transactions beside the usual ones that may come to nothing. @defaultValue none */
  readonly inVain?: number;
  /** What is done once more while somebody who was killed is away; `of`: which side that is, null for either. @defaultValue nothing is */
  readonly again?: { readonly of: Leg | null; readonly deeds: readonly Deed[] };
};
