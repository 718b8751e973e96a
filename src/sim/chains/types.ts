import type { Reward } from '../../htlc/evm-reward-calls.ts';
import type { NetworkProfile } from '../../htlc/network-profile.ts';
import type { ScriptScheme } from '../../htlc/script.ts';
import type {
  Answer,
  Chain,
  ChainFeed,
  FeeCheck,
  FeedNews,
  ForSwap,
  Hold,
  PaymentQuery,
  PaymentTerms,
  PaymentView,
  PreparedTransaction,
  PrepareRequest,
  Quote,
  Sending,
  SignedTransaction,
  TransactionView,
} from '../../ports/chain.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { Rng } from '../xorshift.ts';

/**
 * How true to life transactions are. `real`: the bytes, scripts and ids of a real chain, with signatures that only look real. `compact`: short hex
 * with a cheap id, for simulations by the million. Everything else behaves alike.
 */
export type Fidelity = 'real' | 'compact';

export type SimChainKind = 'utxo' | 'account' | 'autoRefund';

export type SimChainOptions = {
  /** Ticker. */
  readonly coin: string;
  /** @defaultValue 'compact' */
  readonly fidelity?: Fidelity;
  /** True time of the simulated world. Never goes back. */
  readonly now: () => UnixSeconds;
  /** Source of every choice that the chain and its nodes make. */
  readonly rng: Rng;
  /** Height of the tip before the first block is mined, at least 11. @defaultValue 1000 */
  readonly startHeight?: number;
  /** Nominal time between blocks, in seconds. @defaultValue 60 */
  readonly blockTime?: Seconds;
  /** Digits after the point of one coin unit. @defaultValue 8 */
  readonly decimals?: number;
  /** Least amount that can be sent, in base units. @defaultValue 1000 for UTXO chains, 1 for the others */
  readonly minTxAmount?: bigint;
  /** Confirmations after which a spend counts as final. @defaultValue 3 */
  readonly finality?: number;
  /**
   * Price of one byte or one unit of gas at urgency 0, in base units; nodes relay from half of it on.
   * @defaultValue 2 for UTXO chains, 1 for the others
   */
  readonly feeRate?: number;
  /** Every so many heights a block is notarized, on UTXO chains. @defaultValue none, and the chain cannot tell */
  readonly notariseEvery?: number;
  /** How payments commit to their script, on UTXO chains of real fidelity. @defaultValue 'p2sh' */
  readonly scheme?: ScriptScheme;
  /** The network whose fee address receives fees, on UTXO chains of real fidelity. @defaultValue KDF's network */
  readonly network?: NetworkProfile;
};

export type AccountChainOptions = SimChainOptions & {
  /** What nodes do with a transaction whose nonce is ahead: keep it until the gap closes, or forget it. @defaultValue 'queue' */
  readonly gaps?: 'queue' | 'refuse';
  /** Whether the swap contract has the functions that pay whoever acts for a party. @defaultValue false */
  readonly rewards?: boolean;
};

export type SimWalletOptions = {
  /** Name of the owner; the ledger is asked by it. A second wallet of one name is the same wallet on a node of its own. */
  readonly party: string;
  /** What the wallet holds at the start, confirmed. @defaultValue 0 */
  readonly funds?: DecimalText;
  /** Number of outputs that hold the funds on a UTXO chain. @defaultValue 4 */
  readonly coins?: number;
  /** Whether each swap has its own key on a UTXO chain. Chains with accounts use the account's key. @defaultValue false */
  readonly keyPerSwap?: boolean;
};

/** What a transaction is for, told by its bytes. `transfer` moves coins to someone else without a purpose of a swap. */
export type SeenPurpose = 'fee' | 'payment' | 'claim' | 'refund' | 'void' | 'transfer';

type During = {
  /** In force at and after this moment of the world. */
  readonly from: UnixSeconds;
  /** No longer in force at and after this moment. */
  readonly until: UnixSeconds;
};

