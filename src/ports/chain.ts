import type { StoredTransaction } from '../events/payloads.ts';
import type { RewardRole } from '../htlc/reward-role.ts';
import type { ScriptScheme } from '../htlc/script.ts';
import type { DecimalText } from '../primitives/decimal.ts';
import type { Height, Seconds, UnixSeconds } from '../primitives/time.ts';
import type { Awaitable } from './event-log.ts';

/**
 * Why a question to a chain had no useful answer. The adapter classifies; no code above it reads the text.
 *
 * - `unavailable`: no answer, or none in time. What was sent may still have arrived.
 * - `unknown`: the adapter has not seen enough to tell, for example while it still reads a history. Never “there is
 *   none”.
 * - `disagreement`: the asked nodes contradict one another, so there is no answer.
 * - `insufficientFunds`: the wallet cannot pay this amount with its fee, not even once everything that it waits for has
 *   arrived.
 * - `coinsPromised`: the wallet has enough, but too much of it is currently promised to others, or is change that does
 *   not count yet. Worth another attempt after a short pause.
 * - `feeTooLow`: refused for its fee, or a replacement that does not pay enough more. Of `prepare`: no fee within `maxFee` would do.
 * - `noReplacement`: refused because a transaction that waits takes the same, and this node replaces none. It does not say whose that
 *   one is, and nothing of the chain.
 * - `parentsUnknown`: refused because the node does not know what it spends. Another try helps once it does.
 * - `notFinal`: refused because the chain's own clock has not reached the lock.
 * - `inputsSpent`: refused because another transaction took what it spends; it can never confirm beside that one.
 * - `nonceUsed`: the same for an account: its nonce is taken.
 * - `nonceGap`: an earlier nonce is missing, so that it cannot be included yet.
 * - `tooManyAncestors`: refused until earlier unconfirmed transactions confirm.
 * - `invalid`: refused by rule, now and forever.
 * - `unsupported`: this chain cannot do that.
 */
export type FaultKind =
  | 'unavailable'
  | 'unknown'
  | 'disagreement'
  | 'insufficientFunds'
  | 'coinsPromised'
  | 'feeTooLow'
  | 'noReplacement'
  | 'parentsUnknown'
  | 'notFinal'
  | 'inputsSpent'
  | 'nonceUsed'
  | 'nonceGap'
  | 'tooManyAncestors'
  | 'invalid'
  | 'unsupported';

/**
 * An error answer, which is never a fact about the chain. The runtime redacts the message before it keeps or shows it.
 */
export type ChainFault = {
  readonly kind: FaultKind;
  readonly message: string;
  /** For a quote: which parts are missing. Absent if all are, or the adapter does not know. */
  readonly part?: QuotePart;
  /**
   * Of `feeTooLow` from `prepare`: the lowest fee that would be enough, in coin units of the coin that pays it. An
   * operator who may raise the limit needs to know it. @defaultValue the adapter does not know
   */
  readonly leastFee?: DecimalText;
  /** Of `insufficientFunds` from a withdrawal: what may be spent and what it takes, in coin units. @defaultValue the message alone tells */
  readonly shortage?: { readonly available: DecimalText; readonly required: DecimalText };
  /**
   * Of `unavailable` from `payment`: what the answering nodes say, if they are too few to be believed. It only serves
   * to keep sending a claim or a refund to which the log is already committed. @defaultValue no node says anything
   */
  readonly doubtful?: PaymentView;
};

/** The parts of a quote that an adapter has to ask for separately. */
export type QuotePart = 'dexFeeFee' | 'paymentFee' | 'spendFee' | 'spendable' | 'height';

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: ChainFault };

