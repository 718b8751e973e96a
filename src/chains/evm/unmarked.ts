import type { EvmAccount } from './account.ts';
import { type Made, madeOf } from './transaction.ts';

/**
 * What one coin has signed and nobody has marked or sent. When whoever uses the wallet has come back and has marked what its logs hold, the rest
 * is in no log, and its nonces are given back; but for what a node knows all the same.
 */
export class Unmarked {
  readonly #account: EvmAccount;
  readonly #made = new Map<string, Made>();

  constructor(account: EvmAccount) {
    this.#account = account;
  }

  note(hex: string): void {
    const made = madeOf(hex);
    if (made !== null) this.#made.set(made.id, made);
  }

  /** It is in a log, or on its way. */
  keep(id: string): void {
    this.#made.delete(id);
  }

  async giveBack(): Promise<void> {
    const found = [...this.#made.values()];
    this.#made.clear();
    if (found.length === 0) return;
    const look = await this.#account.reader.look();
    const known = await Promise.all(found.map(({ id }) => look.transaction(id)));
    for (const [place, made] of found.entries()) if (known[place] === null) this.#account.giveBack(made);
  }
}