type View = {
  /** Blocks behind the tip. @defaultValue 0 */
  readonly blocks?: number;
  /** Seconds behind the world: blocks and mempool entries that arrived later are not seen. @defaultValue 0 */
  readonly seconds?: Seconds;
};

/** What a lying node claims: the payment away, there, or deep in the chain; its spend away; its lock passed. */
export type Lie = 'absent' | 'present' | 'confirmed' | 'spendHidden' | 'refundable';

/**
 * What is wrong with the node that one wallet asks.
 *
 * - `outage`: nothing is answered.
 * - `flaky`: one call in `oneIn` is not answered.
 * - `lag`: the node sees the past.
 * - `contradiction`: two nodes are asked, one of which sees the past; if their answers differ, there is none.
 * - `lie`: the node says what is untrue. Only for scenarios that give up the assumption of an honest node.
 * - `shallow`: the adapter has read only the last blocks, as after a restart, and does not know what would be in earlier ones.
 * - `doubt`: too few servers answer to be believed. Answers about a payment are doubtful ({@link ChainFault.doubtful}), a claim or a refund that
 *   accepts this is prepared and sent, and nothing else is answered. `says`: the one that answers lies; `keeps`: it forwards nothing that it is sent.
 * - `slow`: answers come this much later, and say what was true when they were asked for. The caller must wait: the wallet answers at once.
 * - `broadcast`: `lost` answers that it was sent and tells nobody, `unanswered` tells the network and not the caller, `refused` does neither.
 */
export type NodeFault = During &
  (
    | { readonly kind: 'outage' }
    | { readonly kind: 'flaky'; readonly oneIn: number }
    | ({ readonly kind: 'lag' } & View)
    | ({ readonly kind: 'contradiction' } & View)
    | { readonly kind: 'shallow'; readonly blocks: number }
    | { readonly kind: 'doubt'; readonly says?: Lie; readonly keeps?: boolean }
    | { readonly kind: 'slow'; readonly seconds: Seconds }
    /** `sender`: key of the payer about whose payments the node lies. @defaultValue all */
    | { readonly kind: 'lie'; readonly says: Lie; readonly sender?: string }
    | {
        readonly kind: 'broadcast';
        readonly effect: 'lost' | 'unanswered' | 'refused';
        /** @defaultValue 1: every broadcast */
        readonly oneIn?: number;
        /** @defaultValue all */
        readonly purposes?: readonly SeenPurpose[];
      }
  );

/**
 * What is wrong with the whole network.
 *
 * - `feeSpike`: relaying and mining cost `factor` times as much.
 * - `censor`: no miner includes transactions of these purposes.
 * - `warp`: miners write block times this far ahead of the world, or behind it, as far as the rules permit: never at or below the bound of the chain
 *   (median time past, or the tip's time on accounts).
 * - `noReplacement`: no node lets a transaction replace one that waits (UTXO chains).
 * - `revert`: transactions of these purposes run out of gas when they are included (chains with accounts).
 */
export type NetworkFault = During &
  (
    | { readonly kind: 'feeSpike'; readonly factor: number }
    | { readonly kind: 'noReplacement' }
    | { readonly kind: 'warp'; readonly seconds: Seconds }
    | { readonly kind: 'censor'; readonly purposes: readonly SeenPurpose[] }
    /** `oneIn` defaults to 1: all of them. */
    | { readonly kind: 'revert'; readonly purposes: readonly SeenPurpose[]; readonly oneIn?: number }
  );

export type MineOptions = {
  /**
   * The block's own time. Above the median time past on a UTXO chain, above the tip's on the others, at most two hours ahead of the world.
   * @defaultValue the world's time, or the least that is allowed
   */
  readonly time?: UnixSeconds;
  /** Which transactions of the mempool are included, where the rules permit. @defaultValue all */
  readonly include?: 'all' | 'none' | ((hash: string) => boolean);
  /** Transactions, in hex, that the miner includes first although they are in no mempool; conflicting ones are evicted. */
  readonly extra?: readonly string[];
};