/** What identifies a payment under a hash time lock: never a transaction id, which a fee bump or a reorg may change. */
export type PaymentTerms = {
  /** The sender may refund once the chain's own clock has passed it. */
  readonly lock: UnixSeconds;
  /** 20 or 32 bytes in hex, as negotiated. */
  readonly secretHash: string;
  /** Compressed public keys, 33 bytes in hex; for a watcher on a chain of accounts the accounts themselves, where it knows no more. */
  readonly sender: string;
  readonly receiver: string;
  /** In coin units, without the reward promised to someone who acts for an absent party. */
  readonly amount: DecimalText;
  /** Address of the swap contract in hex; null where the chain has none. */
  readonly contract: string | null;
  /** On a chain with {@link ChainTraits.rewards}: whose payment it is. @defaultValue unknown; any reward is accepted */
  readonly reward?: RewardRole;
  /**
   * On a chain that refunds automatically: where the count of the lock's blocks starts. @defaultValue nothing but
   * `lock`
   */
  readonly counted?: CountedLock;
};

/** What the blocks of a lock are counted from in a swap with nodes of the framework: the lock duration of the swap, and whose payment it is. */
export type CountedLock = { readonly duration: Seconds; readonly leg: 'maker' | 'taker' };

/** What the bytes of a payment with a reward tell a watcher: the accounts in the place of keys, and the secret hash as the contract has it. */
export type PromisedPayment = { readonly terms: PaymentTerms; readonly tx_hash: string };

export type PaymentQuery = {
  readonly terms: PaymentTerms;
  /** The transaction that the other side names, in hex; checked against the terms where given. */
  readonly claimed?: string;
  /**
   * Id of the own payment, in hex. Two swaps of logs from elsewhere may have equal terms, which are one address on a
   * UTXO chain: if it has several payments, the adapter shows this one, with its own spend, if the chain holds it.
   * @defaultValue any of them
   */
  readonly funding?: string;
  /**
   * No block below this height holds a transaction of this payment, so a search may start here. It is well below the
   * tip at the start of the swap. @defaultValue unknown; the whole chain has to be searched
   */
  readonly from?: Height;
};

/**
 * When the lock of a payment ends, in the unit in which its chain counts: seconds of the clock by which the chain judges locks, or
 * blocks. The sender may refund from `at` on at the latest; `now` is where the chain stands.
 */
export type LockExpiry =
  | { readonly unit: 'seconds'; readonly at: UnixSeconds; readonly now: UnixSeconds }
  | { readonly unit: 'blocks'; readonly at: Height; readonly now: Height };

/** Where a payment stands on the best chain that the adapter can see. */
export type PaymentView = {
  /** The transaction that funds the terms, also while it waits in the mempool; null when none is seen. */
  readonly funding: PaymentFunding | null;
  /** Why the funding, or the transaction that the other side named, does not fulfil the terms; null when it does. */
  readonly problem: string | null;
  readonly spend: PaymentSpend | null;
  /** Whether the chain's own clock permits the refund: median time past, block time or height, by the chain's rule. */
  readonly refundable: boolean;
  /** That clock, in seconds. A chain that counts blocks gives the time of its tip. */
  readonly clock: UnixSeconds;
  readonly height: number;
  /** When the lock ends, as the chain reckons it for this very payment. @defaultValue in seconds, at the lock of the terms, by `clock` */
  readonly expiry?: LockExpiry;
};

export type PaymentFunding = {
  readonly tx: StoredTransaction;
  readonly confirmations: number;
  /** Whether a notarized block holds it or stands above it. @defaultValue false; only a chain that can tell says more */
  readonly notarised?: boolean;
};

export type PaymentSpend = {
  /** With the secret, by the receiver or a watcher in its name; or back to the sender. */
  readonly how: 'secret' | 'refund';
  /** Null if the chain refunds automatically. */
  readonly tx: StoredTransaction | null;
  readonly confirmations: number;
  /** 32 bytes in hex, for a spend with the secret. */
  readonly secret: string | null;
};

/** Where one transaction stands. `conflicted`: another one took its inputs or nonce; `reverted`: included without effect. */
export type TransactionView = {
  readonly status: 'unknown' | 'mempool' | 'confirmed' | 'conflicted' | 'reverted';
  /** For the status that was reached in a block; of the conflicting transaction for `conflicted`. */
  readonly confirmations: number;
  /** Its bytes in hex, where the adapter has them. A watcher reads from them what a taker of the real node does not tell it. */
  readonly tx_hex?: string;
};

