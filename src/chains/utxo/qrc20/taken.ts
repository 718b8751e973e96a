import type { Made } from '../made.ts';
import type { Purse } from '../purse.ts';
import type { ChainIndex } from '../reader.ts';
import { movedBy } from './calls.ts';

type TakenOptions = {
  readonly token: string;
  readonly account: string;
  readonly purse: Purse;
  readonly index: ChainIndex;
};

/** What is promised of a token: by transactions that are signed and in no block, and for swaps. In base units. */
export class TokenTaken {
  readonly #options: TakenOptions;
  /** By id, what was signed and not given back. */
  readonly #signed = new Map<string, Made>();
  /** By swap. */
  readonly #held = new Map<string, bigint>();

  constructor(options: TakenOptions) {
    this.#options = options;
  }

  take(made: Made): void {
    this.#signed.set(made.txid, made);
  }

  giveBack({ txid }: Pick<Made, 'txid'>): void {
    this.#signed.delete(txid);
  }

  hold(swap: string, amount: bigint): void {
    if (amount === 0n) this.#held.delete(swap);
    else this.#held.set(swap, amount);
  }

  /** A swap has signed for a part of what is held for it. */
  spend(swap: string, amount: bigint): void {
    const held = this.#held.get(swap);
    if (held !== undefined) this.hold(swap, held > amount ? held - amount : 0n);
  }

  heldByOthers(swap: string): bigint {
    return [...this.#held].reduce((sum, [of, amount]) => (of === swap ? sum : sum + amount), 0n);
  }

  /** What is signed for and may still be moved. Of several that take the same coins at most one is: the largest. `beside`: one whose place another takes. */
  signed(beside: Pick<Made, 'tx'> | null): bigint {
    const { purse, index } = this.#options;
    const open = [...this.#signed.values()].filter(
      (made) =>
        (index.get(made.txid)?.height ?? null) === null &&
        purse.conflictDepth(made) === 0 &&
        (beside === null || !areRivals(made, beside)),
    );
    const largest = open.filter(
      (made) => !open.some((other) => other !== made && areRivals(made, other) && this.#isMore(other, made)),
    );
    return largest.reduce((sum, made) => sum + movedBy(made, this.#options), 0n);
  }

  #isMore(left: Made, right: Made): boolean {
    const [more, less] = [movedBy(left, this.#options), movedBy(right, this.#options)];
    return more > less || (more === less && left.txid > right.txid);
  }
}

function areRivals(left: Pick<Made, 'tx'>, right: Pick<Made, 'tx'>): boolean {
  const points = new Set(left.tx.inputs.map(({ txid, vout }) => `${txid}:${vout}`));
  return right.tx.inputs.some(({ txid, vout }) => points.has(`${txid}:${vout}`));
}