export type MinedBlock = {
  readonly height: number;
  readonly time: UnixSeconds;
  /** Ids in the order of the block. */
  readonly transactions: readonly string[];
};

export type ReorgOptions = {
  /** Blocks that are disconnected; no more than were mined. */
  readonly depth: number;
  /** Disconnected transactions that do not return to the mempool; what depends on them is lost too. @defaultValue none */
  readonly drop?: 'all' | readonly string[];
  /** The new branch. @defaultValue one empty block more than are disconnected */
  readonly blocks?: readonly MineOptions[];
};

/**
 * A simulated chain with its mempool: one truth, which every wallet sees through its own node.
 *
 * - K1: it takes bytes only; a transaction is what its hex says.
 * - K2: whatever happens, no coin is made or lost: balances, locked payments, fees and burns add up to what was funded.
 * - K3: equal calls in equal order give equal bytes; all choices come from the given generator.
 */
export interface SimChain {
  readonly kind: SimChainKind;
  readonly coin: string;
  readonly ledger: SimLedger;
  /** Height of the tip. */
  height(): number;
  /** The clock by which locks are judged: median time past, or the time of the tip. */
  clock(): UnixSeconds;
  wallet(options: SimWalletOptions): SimWallet;
  /** Adds a block. @throws RangeError for a time that the rules forbid. */
  mine(options?: MineOptions): MinedBlock;
  /** Replaces the last blocks by the returned ones; subscribers see the result alone. @throws RangeError for too great a depth. */
  reorg(options: ReorgOptions): readonly MinedBlock[];
  /** Removes a transaction and what depends on it from the mempool. False if it is not there. */
  drop(hash: string): boolean;
  /** Drops what has waited in the mempool since before this moment of the world; the ids. */
  expire(before: UnixSeconds): readonly string[];
  /** Hands a transaction to the network, bypassing every node and its faults. */
  submit(txHex: string): Answer<'sent' | 'known' | 'confirmed'>;
  /**
   * Attaches this many transactions at the least price to one that waits, each spending the one before, back to the same wallet; as many as nodes
   * accept. None on chains with accounts.
   */
  burden(hash: string, children: number): number;
  /** Replaces the faults of the network. */
  setFaults(faults: readonly NetworkFault[]): void;
}

/** The wallet of one party on one chain, behind a node that may have faults. Answers come at once. */
export interface SimWallet extends Chain, ChainFeed {
  readonly party: string;
  quote(): Answer<Quote>;
  payment(query: PaymentQuery): Answer<PaymentView>;
  transaction(hash: string): Answer<TransactionView>;
  /** @defaultValue for a swap that nobody names */
  checkFee(check: FeeCheck, forSwap?: ForSwap): Answer<string | null>;
  /** @defaultValue for a swap that nobody names */
  prepare(request: PrepareRequest, forSwap?: ForSwap): Answer<PreparedTransaction>;
  hold(hold: Hold): void;
  /** `everyBlock`: also of blocks that change nothing for anyone. @defaultValue of those that may matter to a swap */
  subscribe(
    onChange: (news?: FeedNews) => void,
    options?: { readonly everyBlock?: boolean },
  ): { readonly close: () => void };
  resumed(): void;
  broadcast(transaction: SignedTransaction, sending?: Sending): Answer<'sent' | 'known' | 'confirmed'>;
  /** How long an answer takes now, in seconds; 0 unless the node is slow. */
  latency(): Seconds;
  /** Replaces the faults of this wallet's node. */
  setFaults(faults: readonly NodeFault[]): void;
  /** Forgets what only a process's memory holds: reservations, amounts held, and subscribers. */
  restart(): void;
}

