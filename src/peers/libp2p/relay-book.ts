import type { Random } from '../../ports/clock.ts';
import type { PeerAddress } from './address.ts';
import { shuffled } from './drawing.ts';

/** A relay announced by another node, unverified. */
export type ToldRelay = { readonly id: string; readonly address: PeerAddress };

/** Relays announced by others. */
export type RelayBook = {
  /** Takes what a node has told, in place of what it told before. */
  readonly tell: (teller: string, relays: readonly ToldRelay[]) => void;
  /** Forgets what a node has told. */
  readonly forget: (teller: string) => void;
  /**
   * The wanted ones, each address once, in an unpredictable order. An unwanted one hides no other: a teller may name an honest
   * address with an id to which no link may be made.
   */
  readonly drawn: (random: Random, isWanted?: (relay: ToldRelay) => boolean) => readonly ToldRelay[];
  /** Relays that are remembered. */
  readonly size: () => number;
};

/**
 * - O9: no node fills the book: each source has a place of its own, and the book has a maximum size, above which it drops the relays of the source
 *   that spoke longest ago. Draws take turns among sources, so that one that announces much has no more weight than one that announces little.
 */
export function createRelayBook(most: number): RelayBook {
  const told = new Map<string, readonly ToldRelay[]>();
  const size = (): number => [...told.values()].reduce((sum, { length }) => sum + length, 0);
  return {
    tell(teller, relays) {
      told.delete(teller);
      if (relays.length === 0) return;
      told.set(teller, relays.slice(0, most));
      for (const oldest of told.keys()) {
        if (size() <= most) return;
        told.delete(oldest);
      }
    },
    forget: (teller) => void told.delete(teller),
    drawn(random, isWanted = () => true) {
      const lists = shuffled([...told.values()], random).map((relays) => shuffled(relays.filter(isWanted), random));
      const longest = Math.max(0, ...lists.map(({ length }) => length));
      const found = new Map<string, ToldRelay>();
      for (let turn = 0; turn < longest; turn++) {
        for (const list of lists) {
          const relay = list[turn];
          if (relay !== undefined && !found.has(relay.address.host)) found.set(relay.address.host, relay);
        }
      }
      return [...found.values()];
    },
    size,
  };
}
