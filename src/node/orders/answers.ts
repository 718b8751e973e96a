import type { Millis } from '../../primitives/time.ts';
import { MATCH_TIMEOUT, type MakerMatch } from './model.ts';

/** What a taker is known by: anyone can repeat the uuid of another's request. */
export type Asker = { readonly uuid: string; readonly from: string };

/**
 * Most answers that are kept. A relay that sends all that it may needs some 15 seconds to push one out (`USUAL_LIMITS`), and takers connect within a
 * few. Of the orders that a request names the answered one alone is kept, so that each is some hundred bytes.
 */
const MOST_KEPT = 10_000;

/**
 * Takers that were answered and have not connected. They hold no volume, so asking in many names gains nothing.
 *
 * - X5: a taker is known by its key and the uuid of its request; what another key asks under the same uuid changes nothing for it.
 */
export class Answers {
  readonly #most: number;
  /** The oldest first. */
  readonly #kept = new Map<string, MakerMatch>();
  readonly #counts = new Map<string, number>();

  constructor(most = MOST_KEPT) {
    this.#most = most;
  }

  get({ uuid, from }: Asker): MakerMatch | undefined {
    return this.#kept.get(nameOf(uuid, from));
  }

  /** Keeps an answer, which replaces an earlier one to the same taker. If there are too many, the oldest goes. */
  keep(match: MakerMatch): void {
    const { request, from } = match;
    this.drop({ uuid: request.uuid, from });
    for (const oldest of this.#kept.values()) {
      if (this.#kept.size < this.#most) break;
      this.drop({ uuid: oldest.request.uuid, from: oldest.from });
    }
    this.#kept.set(nameOf(request.uuid, from), match);
    this.#counts.set(from, this.countOf(from) + 1);
  }

  drop({ uuid, from }: Asker): void {
    if (!this.#kept.delete(nameOf(uuid, from))) return;
    const left = this.countOf(from) - 1;
    if (left > 0) this.#counts.set(from, left);
    else this.#counts.delete(from);
  }

  /** How many of one key are kept. */
  countOf(from: string): number {
    return this.#counts.get(from) ?? 0;
  }

  /** Those that an order gave. */
  of(order: string): readonly MakerMatch[] {
    return [...this.#kept.values()].filter(({ reserved }) => reserved.maker_order_uuid === order);
  }

  /** Lets go of those whose time is over. */
  expire(now: Millis): void {
    for (const match of this.#kept.values()) {
      if (endOfAnswer(match) > now) return;
      this.drop({ uuid: match.request.uuid, from: match.from });
    }
  }

  /** When the time of the first is over. */
  next(): number {
    const [oldest] = this.#kept.values();
    return oldest === undefined ? Number.POSITIVE_INFINITY : endOfAnswer(oldest);
  }
}

/** From when on nobody can connect to it. */
export function endOfAnswer({ last_updated }: MakerMatch): number {
  return last_updated + MATCH_TIMEOUT * 1000;
}

function nameOf(uuid: string, from: string): string {
  return `${uuid} ${from}`;
}