/** In base units. */
export type Balance = {
  /** What the best chain holds. */
  readonly confirmed: bigint;
  /** The same, as if everything in the mempool had confirmed. */
  readonly pending: bigint;
};

/** A transaction that was ever in the mempool or in a block. */
export type SeenTransaction = {
  readonly hash: string;
  readonly hex: string;
  readonly purpose: SeenPurpose;
  /** Who signed it; null for a stranger. */
  readonly party: string | null;
  /** Whose wallet first handed it to the network; null for a stranger's, and for one with which a wallet fills a nonce on its own. */
  readonly submittedBy: string | null;
  /** Identity of the payment that it funds or spends; null for others. Equal for equal terms on one chain. */
  readonly lock: string | null;
  readonly status: 'mempool' | 'confirmed' | 'reverted' | 'gone';
  /** Whether any block ever held it, also one that was disconnected. */
  readonly everMined: boolean;
  /** 0 unless in a block of the best chain. */
  readonly confirmations: number;
  /** In base units: what it offers in the mempool, what it paid in a block. */
  readonly fee: bigint;
  readonly firstSeen: UnixSeconds;
  /** What it promises, or names as promised, to anyone who ends a payment for a party, in base units. @defaultValue nothing: a plain one */
  readonly reward?: Reward;
};

export type PaymentState = {
  readonly lock: string;
  /** Valid fundings in the best chain or the mempool, in order of arrival; more than one is a double payment. */
  readonly fundings: readonly { readonly hash: string; readonly confirmations: number }[];
  /** Of the first funding that is spent, in the best chain or the mempool. */
  readonly spend: {
    readonly how: 'secret' | 'refund';
    /** Null if the chain refunds automatically. */
    readonly hash: string | null;
    readonly submittedBy: string | null;
    readonly confirmations: number;
  } | null;
  /** When the network received the block in which the chain itself refunded the payment; null if it did not. */
  readonly returnedAt: UnixSeconds | null;
  /** Height at which the chain refunds the payment automatically; null if it does not, or holds none. */
  readonly expiry: number | null;
};

/** A payment that a party made, by the best chain alone. Amounts in base units. */
export type PaidOut = {
  /** Of the transaction that funds it. */
  readonly hash: string;
  readonly lock: string;
  /** What it owes its receiver. */
  readonly amount: bigint;
  /** Its receiver; null for a stranger. @defaultValue not told, on chains of outputs */
  readonly to?: string | null;
  /** What the blocks say became of it: `taken` by someone who knew the secret, or `back` with its sender. */
  readonly end: 'open' | 'taken' | 'back';
};

/** What has left a party's wallet besides network fees, by the best chain alone. */
export type Outlay = {
  readonly payments: readonly PaidOut[];
  /** Trading fees, burned parts included; in base units. */
  readonly dexFees: bigint;
  /** How many transactions paid a trading fee. */
  readonly dexFeeCount: number;
};

/** The truth about a chain, for invariants, without nodes and faults in between. Amounts in base units. */
export interface SimLedger {
  /** Zero for an unknown party. */
  balance(party: string): Balance;
  /** What the party received at the start. */
  funded(party: string): bigint;
  /** Fees of the party's transactions in the best chain, reverted ones included. */
  feesPaid(party: string): bigint;
  /** In order of arrival. @defaultValue of all parties */
  transactions(party?: string): readonly SeenTransaction[];
  /** By id; null if it was never in the mempool or in a block. */
  transaction(hash: string): SeenTransaction | null;
  /** What a transaction is for, by its bytes in hex, whether the network has it or not; null for what cannot be read. */
  purposeOf(txHex: string): SeenPurpose | null;
  /** What a transaction that was seen would pay at urgency 0 by the price of the day, in base units; 0 for an unknown one. */
  dayFee(hash: string): bigint;
  payment(terms: PaymentTerms): PaymentState;
  outlay(party: string): Outlay;
  /** Null if K2 holds, else what does not add up. */
  imbalance(): string | null;
}
