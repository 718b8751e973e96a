import { BackendSilent } from '../../../ports/silence.ts';
import type { JsonValue } from '../../../primitives/json.ts';
import { type UnixSeconds, unixSecondsOf } from '../../../primitives/time.ts';
import type { ElectrumCall } from './connection.ts';
import { type Header, headerOf } from './header.ts';
import { type ElectrumVoice, Unsteady, VoiceAtFault } from './panel.ts';

/** A block and its header. */
export type Head = { readonly height: number; readonly header: Header };

/**
 * How far below the tip headers are chained. What lies deeper is believed when as many servers as it takes say the same of it: a proof that
 * leads to a header which nothing but their word supports would add nothing.
 */
export const CHAINED = 500;

/** Headers of the best chain, each the parent of the next. */
export class Branch {
  readonly #headers = new Map<number, Header>();
  /** Null before it is known. */
  #chainable: boolean | null = null;
  #tip: Head | null = null;
  #lowest = 0;
  #turns = 0;
  readonly #medianBlocks: number;

  constructor(medianBlocks: number) {
    this.#medianBlocks = medianBlocks;
  }

  get tip(): Head | null {
    return this.#tip;
  }

  /** Rises at every reorganization. */
  get turns(): number {
    return this.#turns;
  }

  at(height: number): Header | undefined {
    return this.#headers.get(height);
  }

  /** Whether a proof can lead to a header that the tip stands on. */
  isProvable(height: number): boolean {
    return this.#chainable === true && this.#tip !== null && height > this.#tip.height - CHAINED;
  }

