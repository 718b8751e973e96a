import type { Other } from './other.ts';
import type { Rpc } from './rpc.ts';

/** Fewest, usual and most relays in the own mesh. */
const SIZES = { light: { low: 2, usual: 4, high: 6 }, relay: { low: 4, usual: 8, high: 12 } } as const;

export type MeshOptions = {
  readonly role: 'relay' | 'light';
  readonly others: () => Iterable<Other>;
  readonly tell: (other: Other, rpc: Partial<Rpc>) => void;
};

/** The relays to which a node sends everything, and how it keeps as many as it wants. */
export class Mesh {
  readonly #options: MeshOptions;
  readonly #size: { readonly low: number; readonly usual: number; readonly high: number };

  constructor(options: MeshOptions) {
    this.#options = options;
    this.#size = SIZES[options.role];
  }

  /** Takes what a node says of itself as a relay. */
  hear(other: Other, { iAmRelay, included }: Rpc): void {
    if (iAmRelay === true && other.topics.size === 0) {
      other.isRelay = true;
      if (this.#members().length < this.#size.low) this.#include(other);
    }
    if (included !== null && this.#options.role === 'relay') this.#included(other, included.included);
  }

  maintain(): void {
    const { low, usual, high } = this.#size;
    const outside = [...this.#options.others()].find(({ isRelay, inMesh }) => isRelay && !inMesh);
    if (this.#members().length < low && outside !== undefined) this.#include(outside);
    if (this.#members().length > high) for (const other of this.#members().slice(usual)) this.#exclude(other);
    const members = this.#members();
    for (const other of members) this.#options.tell(other, { meshSize: members.length });
  }

  #included(other: Other, included: boolean): void {
    if (!included) {
      other.includesUs = false;
      other.inMesh = false;
    } else if (!other.isRelay) other.includesUs = true;
    else if (this.#members().length > this.#size.high) this.#exclude(other);
    else other.inMesh = true;
  }

  #include(other: Other): void {
    other.inMesh = true;
    this.#options.tell(other, { included: { included: true, meshSize: this.#members().length } });
  }

  #exclude(other: Other): void {
    other.inMesh = false;
    this.#options.tell(other, { included: { included: false, meshSize: this.#members().length } });
  }

  #members(): readonly Other[] {
    return [...this.#options.others()].filter(({ inMesh }) => inMesh);
  }
}