/** A signed transaction that exists only here so far. */
export type PreparedTransaction = StoredTransaction & {
  /** Outpoints, or account and nonce, that it takes; two that share one can never both confirm. */
  readonly spends: readonly string[];
  /** In coin units. */
  readonly fee: DecimalText;
  /**
   * Of a payment whose refund is paid from the wallet: what that costs at the price of the payment, in units of the coin that pays it. As much is
   * held until the payment has ended. @defaultValue the payment itself pays for its refund, or the chain refunds by itself
   */
  readonly refundFee?: DecimalText;
};

/**
 * A signed transaction that goes out (again). What it takes and costs is absent where only its bytes are known: one of the other
 * side, one of a log from elsewhere, or one that someone signed in advance.
 */
export type SignedTransaction = StoredTransaction & Partial<Pick<PreparedTransaction, 'spends' | 'fee' | 'refundFee'>>;

/**
 * How urgent a claim or a refund is: 0 for the first attempt, higher for each fee bump. The adapter maps it to a fee.
 */
export type Urgency = number;

/**
 * The maximum fee, in coin units of the coin that pays it. An adapter that would pay more pays this much; if no fee
 * within the limit is enough, it answers with the fault `feeTooLow`. @defaultValue no limit
 */
type Bounded = { readonly maxFee?: DecimalText };

type Variant = Bounded & {
  readonly urgency: Urgency;
  /**
   * An earlier variant for the same purpose. The new one takes at least one of the same outpoints, or the same nonce, so
   * that at most one of both confirms; where that is impossible because the earlier one is settled, it stands alone; or it is
   * refused with `inputsSpent` or `nonceUsed`, where it would do a second time what is done.
   */
  readonly replaces: SignedTransaction | null;
};

type Spending = {
  readonly terms: PaymentTerms;
  readonly funding: StoredTransaction;
  /**
   * Whether it is made too while those that answer are too few to be believed. What depends on the chain's own clock is not made by it then.
   * @defaultValue false: that is the fault `unavailable`
   */
  readonly doubtful?: true;
} & Variant;

export type PrepareRequest =
  | ({ readonly purpose: 'fee'; readonly feeSat: bigint; readonly burnSat: bigint } & Variant)
  | ({
      readonly purpose: 'payment';
      readonly terms: PaymentTerms;
      /**
       * What whoever acts for a party that is away gets for it, in units of the coin that pays fees: held to half and to twice what the gas costs now.
       * Null for as much as it costs now. In the place of an earlier payment the reward is that one's. @defaultValue none is promised
       */
      readonly reward?: DecimalText | null;
    } & Variant)
  | ({ readonly purpose: 'claim'; readonly secret: string } & Spending)
  | ({ readonly purpose: 'refund' } & Spending)
  /** Spends what `target` spends back to this wallet, so `target` can never confirm. */
  | ({ readonly purpose: 'void'; readonly target: SignedTransaction; readonly urgency: Urgency } & Bounded)
  /**
   * Spends the own output of `parent`, which waits, to the own wallet, so that a block which takes it takes `parent` too. Its fee counts for
   * both, and for all else that waits below it; only it is bound by `maxFee`. Where something spends that output already, that is the child,
   * and its own output is what is spent. Of an earlier one in `replaces`, which no node took, the same output may be taken again.
   */
  | ({ readonly purpose: 'child'; readonly parent: StoredTransaction } & Variant)
  /** For a watcher: the receiver's spend, signed, without the secret. On a chain with {@link ChainTraits.rewards} the payment itself. */
  | { readonly purpose: 'claimPreimage'; readonly terms: PaymentTerms; readonly funding: StoredTransaction }
  /** For a watcher: the sender's refund, signed and complete. On a chain with {@link ChainTraits.rewards} the payment itself. */
  | { readonly purpose: 'refundPreimage'; readonly terms: PaymentTerms; readonly funding: StoredTransaction }
  /** By a watcher: completes the receiver's spend with the secret. */
  | { readonly purpose: 'completePreimage'; readonly preimage: string; readonly secret: string }
  /** By a watcher on a chain with {@link ChainTraits.rewards}: a call of its own that claims for the receiver. */
  | ({ readonly purpose: 'claimFor'; readonly secret: string } & Acting)
  /** By a watcher on a chain with {@link ChainTraits.rewards}: a call of its own that takes the payment back for its sender. */
  | ({ readonly purpose: 'refundFor' } & Acting);

