import type { Made } from '../made.ts';
import type { Purse } from '../purse.ts';
import { effectOf, type Owned } from './token-effect.ts';

/** More than any account owns. */
const ALL = 1n << 256n;

/**
 * What is promised of a token: by transactions that are signed and in no block, through whichever coin of the key they were signed or sent, and for swaps. In
 * base units.
 */
export class TokenTaken {
  readonly #owned: Owned & { readonly purse: Purse };
  /** By swap. */
  readonly #held = new Map<string, bigint>();

  constructor(owned: Owned & { readonly purse: Purse }) {
    this.#owned = owned;
  }

  hold(swap: string, amount: bigint): void {
    if (amount === 0n) this.#held.delete(swap);
    else this.#held.set(swap, amount);
  }

  /** A swap has signed for a part of its reservation. */
  spend(swap: string, amount: bigint): void {
    const held = this.#held.get(swap);
    if (held !== undefined) this.hold(swap, held > amount ? held - amount : 0n);
  }

  heldByOthers(swap: string): bigint {
    return [...this.#held].reduce((sum, [of, amount]) => (of === swap ? sum : sum + amount), 0n);
  }

  /**
   * What is signed for and may still be moved; more than any account has where nobody can tell. Of several that take the same coins at most one is: the
   * largest. `beside`: one whose place another takes.
   */
  signed(beside: Pick<Made, 'tx'> | null): bigint {
    const open = this.#open().filter(({ made }) => beside === null || !areRivals(made, beside));
    const largest = open.filter(
      (one) => !open.some((other) => other !== one && areRivals(one.made, other.made) && isMore(other, one)),
    );
    return largest.reduce((sum, { taken }) => sum + taken, 0n);
  }

  /** Whether unconfirmed signed transactions leave the allowances of swap contracts unchanged. */
  leavesApprovals(): boolean {
    return this.#open().every(({ changesApproval }) => !changesApproval);
  }

  #open(): readonly Open[] {
    const { purse, index } = this.#owned;
    return [...purse.taking()].flatMap((made) => {
      // First what is quick to tell: nearly all that was ever signed here lies in a block.
      if ((index.get(made.txid)?.height ?? null) !== null) return [];
      const { taken, changesApproval } = effectOf(made, this.#owned);
      if (taken === 0n && !changesApproval) return [];
      return purse.conflictDepth(made) === 0
        ? [{ made, changesApproval, taken: taken === 'unknown' ? ALL : taken }]
        : [];
    });
  }
}

type Open = { readonly made: Made; readonly taken: bigint; readonly changesApproval: boolean };

function isMore(left: Open, right: Open): boolean {
  return left.taken > right.taken || (left.taken === right.taken && left.made.txid > right.made.txid);
}

function areRivals(left: Pick<Made, 'tx'>, right: Pick<Made, 'tx'>): boolean {
  const points = new Set(left.tx.inputs.map(({ txid, vout }) => `${txid}:${vout}`));
  return right.tx.inputs.some(({ txid, vout }) => points.has(`${txid}:${vout}`));
}
