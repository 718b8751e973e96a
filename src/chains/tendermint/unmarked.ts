import type { TendermintAccount } from './account.ts';
import { type Made, madeOf } from './transaction.ts';

/**
 * What one coin has signed and nobody has marked or sent. When whoever uses the wallet has come back and has marked what its logs hold, the rest
 * is in no log, and its sequences are given back; but for what a node knows all the same.
 */
export class Unmarked {
  readonly #account: TendermintAccount;
  readonly #made = new Map<string, Made>();

  constructor(account: TendermintAccount) {
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
    const waiting = new Set((await look.waiting()).map((hex) => madeOf(hex)?.id));
    for (const made of found)
      if (!waiting.has(made.id) && (await look.included(made.id)) === null) this.#account.giveBack(made);
  }
}