type Acting = {
  readonly terms: PaymentTerms;
  readonly funding: StoredTransaction;
  /**
   * Whether it is made though the reward does not pay for the gas as it costs now.
   * @defaultValue false: that is the fault `feeTooLow`
   */
  readonly unpaid?: boolean;
} & Variant;

/** For which swap the question is: its uuid, the same on both sides. A watcher names the swap that it watches. */
export type ForSwap = { readonly swap: string };

export type FeeCheck = {
  /** The fee transaction in hex; null where only its id is known (a watcher). */
  readonly tx: string | null;
  /** Its id; it must be that of the bytes. */
  readonly hash: string;
  /**
   * The taker's key on this coin, 33 bytes in hex. It has signed all inputs, or is the account that pays; unless the fee names the
   * swap that it is for, which only its payer can have done. A fee that names another swap is none for this one.
   */
  readonly payer: string;
  /** In base units; null when the amount is not checked (a watcher). */
  readonly feeSat: bigint | null;
  readonly burnSat: bigint;
  /** A fee confirmed before this height belongs to another swap. */
  readonly minHeight: number;
  /** One in a block before this time is too old (a watcher). @defaultValue any age */
  readonly notBefore?: UnixSeconds;
};

/** What a party asks before it starts a swap. All amounts in coin units. */
export type Quote = {
  readonly height: number;
  readonly clock: UnixSeconds;
  /**
   * Spendable amount of this coin, without what prepared transactions have taken. Amounts reserved for swaps are
   * included.
   */
  readonly spendable: DecimalText;
  /**
   * What will also be spendable once this wallet's prepared or waiting transactions have confirmed: their change. A
   * swap may start with it, and waits for it if necessary. @defaultValue 0
   */
  readonly coming?: DecimalText;
  /** Fee of a payment. Where its refund is paid from the wallet too, with the fee of that. In the fee coin. */
  readonly paymentFee: DecimalText;
  /** Fee of a spend of the other's payment. In the fee coin. */
  readonly spendFee: DecimalText;
  /**
   * Where the fee of that spend comes from: the amount that is claimed, so that a wallet without coins can claim, as on
   * UTXO chains; or the wallet, as where an account pays for its calls. A swap whose claim could not be paid does not
   * start.
   */
  readonly spendFeeFrom: 'claim' | 'wallet';
  /** Fee of the fee transaction. In the fee coin. */
  readonly dexFeeFee: DecimalText;
  /** What a payment with a reward promises now, on a chain with {@link ChainTraits.rewards}. In the fee coin. @defaultValue there are none */
  readonly reward?: DecimalText;
  /** The coin in which the three fees are paid, and what of it can be spent: a token's platform coin. @defaultValue this coin */
  readonly feeCoin?: { readonly coin: string; readonly spendable: DecimalText; readonly coming?: DecimalText };
};

