import {
  bucketOf,
  type Confirmation,
  confirmationStats,
  countBlock,
  forgetWaiting,
  MOST_BLOCKS,
  medianPayment,
  noteWaiting,
} from './confirmation-stats.ts';

/** A transaction when it entered the mempool. */
export type ObservedTransaction = {
  readonly txid: string;
  /** Satoshis. */
  readonly fee: bigint;
  /** Bytes. */
  readonly size: number;
  /** Of {@link transactionPriority}. */
  readonly priority: number;
  /** Height of the chain when it arrived. */
  readonly height: number;
  /** Whether it spends from an unconfirmed transaction: such a transaction reveals nothing about fees. */
  readonly hasParents: boolean;
};

/**
 * Learns from pending and confirmed transactions which fee confirms within how many blocks. It estimates, so it computes with floating-point numbers
 * as the node does; its figures move no coins. Source: smart-chain node, from Bitcoin 0.12.
 */
export interface FeeEstimator {
  /** A transaction entered the mempool. */
  entered(transaction: ObservedTransaction): void;
  /** A transaction left the mempool unconfirmed. */
  left(txid: string): void;
  /** A block joined the active chain; `txids` are its transactions. Ignores heights that it has seen. */
  connected(height: number, txids: readonly string[]): void;
  /** Satoshis for 1,000 bytes to be confirmed within this many blocks; undefined without enough data, and above 25. */
  feeFor(blocks: number): bigint | undefined;
  /** Priority to be confirmed without a fee within so many blocks; undefined as above. */
  priorityFor(blocks: number): number | undefined;
}

/** Satoshis for 1,000 bytes, from the relay minimum (smart-chain node, `minRelayTxFee`). */
const FEES = { from: 100, to: 1e7, spacing: 1.1 };
/** From what was once accepted without a fee: a coin of 144 blocks in 250 bytes. */
const PRIORITIES = { from: 57_600_000, to: 1e16, spacing: 2 };
const LIKELY_PART = 0.85;
const UNLIKELY_PART = 0.5;
const ENOUGH_FEES = 1;
const ENOUGH_PRIORITIES = 0.2;
const SOON = 2;
const LATE = 10;

/** An estimator without data. */
export function feeEstimator(): FeeEstimator {
  return new LearningEstimator();
}

type Kind = 'fee' | 'priority';

type Offer = { readonly fee: bigint; readonly feeRate: number; readonly priority: number };

type Waiting = Offer & {
  readonly height: number;
  /** Where it was recorded on arrival; absent if it revealed nothing then. */
  readonly noted: { readonly kind: Kind; readonly bucket: number } | undefined;
};

