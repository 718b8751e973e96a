import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { createFewLines, type FewLines } from '../few-lines.ts';
import { addressText, isLoopback, type PeerAddress, sourceOf } from './address.ts';
import { type Bans, createBans } from './bans.ts';
import { checkClock } from './clock-check.ts';
import { keepPinging } from './keeping.ts';
import type { NetworkLimits } from './limits.ts';
import type { Link } from './link.ts';

export type LinksOptions = {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: NetworkLimits;
  readonly bytes: (count: number) => Uint8Array;
  readonly self: () => string;
  /** A link that is kept. */
  readonly onLink: (link: Link) => void;
  /** Whether gossip works on a link of that age in milliseconds. */
  readonly isWell: (link: Link, age: number) => boolean;
};

/** The links of a node: one for each other node, no more than there is room for, and none to banned nodes. */
export class Links {
  readonly #options: LinksOptions;
  readonly #bans: Bans;
  readonly #links = new Map<string, Link>();
  readonly #banLines: FewLines;
  readonly #clockLines: FewLines;

  constructor(options: LinksOptions) {
    this.#options = options;
    this.#bans = createBans(options.limits.bans);
    this.#banLines = createFewLines(options.clock);
    this.#clockLines = createFewLines(options.clock);
  }

  list(): readonly Link[] {
    return [...this.#links.values()];
  }

  admits(caller: { readonly host: string; readonly id: string | null }): boolean {
    const { clock, limits } = this.#options;
    if (this.#bans.has(caller, clock.now())) return false;
    if (isLoopback(caller.host)) return true;
    const source = sourceOf(caller.host);
    return this.list().filter(({ host }) => sourceOf(host) === source).length < limits.perAddress;
  }

  take(link: Link): void {
    const known = this.#links.get(link.id);
    const isFull = known === undefined && !link.dialed && this.#links.size >= this.#options.limits.links;
    if (isFull || (known !== undefined && !this.#replaces(link, known))) {
      link.drop();
      return;
    }
    known?.drop();
    this.#links.set(link.id, link);
    link.onEnd(() => {
      if (this.#links.get(link.id) === link) this.#links.delete(link.id);
    });
    this.#options.onLink(link);
    this.#keep(link);
  }

  /** Ends a link because the other side broke the protocol. */
  ban(link: Link, fault: string): void {
    const { clock, logger } = this.#options;
    this.#bans.add(link, clock.now());
    this.#banLines((more) =>
      logger.warn('a node was banned', { peer: shortId(link), address: link.host, fault, ...more }),
    );
    link.drop();
  }

  /** If both sides dialed at once, both must keep the same link; else the newer one, since the older may have died unnoticed. */
  #replaces(link: Link, known: Link): boolean {
    if (link.dialed === known.dialed) return true;
    const dialedBySmaller = (of: Link): boolean => of.dialed === this.#options.self() < of.id;
    return dialedBySmaller(link);
  }

  #keep(link: Link): void {
    const { clock, limits, bytes, logger, isWell } = this.#options;
    const since = clock.now();
    keepPinging(link, { clock, bytes, ...limits.ping, isWell: () => isWell(link, clock.now() - since) });
    const onFault = (ahead: number | null): void => {
      const fields = { peer: shortId(link), address: link.host, seconds_ahead: ahead };
      this.#clockLines((more) => logger.warn('a node whose clock differs was left', { ...fields, ...more }));
      link.drop();
    };
    void checkClock(link, { clock, ...limits.time, onFault });
  }
}

/** The end of a peer id: the whole of it would be taken for a secret and omitted from the log. */
function shortId({ id }: Link): string {
  return id.slice(-8);
}

/** What to report about an unreachable address. */
export function dialFailure(address: PeerAddress, pause: number, error: unknown) {
  const { code, name, message } = (error ?? {}) as Readonly<Record<'code' | 'name' | 'message', unknown>>;
  const reason = error === null ? 'the link ended' : String(code ?? message ?? name).slice(0, 200);
  return { address: addressText(address), reason, next_try_ms: pause };
}