export type ChainTraits = {
  readonly coin: string;
  /** Digits after the point of one coin unit. */
  readonly decimals: number;
  /** Smallest amount that can be sent, in base units. */
  readonly minTxAmount: bigint;
  /** Who refunds after the lock: the sender with a transaction, or the chain automatically. */
  readonly refund: 'transaction' | 'automatic';
  /**
   * Where the fee of a refund comes from: the payment that is refunded, or the wallet, as where an account pays for its calls. Of the latter the fee
   * is held until the payment has ended. @defaultValue payment
   */
  readonly refundFeeFrom?: 'payment' | 'wallet';
  /** Whether a third party can spend or refund: with what the owner signed in advance, or on a chain with `rewards` by a call of its own. */
  readonly watchers: boolean;
  /**
   * Whether watchers pay for their actions, and the payment's promised reward repays them. Nothing is signed in advance
   * there.
   * @defaultValue false
   */
  readonly rewards?: boolean;
  /** Confirmations after which a spend counts as final for this chain. */
  readonly finality: number;
  /** The swap contract in hex; null where the chain has none. */
  readonly contract: string | null;
  /**
   * How payments commit to their redeem script; null on a chain without scripts.
   * @defaultValue the scheme of the network's profile, P2SH on KDF's, for payments whose bytes are those of a UTXO chain
   */
  readonly scheme?: ScriptScheme | null;
  /** Another swap contract that is accepted, and that a taker proposes where it cannot agree on the first. @defaultValue null */
  readonly fallbackContract?: string | null;
  /** Bytes of the secret hash that the chain needs: 32 where only SHA-256 will do. */
  readonly secretHashBytes: 20 | 32;
  /** Whether the chain is notarized on another and the adapter can tell which payments are. @defaultValue false */
  readonly notarised?: boolean;
  /**
   * Nominal time between two blocks, in seconds. Needed if locks count blocks: without it, the remaining time is
   * unknown, so a maker does not show its secret there and a taker does not pay against such a lock.
   */
  readonly blockTime?: Seconds;
  /** Name of the chain whose blocks locks count: those of two coins of one chain run alike. @defaultValue no one else's */
  readonly counter?: string;
  /**
   * Whether miners of this chain look at what waits together with what it spends, and `prepare` makes children.
   * @defaultValue false, and what no node replaces is waited for
   */
  readonly children?: boolean;
  /** What the feed promises, if it is complete. @defaultValue nothing; the engine polls */
  readonly feed?: CompleteFeed;
  /**
   * Whether no swap may start here, for example because the wallet's key cannot sign payments, or its owner excludes
   * the coin from trading. Running swaps continue.
   * @defaultValue false
   */
  readonly walletOnly?: boolean;
};

/**
 * A feed that a waiting swap may rely on. From its first message on, it reports every block, and every change of an
 * earlier answer to `payment` or `transaction`. Before it pays or reveals a secret, a swap still looks.
 */
export type CompleteFeed = {
  /**
   * The longest silence, in seconds above 0: if nothing happens, the feed says `alive`. A longer silence counts as
   * `broken`.
   */
  readonly heartbeat: Seconds;
};

/**
 * What a feed says. `changed`: something that concerns the wallet's swaps may have changed. `alive`: nothing has since its last word.
 * `broken`: from now on it may miss something, until its next word, which counts as `changed`.
 */
export type FeedNews = 'changed' | 'alive' | 'broken';

/**
 * A chain with this node's wallet on it. Every question may be repeated at any time: only `broadcast` changes the
 * chain, and it is idempotent for the same transaction.
 *
 * - C1: an answer is what the best chain that the adapter can see holds; an error answer says nothing about the chain.
 * - C2: `prepare` broadcasts nothing. What it takes (inputs, nonce) is not taken by another prepared transaction until the
 *   chain shows that it is free, or until it is given back ({@link ChainFeed.release}).
 * - C3: `broadcast` of a transaction that the chain or the mempool already holds succeeds.
 * - C4: a payment is found by its terms, whichever transaction funds or spends it.
 */
