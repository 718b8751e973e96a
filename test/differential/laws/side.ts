import { Book, type Draft, FUNDING, NOWHERE } from './draft.ts';

/** A draft as one chain has it. */
export type Built = {
  readonly hex: string;
  readonly id: string;
  /** Of each output, in base units. */
  readonly values: readonly bigint[];
  readonly fee: bigint;
  /** As this chain measures it for fees. */
  readonly size: number;
};

/** What is particular to a chain when a draft becomes a transaction. */
export type Maker = {
  /** Lays a draft out with these values and signs it. */
  readonly make: (draft: Draft, values: readonly bigint[], side: Side) => Pick<Built, 'hex' | 'id' | 'size'>;
  /** The least fee at which a higher price than that of a transaction that waits is paid. */
  readonly dearer: (rival: Built, size: number) => bigint;
  /** Where the coins of the sequence are. */
  readonly funding: Pick<Built, 'hex' | 'id'>;
};

/** Nodes relay from one base unit a byte on, on either chain. */
const RELAY = 1n;

/** One sequence on one chain: its drafts, as transactions, and where each of them stands. */
export class Side {
  readonly book = new Book();
  readonly built: (Built | null)[] = [];
  readonly #maker: Maker;

  constructor(maker: Maker) {
    this.#maker = maker;
    const values = FUNDING.outputs.map(({ value }) => value as bigint);
    this.built.push({ ...maker.funding, values, fee: 0n, size: 200 });
    this.book.ever.add(0);
  }

  txid(tx: number): string {
    return tx === NOWHERE ? 'ee'.repeat(32) : ((this.built[tx] as Built | null)?.id ?? 'dd'.repeat(32));
  }

  /** Makes the last draft of the book. Null where no value is left for it. */
  build(draft: Draft): Built | null {
    const tx = this.book.drafts.length - 1;
    const taken = draft.inputs.reduce((total, { from }, place) => {
      const isTwice = draft.inputs.findIndex((other) => other.from.tx === from.tx && other.from.vout === from.vout);
      return isTwice === place ? total + (this.built[from.tx]?.values[from.vout] ?? 0n) : total;
    }, 0n);
    const given = draft.outputs.reduce((total, { value }) => total + (value === 'rest' ? 0n : value), 0n);
    const valuesAt = (fee: bigint) =>
      draft.outputs.map(({ value }) => (value === 'rest' ? taken - given - fee : value));
    const sized = this.#maker.make(draft, valuesAt(0n), this).size;
    const fee = this.#feeOf(draft, { tx, size: sized });
    const values = valuesAt(fee);
    const hasRest = draft.outputs.some(({ value }) => value === 'rest');
    const made = values.some((value) => value < 0n) ? null : this.#maker.make(draft, values, this);
    const built = made === null ? null : { ...made, values, fee: hasRest ? fee : taken - given };
    if (built !== null && built.size !== sized) throw new Error('the size of a transaction depends on its signature');
    this.built[tx] = built;
    return built;
  }

  #feeOf({ fee }: Draft, { tx, size }: { readonly tx: number; readonly size: number }): bigint {
    const least = this.#least(tx, size);
    if (fee === 'negative') return -1n;
    if (fee === 'none') return 0n;
    if (fee === 'below') return least - 1n;
    return fee === 'double' ? 2n * least : least;
  }

  /** What is relayed and replaces all that is in the way (BIP 125, rules 3, 4 and 6). */
  #least(tx: number, size: number): bigint {
    const relayed = RELAY * BigInt(size);
    const rivals = this.book.rivals(tx);
    if (rivals.length === 0) return relayed;
    let least = relayed;
    for (const left of this.book.withDescendants(rivals)) least += (this.built[left] as Built).fee;
    for (const rival of rivals) {
      const price = this.#maker.dearer(this.built[rival] as Built, size);
      if (price > least) least = price;
    }
    return least;
  }
}
