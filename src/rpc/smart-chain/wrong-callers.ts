import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';

/** Milliseconds that one log line about an address covers. */
const QUIET_MS = 60_000;

/** Maximum number of addresses counted separately; all others count as one. */
const MOST_ADDRESSES = 256;

/** Logs wrong credentials: the first ones from an address at once, then once a minute the number of further ones. */
export class WrongCallers {
  readonly #terms: { readonly clock: Clock; readonly logger: Logger };
  readonly #told = new Map<string, { readonly since: number; more: number }>();

  constructor(terms: { readonly clock: Clock; readonly logger: Logger }) {
    this.#terms = terms;
  }

  note(from: string | undefined): void {
    const { clock, logger } = this.#terms;
    const now = clock.now();
    const known = this.#told.has(from ?? '') || this.#told.size < MOST_ADDRESSES;
    const name = known ? (from ?? '') : 'others';
    const told = this.#told.get(name);
    if (told !== undefined && now < told.since + QUIET_MS) {
      told.more += 1;
      return;
    }
    this.#told.delete(name);
    this.#told.set(name, { since: now, more: 0 });
    const more = told === undefined || told.more === 0 ? {} : { more: told.more };
    logger.warn('a call came with wrong credentials', { from: name === 'others' ? name : from, ...more });
  }
}