export interface Chain {
  readonly traits: ChainTraits;
  /** This wallet's public key for the payments of one swap, 33 bytes in hex. */
  htlcKey(swap: string): string;
  quote(): Awaitable<Answer<Quote>>;
  payment(query: PaymentQuery): Awaitable<Answer<PaymentView>>;
  transaction(hash: string): Awaitable<Answer<TransactionView>>;
  /** Null if the fee is valid, otherwise why not. */
  checkFee(check: FeeCheck, forSwap: ForSwap): Awaitable<Answer<string | null>>;
  /**
   * Makes and signs a transaction of one swap, for which the wallet may keep coins and keys apart. Where its keys differ from swap
   * to swap, so that the fee's inputs are not signed by the key that the swap's payments are under, the fee names its swap.
   */
  prepare(request: PrepareRequest, forSwap: ForSwap): Awaitable<Answer<PreparedTransaction>>;
  broadcast(transaction: SignedTransaction, sending?: Sending): Awaitable<Answer<'sent' | 'known' | 'confirmed'>>;
}

export type Sending = {
  /**
   * Whether it goes out though those that answer are too few to be believed: one of them alone may keep it to itself. @defaultValue false: an adapter
   * that cannot tell then whether it is on its way already answers `unavailable`
   */
  readonly doubtful?: true;
};

/** What a swap will still take from a wallet. */
export type Hold = {
  /** Id of the swap. */
  readonly swap: string;
  /** In coin units, network fees that this coin pays included; 0 once nothing is needed any more. */
  readonly amount: DecimalText;
  /**
   * The network fees that it will still pay on the chain of this coin, in units of the coin that pays them there: a part of `amount`, or of a coin that
   * may not be in use by itself. @defaultValue 0
   */
  readonly fees?: DecimalText;
  /**
   * For which spends those are, as far as none is signed: a wallet that pays for them keeps as much as they cost now, where that is more.
   * @defaultValue none
   */
  readonly ends?: readonly ('claim' | 'refund')[];
};

/** What a chain adapter can do beyond {@link Chain}: avoid polling, share a wallet, and survive a restart. */
export interface ChainFeed {
  /**
   * Called whenever something that concerns the wallet's swaps may have changed. Only a feed that is complete ({@link CompleteFeed})
   * has more to say. @defaultValue of the news: `changed`
   */
  subscribe(onChange: (news?: FeedNews) => void): { readonly close: () => void };
  /**
   * Marks the inputs or nonces of these transactions as taken: they were prepared before a restart and may still
   * confirm.
   */
  reserve(transactions: readonly SignedTransaction[]): void;
  /**
   * Releases what these transactions took and no other has taken: they were prepared, and will never be broadcast. An
   * account whose later nonces are already signed fills the gap. Repeated calls change nothing.
   */
  release(transactions: readonly SignedTransaction[]): void;
  /**
   * Sets aside what a swap will still take, in the place of what was held for it before. What `prepare` makes for
   * another swap leaves as much, change that is to come included, or it is put off with the fault `coinsPromised`; what
   * it makes for this one takes from it. Not kept over a restart, after which the engine repeats it. Optional: without
   * it, swaps of one wallet share it by amounts alone.
   */
  hold?(hold: Hold): void;
  /**
   * The same as {@link Chain.payment} for many payments at once: one answer per query, in the same order, each good or
   * bad independently. Optional: without it, each is asked for alone.
   */
  payments?(queries: readonly PaymentQuery[]): Awaitable<readonly Answer<PaymentView>[]>;
  /**
   * Told once after a start, and again where the coin was removed and is back, when all that was signed before and may
   * still confirm has been marked ({@link ChainFeed.reserve}): what else was signed was in no log, and will never go
   * out. An account fills the nonces below a marked one that nothing has, with what harms nobody, and sees to it that
   * this is included: otherwise the marked one waits forever. A wallet that outlives the process gives back what is not
   * marked. Optional: for wallets that do neither.
   */
  resumed?(): void;
  /**
   * Where the chain stood when it was last looked at, without asking anyone; null before the first look. Optional: without it nobody can
   * bound from which block on a stranger's word makes the chain be searched.
   */
  height?(): Height | null;
  /**
   * What the bytes of a payment promise; null for any that are none of this coin with a reward, or whose reward brings a watcher nothing. Of a chain
   * with {@link ChainTraits.rewards} alone. It is what the bytes say, not what the chain holds.
   */
  promised?(tx_hex: string): PromisedPayment | null;
}
