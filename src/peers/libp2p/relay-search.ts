import type { Clock, Random } from '../../ports/clock.ts';
import type { Millis } from '../../primitives/time.ts';
import { addressText, isLoopback, type PeerAddress, sourceOf } from './address.ts';
import { shuffled } from './drawing.ts';
import type { Link } from './link.ts';
import { createRelayBook, type ToldRelay } from './relay-book.ts';

/** How a light node keeps enough relays. Moments are in milliseconds. */
export type SearchLimits = {
  /** With fewer relays than the least it looks for others, until it has the usual number; it never keeps more than the most. */
  readonly least: number;
  readonly usual: number;
  readonly most: number;
  /** Between two checks of their number. */
  readonly look: number;
  /** From the start until it first asks for others, between two questions, and until an answer is no longer awaited. */
  readonly ask: { readonly first: number; readonly every: number; readonly timeout: number };
  /** Between two attempts to reach the same one. */
  readonly again: number;
  /** Relays that are remembered. */
  readonly known: number;
};

export type SearchOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: SearchLimits;
  /** Relays to which there is a link. */
  readonly relays: () => readonly Link[];
  /** Addresses to try if nodes announce too few. */
  readonly spare: readonly PeerAddress[];
  readonly ask: (relay: Link) => Promise<readonly ToldRelay[] | null>;
  readonly dial: (address: PeerAddress) => Promise<Link>;
  /** Whether a link to it is allowed. */
  readonly admits: (relay: { readonly host: string; readonly id: string }) => boolean;
  /** Called when the search has reached a relay. */
  readonly onFound: (address: PeerAddress) => void;
};

export type Search = {
  /** Forgets what a node has told. */
  readonly distrust: (link: Link) => void;
  readonly stop: () => void;
};

/**
 * Asks relays for others and dials some if there are too few, by the numbers and the pauses of the framework.
 *
 * - O10: a node that the search found and that does not say that it is a relay by the next check is dropped, and if there are too many relays those
 *   that nobody has named to this node leave. So an answer costs at most {@link SearchLimits.usual} links at a time.
 */
export function keepSearching(options: SearchOptions): Search {
  const { clock, limits } = options;
  const search = new RelaySearch(options);
  let cancels: (() => void)[] = [];
  const every = (index: number, { first, pause, act }: { first: number; pause: number; act: () => void }): void => {
    cancels[index] = clock.wakeAt((clock.now() + first) as Millis, () => {
      act();
      every(index, { first: pause, pause, act });
    });
  };
  every(0, { first: limits.look, pause: limits.look, act: () => search.look() });
  every(1, { first: limits.ask.first, pause: limits.ask.every, act: () => void search.ask() });
  return {
    distrust: (link) => search.book.forget(tellerOf(link)),
    stop() {
      for (const cancel of cancels) cancel();
      cancels = [];
      search.stop();
    },
  };
}

/** The teller: an address, since identities cost nothing; on this host each identity by itself. */
function tellerOf({ id, host }: Link): string {
  return isLoopback(host) ? id : sourceOf(host);
}

class RelaySearch {
  readonly book;
  readonly #options: SearchOptions;
  /** When an address was last dialed. */
  readonly #dialed = new Map<string, number>();
  /** Links that this search has made, when, and to which address. */
  readonly #found = new Map<Link, { readonly since: number; readonly address: string }>();
  #dialing = 0;
  #over = false;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.book = createRelayBook(options.limits.known);
  }

  stop(): void {
    this.#over = true;
  }

  /** Asks one relay after the other until one announces some. */
  async ask(): Promise<void> {
    const { random, relays, ask } = this.#options;
    for (const relay of shuffled(relays(), random)) {
      const told = await ask(relay);
      if (this.#over) return;
      // Announcements of a node banned meanwhile do not count.
      if (!relays().includes(relay)) continue;
      this.book.tell(tellerOf(relay), told ?? []);
      if (told !== null && told.length > 0) return;
    }
  }

  look(): void {
    const { clock, limits, relays } = this.#options;
    const now = clock.now();
    const linked = new Set(relays());
    for (const [link, { since }] of this.#found) if (!linked.has(link) && now - since >= limits.look) link.drop();
    for (const link of [...this.#found.keys()].slice(0, Math.max(0, linked.size - limits.most))) link.drop();
    for (const [address, at] of this.#dialed) if (now < at || now - at >= limits.again) this.#dialed.delete(address);
    if (linked.size >= limits.least) return;
    const underWay = [...this.#found.keys()].filter((link) => !linked.has(link)).length + this.#dialing;
    const wanted = Math.max(0, limits.usual - linked.size - underWay);
    for (const address of this.#candidates([...linked]).slice(0, wanted)) void this.#dial(address);
  }

  #candidates(linked: readonly Link[]): readonly PeerAddress[] {
    const { random, spare, admits } = this.#options;
    const [hosts, ids] = [new Set(linked.map(({ host }) => host)), new Set(linked.map(({ id }) => id))];
    const told = this.book.drawn(
      random,
      ({ id, address: { host } }) => !hosts.has(host) && !ids.has(id) && admits({ host, id }),
    );
    const taken = new Set([...this.#found.values()].map(({ address }) => address));
    return [...told.map(({ address }) => address), ...shuffled(spare, random)].filter((address) => {
      const text = addressText(address);
      return !this.#dialed.has(text) && !taken.has(text);
    });
  }

  async #dial(address: PeerAddress): Promise<void> {
    const { clock, dial, onFound } = this.#options;
    const text = addressText(address);
    this.#dialed.set(text, clock.now());
    this.#dialing += 1;
    try {
      const link = await dial(address);
      if (this.#over) return;
      this.#found.set(link, { since: clock.now(), address: text });
      link.onEnd(() => void this.#found.delete(link));
      onFound(address);
    } catch {
      // Others may announce unreachable relays.
    } finally {
      this.#dialing -= 1;
    }
  }
}