  /** Median time past of the tip. */
  clock(): UnixSeconds {
    const times = [...this.#headers]
      .filter(([height]) => this.#tip !== null && height > this.#tip.height - this.#medianBlocks)
      .map(([, { time }]) => time)
      .sort((left, right) => left - right);
    return times[Math.floor(times.length / 2)] ?? unixSecondsOf(0);
  }

  /**
   * Moves to another tip, and asks for the headers between.
   *
   * @param voices servers that stand on it: the first is asked where hashes chain the headers; otherwise all, who must say the same
   * @throws VoiceAtFault, Unsteady, BackendSilent, ConnectionLost
   */
  async moveTo(head: Head, voices: readonly ElectrumVoice[]): Promise<void> {
    if (this.#tip?.height === head.height && this.#tip.header.hash === head.header.hash) return;
    const before = this.#chainable;
    if (before !== true) this.#chainable = await areChained(head, voices);
    // What was read on the word of servers alone is read again.
    const isFirst = before === false && this.#chainable === true;
    const fresh = new Map([[head.height, head.header]]);
    const least = Math.max(0, head.height - this.#medianBlocks + 1);
    const known = this.#tip;
    const isFar = known === null || isFirst || head.height <= this.#lowest || head.height - known.height > CHAINED;
    const floor = isFar ? least : this.#lowest;
    // Without linked hashes, only the old tip, read again, shows that the blocks below are unchanged.
    const again = (known?.height ?? 0) + (this.#chainable === true ? 1 : 0);
    let below = head.height - 1;
    while (below >= floor && (isFar || !this.#joins(below, fresh))) {
      const from = Math.max(floor, isFar ? floor : Math.min(below, again));
      await this.#read({ from, to: below }, { voices, into: fresh });
      below = from - 1;
    }
    this.#take(head, { fresh, isFar });
    if (isFar) this.#lowest = least;
    await this.reach(least, voices);
    this.#prune();
  }

  /** Has the headers down to a height. @throws VoiceAtFault, Unsteady, BackendSilent, ConnectionLost */
  async reach(height: number, voices: readonly ElectrumVoice[]): Promise<void> {
    if (height >= this.#lowest) return;
    const fresh = new Map<number, Header>();
    await this.#read({ from: height, to: this.#lowest - 1 }, { voices, into: fresh });
    for (const [at, header] of fresh) this.#headers.set(at, header);
    this.#lowest = height;
  }

  /** The header of a block at any depth. @throws VoiceAtFault, Unsteady, BackendSilent, ConnectionLost */
  async header(height: number, voices: readonly ElectrumVoice[]): Promise<Header> {
    if (this.isProvable(height)) await this.reach(height, voices);
    const found = this.#headers.get(height) ?? (await sameHeaders([height], voices))[0];
    if (found === undefined) throw new BackendSilent('an Electrum server sends no header for a block');
    return found;
  }

  /** Whether the headers that were read link to those known at a height and below. */
  #joins(below: number, fresh: ReadonlyMap<number, Header>): boolean {
    const upper = fresh.get(below + 1);
    if (upper === undefined) return false;
    if (this.#chainable === true) return this.#headers.get(below)?.hash === upper.previous;
    return this.#headers.get(below + 1)?.hash === upper.hash;
  }

  async #read(
    { from, to }: { readonly from: number; readonly to: number },
    { voices, into }: { readonly voices: readonly ElectrumVoice[]; readonly into: Map<number, Header> },
  ): Promise<void> {
    const heights = Array.from({ length: to - from + 1 }, (_, place) => from + place);
    const [first] = voices;
    if (first === undefined) throw new BackendSilent('no Electrum server answers');
    const found = this.#chainable ? await headersOf(heights, first) : await sameHeaders(heights, voices);
    for (const [place, height] of [...heights.entries()].reverse()) {
      const header = found[place] as Header;
      const upper = into.get(height + 1) ?? this.#headers.get(height + 1);
      if (this.#chainable && upper !== undefined && upper.previous !== header.hash) {
        throw await brokenChain(first, height, header);
      }
      into.set(height, header);
    }
  }

  #take(head: Head, { fresh, isFar }: { readonly fresh: ReadonlyMap<number, Header>; readonly isFar: boolean }): void {
    const undone = [...this.#headers].filter(
      ([height, { hash }]) => isFar || height > head.height || (fresh.get(height)?.hash ?? hash) !== hash,
    );
    if (undone.length > 0) this.#turns += 1;
    for (const [height] of undone) this.#headers.delete(height);
    for (const [height, header] of fresh) this.#headers.set(height, header);
    this.#tip = head;
  }

  #prune(): void {
    const least = Math.max(this.#lowest, (this.#tip?.height ?? 0) - CHAINED - this.#medianBlocks);
    for (let height = this.#lowest; height < least; height++) this.#headers.delete(height);
    this.#lowest = least;
  }
}

/** If the tip has not moved, a broken chain is a lie; if it has, read again. */
async function brokenChain(voice: ElectrumVoice, height: number, header: Header): Promise<Error> {
  const [again] = await headersOf([height], voice);
  return again?.hash === header.hash
    ? new VoiceAtFault(voice, `sent a header of block ${height} that the next header does not name`)
    : new Unsteady('the active chain of a server changed while its headers were read', voice);
}

/**
 * Whether headers of this chain are named by their double SHA-256: the head, on which as many servers as it takes stand, names one by it. No server
 * can make up such a header, and a single one that has it is enough. Null where there is nothing below.
 */
async function areChained({ height, header }: Head, voices: readonly ElectrumVoice[]): Promise<boolean | null> {
  if (height < 1) return null;
  for (const voice of voices) {
    const [below] = await headersOf([height - 1], voice);
    if (below?.hash === header.previous) return true;
  }
  return false;
}

/** What most of them say of each. @throws BackendSilent where there is no such thing */
async function sameHeaders(heights: readonly number[], voices: readonly ElectrumVoice[]): Promise<readonly Header[]> {
  const told = await Promise.all(voices.map((voice) => headersOf(heights, voice)));
  return heights.map((height, place) => {
    const headers = told.flatMap((one) => one[place] ?? []);
    const most = headers.find(({ hash }) => 2 * headers.filter((other) => other.hash === hash).length > voices.length);
    if (most === undefined) throw new BackendSilent(`Electrum servers sent different headers of block ${height}`);
    return most;
  });
}

async function headersOf(heights: readonly number[], voice: ElectrumVoice): Promise<readonly Header[]> {
  const answers = await voice.batch(heights.map((height): ElectrumCall => ['blockchain.block.header', height]));
  return heights.map((height, place) => {
    const answer = answers[place];
    const told: JsonValue = answer !== undefined && 'result' in answer ? answer.result : null;
    const header = headerOf(told);
    if (header === null) throw new VoiceAtFault(voice, `sent no header of block ${height}`);
    return header;
  });
}
