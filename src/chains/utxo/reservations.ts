import type { ChainFault } from '../../ports/chain.ts';
import type { Made } from './made.ts';

/** Why bytes that somebody signed must not go out, by what swaps need of a token; null where it takes none of that. */
export type Guard = (made: Made) => Promise<ChainFault | null>;

/**
 * What is promised of the coins of one key: by the coin of the chain itself, and by each token on it whose calls are paid with them. Whoever chooses
 * coins does it in turn, so that no two take the same.
 *
 * @example
 * ```ts
 * import { Reservations } from 'swapfold/chains/utxo';
 * import { BITCOIN_FORM, FINAL_SEQUENCE } from 'swapfold/htlc';
 *
 * const coin = { txid: 'ab'.repeat(32), vout: 1 };
 * const inputs = [{ ...coin, scriptSig: new Uint8Array(0), sequence: FINAL_SEQUENCE }];
 * const tx = { ...BITCOIN_FORM, inputs, outputs: [], lockTime: 0 };
 * const payment = { txid: 'cd'.repeat(32), hex: '', tx };
 * const reservations = new Reservations();
 * reservations.take(payment);
 * reservations.holders(`${coin.txid}:1`); // → [payment]
 * reservations.giveBack(payment);
 * reservations.isTaken(payment); // → false
 * ```
 */
export class Reservations {
  /** Everything that was signed here or told from an earlier process, by id. */
  readonly prepared = new Map<string, Made>();
  /** What each swap will still take, in base units, by a name of the swap and of whoever told it. */
  readonly held = new Map<string, bigint>();
  /** By ticker of each token that these coins pay for: bytes that go out through another coin may move it too. */
  readonly guards = new Map<string, Guard>();
  /** By outpoint, whatever takes it. */
  readonly #holders = new Map<string, readonly Made[]>();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs one after another, whatever becomes of each. */
  readonly inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  };

  take(made: Made): void {
    this.prepared.set(made.txid, made);
    for (const point of pointsOf(made)) {
      const others = this.holders(point).filter(({ txid }) => txid !== made.txid);
      this.#holders.set(point, [...others, made]);
    }
  }

  giveBack(made: Made): void {
    for (const point of pointsOf(made)) {
      const others = this.holders(point).filter(({ txid }) => txid !== made.txid);
      if (others.length === 0) this.#holders.delete(point);
      else this.#holders.set(point, others);
    }
  }

  /** Whether it was taken and not given back. */
  isTaken({ txid, tx }: Pick<Made, 'txid' | 'tx'>): boolean {
    return tx.inputs.some((input) => this.holders(`${input.txid}:${input.vout}`).some((made) => made.txid === txid));
  }

  /** What takes an outpoint, the latest last. */
  holders(point: string): readonly Made[] {
    return this.#holders.get(point) ?? [];
  }

  /** All that takes anything and was not given back. */
  taking(): ReadonlySet<Made> {
    return new Set([...this.#holders.values()].flat());
  }

  /** All that takes anything and was not given back, the latest of those that take the same. */
  latest(): ReadonlySet<Made> {
    return new Set([...this.#holders.values()].map((holders) => holders.at(-1) as Made));
  }
}

function pointsOf({ tx }: Made): readonly string[] {
  return tx.inputs.map(({ txid, vout }) => `${txid}:${vout}`);
}
