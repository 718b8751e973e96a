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
 * - `unknown`: the adapter has not seen enough to tell, for example while it still reads a history. Never “there is none”.
 * - `disagreement`: the asked nodes contradict one another, so there is no answer.
 * - `insufficientFunds`: the wallet cannot pay this amount with its fee, not even once everything that it waits for has arrived.
 * - `coinsPromised`: the wallet has enough, but too much of it is currently promised to others, or is change that does not count yet. Worth another
 *   attempt after a short pause.
 * - `feeTooLow`: refused for its fee, or a replacement that does not pay enough more. From `prepare`: no fee within `maxFee` is enough.
 * - `noReplacement`: refused because a waiting transaction takes the same, and this node replaces none. It says neither whose that is, nor anything
 *   about the chain.
 * - `parentsUnknown`: refused because the node does not know what it spends. Another attempt helps once it does.
 * - `notFinal`: refused because the chain's own clock has not reached the lock.
 * - `inputsSpent`: refused because another transaction took what it spends; it can never confirm together with that one.
 * - `nonceUsed`: the same for an account: its nonce is taken.
 * - `nonceGap`: an earlier nonce is missing, so it cannot be included yet.
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

/** An error answer, which is never a fact about the chain. The runtime redacts the message before it keeps or shows it. */
export type ChainFault = {
  readonly kind: FaultKind;
  readonly message: string;
  /** For a quote: which parts are missing. Absent if all are, or the adapter does not know. */
  readonly part?: QuotePart;
  /**
   * Of `feeTooLow` from `prepare`: the lowest fee that would be enough, in coin units of the coin that pays it. An operator who may raise the limit
   * needs to know it. @defaultValue the adapter does not know
   */
  readonly leastFee?: DecimalText;
  /** Of `insufficientFunds` from a withdrawal: what may be spent and what it needs, in coin units. @defaultValue only the message says so */
  readonly shortage?: { readonly available: DecimalText; readonly required: DecimalText };
  /**
   * Of `unavailable` from `payment`: what the answering nodes say, if they are too few to be believed. It only serves to keep sending a claim or a
   * refund to which the log is already committed. @defaultValue no node says anything
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
  /** Compressed public keys, 33 bytes in hex; for a watcher on a chain with accounts, the accounts themselves if it knows no more. */
  readonly sender: string;
  readonly receiver: string;
  /** In coin units, without the reward promised to someone who acts for an absent party. */
  readonly amount: DecimalText;
  /** Address of the swap contract in hex; null if the chain has none. */
  readonly contract: string | null;
  /** On a chain with {@link ChainTraits.rewards}: whose payment it is. @defaultValue unknown; any reward is accepted */
  readonly reward?: RewardRole;
  /** On a chain that refunds automatically: where the count of the lock's blocks starts. @defaultValue nothing but `lock` */
  readonly counted?: CountedLock;
};

/** What the blocks of a lock are counted from in a swap with nodes of the framework: the lock duration of the swap, and whose payment it is. */
export type CountedLock = { readonly duration: Seconds; readonly leg: 'maker' | 'taker' };

/** What the bytes of a payment with a reward show a watcher: the accounts in place of keys, and the secret hash as the contract stores it. */
export type PromisedPayment = { readonly terms: PaymentTerms; readonly tx_hash: string };

export type PaymentQuery = {
  readonly terms: PaymentTerms;
  /** The transaction that the other side names, in hex; checked against the terms if given. */
  readonly claimed?: string;
  /**
   * Id of the own payment, in hex. Two swaps of logs from elsewhere may have equal terms, which are one address on a UTXO chain: if it has several
   * payments, the adapter shows this one, with its own spend, if the chain holds it.
   * @defaultValue any of them
   */
  readonly funding?: string;
  /**
   * Whether it is the own payment. What somebody else pays to its script with another amount, as anyone who knows the terms can, is not that payment:
   * the adapter shows none, unless it was claimed: the secret counts whatever showed it. @defaultValue false
   */
  readonly own?: true;
  /**
   * No block below this height holds a transaction of this payment, so a search may start here. It is well below the tip at the start of the swap.
   * @defaultValue unknown; the whole chain has to be searched
   */
  readonly from?: Height;
};

