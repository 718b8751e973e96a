/** Where an input points: an output of an earlier draft of the same sequence, or nothing that ever was. */
export type Ref = { readonly tx: number; readonly vout: number };

/** Of no draft. */
export const NOWHERE = -1;

export type DraftUnlock =
  | 'key'
  | 'wrongKey'
  | 'secret'
  | 'wrongSecret'
  /** A watcher's preimage: signed, without the secret. */
  | 'bare'
  | 'refund'
  /** A refund that the receiver signed. */
  | 'foreignRefund';

export type DraftInput = {
  readonly from: Ref;
  readonly unlock: DraftUnlock;
  readonly sequence: 'final' | 'locked' | 'replaceable';
};

export type DraftOutput =
  /** `value` in base units; `rest`: what is left once the fee is paid. */
  | { readonly kind: 'key'; readonly value: bigint | 'rest' }
  | { readonly kind: 'htlc'; readonly value: bigint; readonly lock: number }
  /** Bytes that nobody can spend; with a value they are burned. */
  | { readonly kind: 'data'; readonly value: bigint };

/**
 * What the miner gets, against what is needed: the least that nodes relay, or that replaces what waits by the rules of BIP 125.
 */
export type FeeLevel = 'none' | 'below' | 'least' | 'double' | 'negative';

/** A transaction as both chains are to be given it; ids, keys, sizes and so fees are each chain's own. */
export type Draft = {
  readonly inputs: readonly DraftInput[];
  readonly outputs: readonly DraftOutput[];
  /** Seconds since 1970, or 0. */
  readonly lockTime: number;
  readonly fee: FeeLevel;
};

/** The coins with which every sequence begins: outputs of draft 0, all by the sender's key. */
export const COINS = 4;
export const COIN = 10_000_000n;
export const LOCKED = 4_000_000n;
/** More than any fee: what an output may have lost on its way against what its draft says. */
export const SLACK = 700_000n;

export const FUNDING: Draft = {
  inputs: [],
  outputs: Array.from({ length: COINS }, () => ({ kind: 'key', value: COIN }) as const),
  lockTime: 0,
  fee: 'least',
};

export const sameRef = (left: Ref, right: Ref): boolean => left.tx === right.tx && left.vout === right.vout;

/** Where a transaction stands: its depth, 0 while it waits, null where the chain does not hold it. */
export type Standing = number | null;

/** What a chain says to a transaction, in the words of the chain port. */
export type Verdict =
  | 'sent'
  | 'known'
  | 'confirmed'
  | 'invalid'
  | 'notFinal'
  | 'feeTooLow'
  | 'noReplacement'
  | 'tooManyAncestors'
  | 'inputsSpent'
  | 'parentsUnknown'
  | 'other';

/** The drafts of one sequence with the standing of each on one chain, from which all else follows. */
export class Book {
  readonly drafts: Draft[] = [FUNDING];
  /** The height of each draft's block; 0 while it waits, null where it is nowhere. */
  readonly places: (number | null)[] = [];
  readonly ever = new Set<number>();
  tip = 0;

  standing(tx: number): Standing {
    const place = this.places[tx] ?? null;
    return place === null || place === 0 ? place : this.tip - place + 1;
  }

  /** Drafts that take an output, whatever their standing. */
  takers(ref: Ref): readonly number[] {
    return [...this.drafts.keys()].filter((tx) => this.drafts[tx]?.inputs.some(({ from }) => sameRef(from, ref)));
  }

  /** The draft that takes an output, in the chain or waiting. */
  takerOf(ref: Ref, but: number): number | undefined {
    return this.takers(ref).find((tx) => tx !== but && this.standing(tx) !== null);
  }

  /** What waits and takes the same as a draft. */
  rivals(tx: number): readonly number[] {
    const found = new Set<number>();
    for (const { from } of this.drafts[tx]?.inputs ?? []) {
      const taker = this.takerOf(from, tx);
      if (taker !== undefined && this.standing(taker) === 0) found.add(taker);
    }
    return [...found];
  }

  /** These and all that waits and depends on them. */
  withDescendants(roots: readonly number[]): ReadonlySet<number> {
    const found = new Set(roots);
    for (const tx of found) {
      for (const [child, { inputs }] of this.drafts.entries()) {
        if (this.standing(child) === 0 && inputs.some(({ from }) => from.tx === tx)) found.add(child);
      }
    }
    return found;
  }

  /** How deep something lies that makes a draft impossible, through parents that are nowhere; 0 for nothing. */
  conflictDepth(tx: number): number {
    let deepest = 0;
    for (const { from } of this.drafts[tx]?.inputs ?? []) {
      const taker = this.takerOf(from, tx);
      if (taker !== undefined) deepest = Math.max(deepest, this.standing(taker) ?? 0);
      if (from.tx !== NOWHERE && this.standing(from.tx) === null) {
        deepest = Math.max(deepest, this.conflictDepth(from.tx));
      }
    }
    return deepest;
  }

  /** A draft was taken into the mempool: what it replaces is gone. */
  enter(tx: number): void {
    for (const left of this.withDescendants(this.rivals(tx))) this.places[left] = null;
    this.places[tx] = 0;
    this.ever.add(tx);
  }
}