class LearningEstimator implements FeeEstimator {
  readonly #stats = { fee: confirmationStats(FEES), priority: confirmationStats(PRIORITIES) };
  readonly #waiting = new Map<string, Waiting>();
  #best = 0;
  /** Surely sufficient and surely insufficient values, which separate payments for a fee from those for a priority. */
  #limits = {
    fee: { likely: Number.POSITIVE_INFINITY, unlikely: 0 },
    priority: { likely: Number.POSITIVE_INFINITY, unlikely: 0 },
  };

  entered({ txid, fee, size, priority, height, hasParents }: ObservedTransaction): void {
    if (hasParents || height < this.#best || this.#waiting.has(txid)) return;
    const feeRate = Number((fee * 1000n) / BigInt(Math.max(1, size)));
    const offer = { fee, feeRate, priority };
    const kind = this.#kindOf(offer);
    const noted = kind === undefined ? undefined : { kind, bucket: bucketOf(this.#stats[kind], measured(offer, kind)) };
    this.#waiting.set(txid, { ...offer, height, noted });
    if (noted !== undefined) noteWaiting(this.#stats[noted.kind], { height, bucket: noted.bucket });
  }

  left(txid: string): void {
    this.#take(txid);
  }

  connected(height: number, txids: readonly string[]): void {
    const confirmed = txids.map((txid) => this.#take(txid)).filter((each): each is Waiting => each !== undefined);
    if (height <= this.#best) return;
    this.#best = height;
    this.#limits = { fee: this.#limitsOf('fee'), priority: this.#limitsOf('priority') };
    const judged = confirmed.map((offer) => ({ offer, kind: this.#kindOf(offer), blocks: height - offer.height }));
    for (const kind of ['fee', 'priority'] as const) {
      const payments: Confirmation[] = judged
        .filter((each) => each.kind === kind && each.blocks > 0)
        .map(({ offer, blocks }) => ({ value: measured(offer, kind), blocks }));
      countBlock(this.#stats[kind], height, payments);
    }
  }

  feeFor(blocks: number): bigint | undefined {
    const median = this.#median('fee', { within: blocks, part: LIKELY_PART, above: true });
    return median === undefined ? undefined : BigInt(Math.trunc(median));
  }

  priorityFor(blocks: number): number | undefined {
    return this.#median('priority', { within: blocks, part: LIKELY_PART, above: true });
  }

  #take(txid: string): Waiting | undefined {
    const held = this.#waiting.get(txid);
    this.#waiting.delete(txid);
    const noted = held?.noted;
    if (noted !== undefined) {
      forgetWaiting(this.#stats[noted.kind], { bucket: noted.bucket, height: held?.height ?? 0, best: this.#best });
    }
    return held;
  }

  /** Which of the two a transaction was confirmed by; undefined if it could be either. */
  #kindOf({ fee, feeRate, priority }: Offer): Kind | undefined {
    const limits = this.#limits;
    const paysLittle = feeRate < FEES.from || feeRate < limits.fee.unlikely;
    const byPriority =
      (feeRate < FEES.from && priority >= PRIORITIES.from) || (paysLittle && priority > limits.priority.likely);
    if (fee === 0n || byPriority) return 'priority';
    const byFee =
      (priority < PRIORITIES.from && feeRate >= FEES.from) ||
      (priority < limits.priority.unlikely && feeRate > limits.fee.likely);
    return byFee ? 'fee' : undefined;
  }

  #limitsOf(kind: Kind): { likely: number; unlikely: number } {
    return {
      likely: this.#median(kind, { within: SOON, part: LIKELY_PART, above: true }) ?? Number.POSITIVE_INFINITY,
      unlikely: this.#median(kind, { within: LATE, part: UNLIKELY_PART, above: false }) ?? 0,
    };
  }

  #median(kind: Kind, query: { within: number; part: number; above: boolean }): number | undefined {
    if (query.within < 1 || query.within > MOST_BLOCKS) return undefined;
    const enough = kind === 'fee' ? ENOUGH_FEES : ENOUGH_PRIORITIES;
    return medianPayment(this.#stats[kind], { ...query, enough, height: this.#best });
  }
}

function measured({ feeRate, priority }: Offer, kind: Kind): number {
  return kind === 'fee' ? feeRate : priority;
}

/** The coins that a transaction spends, each with the height of its block; unconfirmed coins have no age and are left out. */
export type SpentCoin = { readonly value: bigint; readonly height: number };

/** Bytes of an input that do not count against its transaction, so that spending small coins is not discouraged. */
const FREE_INPUT_BYTES = 41;
const MOST_FREE_SCRIPT_BYTES = 110;

/** Satoshis times their age in blocks per byte, by which transactions without a fee were once accepted. */
export function transactionPriority(transaction: {
  readonly spent: readonly SpentCoin[];
  /** Bytes of each input script. */
  readonly scripts: readonly number[];
  /** Bytes of the transaction. */
  readonly size: number;
  /** Height of the chain. */
  readonly height: number;
}): number {
  const { spent, scripts, size, height } = transaction;
  const weight = spent.reduce((sum, coin) => sum + Number(coin.value) * Math.max(0, height - coin.height), 0);
  const free = scripts.reduce((sum, bytes) => sum + FREE_INPUT_BYTES + Math.min(MOST_FREE_SCRIPT_BYTES, bytes), 0);
  const counted = size > free ? size - free : size;
  return counted === 0 ? 0 : weight / counted;
}