/**
 * When the lock of a payment ends, in the unit in which its chain counts: seconds of the clock by which the chain judges locks, or blocks. The sender
 * may refund from `at` on at the latest; `now` is the current value.
 */
export type LockExpiry =
  | { readonly unit: 'seconds'; readonly at: UnixSeconds; readonly now: UnixSeconds }
  | { readonly unit: 'blocks'; readonly at: Height; readonly now: Height };

/** The state of a payment on the best chain that the adapter can see. */
export type PaymentView = {
  /** The transaction that funds the terms, also while it waits in the mempool; null if none is seen. */
  readonly funding: PaymentFunding | null;
  /** Why the funding, or the transaction that the other side named, does not fulfill the terms; null if it does. */
  readonly problem: string | null;
  readonly spend: PaymentSpend | null;
  /** Whether the chain's own clock permits the refund: median time past, block time or height, by the chain's rule. */
  readonly refundable: boolean;
  /** That clock, in seconds. A chain that counts blocks gives the time of its tip. */
  readonly clock: UnixSeconds;
  readonly height: number;
  /** When the lock ends, as the chain computes it for this very payment. @defaultValue in seconds, at the lock of the terms, by `clock` */
  readonly expiry?: LockExpiry;
};

export type PaymentFunding = {
  readonly tx: StoredTransaction;
  readonly confirmations: number;
  /** Whether a notarized block holds it or lies above it. @defaultValue false; only a chain that can tell says more */
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

/** The state of one transaction. `conflicted`: another one took its inputs or nonce; `reverted`: included without effect. */
export type TransactionView = {
  readonly status: 'unknown' | 'mempool' | 'confirmed' | 'conflicted' | 'reverted';
  /** Of the block that gave it this status; for `conflicted`, of the conflicting transaction. */
  readonly confirmations: number;
  /** Its bytes in hex, if the adapter has them. A watcher reads from them what a real node's taker does not tell it. */
  readonly tx_hex?: string;
};

/** A signed transaction that exists only here so far. */
export type PreparedTransaction = StoredTransaction & {
  /** Outpoints, or account and nonce, that it takes; two that share one can never both confirm. */
  readonly spends: readonly string[];
  /** In coin units. */
  readonly fee: DecimalText;
  /**
   * Of a payment whose refund the wallet pays: what that costs at the price of the payment, in units of the coin that pays it. The wallet holds this
   * amount until the payment has ended. @defaultValue the payment itself pays for its refund, or the chain refunds automatically
   */
  readonly refundFee?: DecimalText;
};

/**
 * A signed transaction that goes out (again). What it takes and costs is absent if only its bytes are known: for one of the other side, from a
 * foreign log, or signed by someone in advance.
 */
export type SignedTransaction = StoredTransaction & Partial<Pick<PreparedTransaction, 'spends' | 'fee' | 'refundFee'>>;

/** How urgent a claim or a refund is: 0 for the first attempt, higher for each fee bump. The adapter maps it to a fee. */
export type Urgency = number;

/**
 * The maximum fee, in coin units of the coin that pays it. An adapter that would pay more pays this much; if no fee within the limit is enough, it
 * answers with the fault `feeTooLow`. @defaultValue no limit
 */
type Bounded = { readonly maxFee?: DecimalText };

type Variant = Bounded & {
  readonly urgency: Urgency;
  /**
   * An earlier variant for the same purpose. The new one takes at least one of the same outpoints, or the same nonce, so that at most one of both
   * confirms. If that is impossible because the earlier one is settled, it stands alone; or it is refused with `inputsSpent` or `nonceUsed`, if it
   * would repeat what is done.
   */
  readonly replaces: SignedTransaction | null;
};

type Spending = {
  readonly terms: PaymentTerms;
  readonly funding: StoredTransaction;
  /**
   * Whether to make it even if too few nodes answer to be believed. Then nothing that depends on the chain's own clock is made. @defaultValue false:
   * that is the fault `unavailable`
   */
  readonly doubtful?: true;
} & Variant;

export type PrepareRequest =
  | ({ readonly purpose: 'fee'; readonly feeSat: bigint; readonly burnSat: bigint } & Variant)
  | ({
      readonly purpose: 'payment';
      readonly terms: PaymentTerms;
      /**
       * What anyone who acts for an absent party gets for it, in units of the coin that pays fees: between half and twice what the gas costs now.
       * Null for exactly what it costs now. A replacement of an earlier payment keeps that one's reward. @defaultValue none is promised
       */
      readonly reward?: DecimalText | null;
    } & Variant)
  | ({ readonly purpose: 'claim'; readonly secret: string } & Spending)
  | ({ readonly purpose: 'refund' } & Spending)
  /** Spends what `target` spends back to this wallet, so `target` can never confirm. */
  | ({ readonly purpose: 'void'; readonly target: SignedTransaction; readonly urgency: Urgency } & Bounded)
  /**
   * Spends the own output of the waiting `parent` to the own wallet, so that a block that includes it also includes `parent`. Its fee counts for
   * both, and for everything else that waits below it; `maxFee` limits only this fee. If something already spends that output, that is the child, and
   * its own output is spent. For an earlier child in `replaces` that no node accepted, the same output may be spent again.
   */
  | ({ readonly purpose: 'child'; readonly parent: StoredTransaction } & Variant)
  /** For a watcher: the receiver's spend, signed, without the secret. On a chain with {@link ChainTraits.rewards} the payment itself. */
  | { readonly purpose: 'claimPreimage'; readonly terms: PaymentTerms; readonly funding: StoredTransaction }
  /** For a watcher: the sender's refund, signed and complete. On a chain with {@link ChainTraits.rewards} the payment itself. */
  | { readonly purpose: 'refundPreimage'; readonly terms: PaymentTerms; readonly funding: StoredTransaction }
  /** By a watcher: completes the receiver's spend with the secret. */
  | { readonly purpose: 'completePreimage'; readonly preimage: string; readonly secret: string }
  /** By a watcher on a chain with {@link ChainTraits.rewards}: its own call that claims for the receiver. */
  | ({ readonly purpose: 'claimFor'; readonly secret: string } & Acting)
  /** By a watcher on a chain with {@link ChainTraits.rewards}: its own call that refunds the payment to its sender. */
  | ({ readonly purpose: 'refundFor' } & Acting);

type Acting = {
  readonly terms: PaymentTerms;
  readonly funding: StoredTransaction;
  /** Whether to make it even if the reward does not pay for the gas at its current price. @defaultValue false: that is the fault `feeTooLow` */
  readonly unpaid?: boolean;
} & Variant;

/** For which swap the question is: its uuid, the same on both sides. A watcher names the swap that it watches. */
export type ForSwap = { readonly swap: string };

export type FeeCheck = {
  /** The fee transaction in hex; null if only its id is known (a watcher). */
  readonly tx: string | null;
  /** Its id; it must be that of the bytes. */
  readonly hash: string;
  /**
   * The taker's key on this coin, 33 bytes in hex. It has signed all inputs, or is the account that pays; unless the fee names its swap, which only
   * its payer can have done. A fee that names another swap does not count for this one.
   */
  readonly payer: string;
  /** In base units; null if the amount is not checked (a watcher). */
  readonly feeSat: bigint | null;
  readonly burnSat: bigint;
  /** A fee confirmed before this height belongs to another swap. */
  readonly minHeight: number;
  /** A fee in a block before this time is too old (a watcher). @defaultValue any age */
  readonly notBefore?: UnixSeconds;
};

/** What a party asks before it starts a swap. All amounts in coin units. */
export type Quote = {
  readonly height: number;
  readonly clock: UnixSeconds;
  /** Spendable amount of this coin, without what prepared transactions have taken. Amounts reserved for swaps are included. */
  readonly spendable: DecimalText;
  /**
   * What will also be spendable once this wallet's prepared or waiting transactions have confirmed: their change. A swap may start with it, and waits
   * for it if necessary. @defaultValue 0
   */
  readonly coming?: DecimalText;
  /** Fee of a payment. If the wallet also pays for its refund, including that fee. In the fee coin. */
  readonly paymentFee: DecimalText;
  /** Fee of a spend of the other's payment. In the fee coin. */
  readonly spendFee: DecimalText;
  /**
   * Where the fee of that spend comes from: the claimed amount, so that a wallet without coins can claim, as on UTXO chains; or the wallet, as when
   * an account pays for its calls. A swap whose claim could not be paid does not start.
   */
  readonly spendFeeFrom: 'claim' | 'wallet';
  /** Fee of the fee transaction. In the fee coin. */
  readonly dexFeeFee: DecimalText;
  /**
   * What a payment with a reward promises now, on a chain with {@link ChainTraits.rewards}. In the fee coin.
   * @defaultValue there are no rewards
   */
  readonly reward?: DecimalText;
  /** The coin that pays the three fees, and its spendable amount: a token's platform coin. @defaultValue this coin */
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
   * Where the fee of a refund comes from: the refunded payment, or the wallet, as when an account pays for its calls. In the latter case, the wallet
   * holds the fee until the payment has ended. @defaultValue payment
   */
  readonly refundFeeFrom?: 'payment' | 'wallet';
  /** Whether a third party can spend or refund: with what the owner signed in advance, or on a chain with `rewards` by its own call. */
  readonly watchers: boolean;
  /**
   * Whether watchers pay for their actions, and the payment's promised reward repays them. Nothing is signed in advance there.
   * @defaultValue false
   */
  readonly rewards?: boolean;
  /** Confirmations after which a spend counts as final for this chain. */
  readonly finality: number;
  /** The swap contract in hex; null if the chain has none. */
  readonly contract: string | null;
  /**
   * How payments commit to their redeem script; null on a chain without scripts.
   * @defaultValue the scheme of the network's profile, P2SH on KDF's, for payments whose bytes are those of a UTXO chain
   */
  readonly scheme?: ScriptScheme | null;
  /** Another accepted swap contract, which a taker proposes if it cannot agree on the first. @defaultValue null */
  readonly fallbackContract?: string | null;
  /** Bytes of the secret hash that the chain needs: 32 if only SHA-256 works. */
  readonly secretHashBytes: 20 | 32;
  /** Whether the chain is notarized on another and the adapter can tell which payments are. @defaultValue false */
  readonly notarised?: boolean;
  /**
   * Nominal time between two blocks, in seconds. Needed if locks count blocks: without it, the remaining time is unknown, so a maker does not show
   * its secret there and a taker does not pay against such a lock.
   */
  readonly blockTime?: Seconds;
  /** Name of the chain whose blocks locks count: the locks of two coins on one chain run alike. @defaultValue a chain of its own */
  readonly counter?: string;
  /**
   * Whether miners of this chain consider a waiting transaction together with what it spends, and `prepare` makes children. @defaultValue false: the
   * engine waits for what no node replaces
   */
  readonly children?: boolean;
  /** What the feed promises, if it is complete. @defaultValue nothing; the engine polls */
  readonly feed?: CompleteFeed;
  /**
   * Whether no swap may start here, for example because the wallet's key cannot sign payments, or its owner excludes the coin from trading. Running
   * swaps continue.
   * @defaultValue false
   */
  readonly walletOnly?: boolean;
};

/**
 * A feed on which a waiting swap may rely. From its first message on, it reports every block, and every change of an earlier answer to `payment` or
 * `transaction`. Before it pays or reveals a secret, a swap still looks.
 */
export type CompleteFeed = {
  /** The longest silence, in seconds above 0: if nothing happens, the feed says `alive`. A longer silence counts as `broken`. */
  readonly heartbeat: Seconds;
};

/**
 * What a feed says. `changed`: something that concerns the wallet's swaps may have changed. `alive`: nothing has changed since its last message.
 * `broken`: from now on it may miss something, until its next message, which counts as `changed`.
 */
export type FeedNews = 'changed' | 'alive' | 'broken';

/**
 * A chain with this node's wallet on it. Every question may be repeated at any time: only `broadcast` changes the chain, and it is idempotent for the
 * same transaction.
 *
 * - C1: an answer is what the best chain that the adapter can see holds; an error answer says nothing about the chain.
 * - C2: `prepare` broadcasts nothing. What it takes (inputs, nonce) is not taken by another prepared transaction until the chain shows that it is
 *   free, or until it is given back ({@link ChainFeed.release}).
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
   * Makes and signs a transaction of one swap, for which the wallet may keep separate coins and keys. If its keys differ from swap to swap, so that
   * another key than that of the swap's payments signs the fee's inputs, the fee names its swap.
   */
  prepare(request: PrepareRequest, forSwap: ForSwap): Awaitable<Answer<PreparedTransaction>>;
  broadcast(transaction: SignedTransaction, sending?: Sending): Awaitable<Answer<'sent' | 'known' | 'confirmed'>>;
}

export type Sending = {
  /**
   * Whether to send it even if too few nodes answer to be believed: a single one may withhold it. @defaultValue false: an adapter that then cannot
   * tell whether it is already on its way answers `unavailable`
   */
  readonly doubtful?: true;
};

/** What a swap will still take from a wallet. */
export type Hold = {
  /** Id of the swap. */
  readonly swap: string;
  /** In coin units, including network fees that this coin pays; 0 once nothing more is needed. */
  readonly amount: DecimalText;
  /**
   * The network fees that it will still pay on the chain of this coin, in units of the coin that pays them there: a part of `amount`, or of a coin
   * that may not be active itself. @defaultValue 0
   */
  readonly fees?: DecimalText;
  /**
   * The spends that those fees are for, as far as none is signed: a wallet that pays for them keeps their current cost if that is higher.
   * @defaultValue none
   */
  readonly ends?: readonly ('claim' | 'refund')[];
};

/** What a chain adapter can do beyond {@link Chain}: avoid polling, share a wallet, and survive a restart. */
export interface ChainFeed {
  /**
   * Called whenever something that concerns the wallet's swaps may have changed. Only a complete feed ({@link CompleteFeed}) says more. @defaultValue
   * of the news: `changed`
   */
  subscribe(onChange: (news?: FeedNews) => void): { readonly close: () => void };
  /** Marks the inputs or nonces of these transactions as taken: they were prepared before a restart and may still confirm. */
  reserve(transactions: readonly SignedTransaction[]): void;
  /**
   * Releases what these transactions took and no other has taken: they were prepared, and will never be broadcast. An account whose later nonces are
   * already signed fills the gap. Repeated calls change nothing.
   */
  release(transactions: readonly SignedTransaction[]): void;
  /**
   * Sets aside what a swap will still take, replacing what was held for it before. What `prepare` makes for another swap leaves that much, including
   * change to come, or fails with `coinsPromised`; what it makes for this one takes from it. A restart loses it, and the engine repeats it. Optional:
   * without it, swaps of one wallet share it by amounts alone.
   */
  hold?(hold: Hold): void;
  /**
   * The same as {@link Chain.payment} for many payments at once: one answer per query, in the same order, each good or bad independently. Optional:
   * without it, the engine asks for each alone.
   */
  payments?(queries: readonly PaymentQuery[]): Awaitable<readonly Answer<PaymentView>[]>;
  /**
   * Called once after a start, and again if the coin was removed and is back, when everything signed before that may still confirm has been marked
   * ({@link ChainFeed.reserve}): anything else that was signed is in no log, and will never go out. An account fills the unused nonces below a marked
   * one with harmless transactions, and makes sure that these are included: otherwise the marked one waits forever. A wallet that outlives the
   * process gives back what is not marked. Optional: for wallets that need neither.
   */
  resumed?(): void;
  /**
   * The state of the chain at the last look, without asking anyone; null before the first look. Optional: without it, nothing limits from which block
   * a stranger's message makes the engine search the chain.
   */
  height?(): Height | null;
  /**
   * What the bytes of a payment promise; null for bytes that are not a payment of this coin with a reward, or whose reward brings a watcher nothing.
   * Only for a chain with {@link ChainTraits.rewards}. It is what the bytes say, not what the chain holds.
   */
  promised?(tx_hex: string): PromisedPayment | null;
}
