import type { Party } from './party.ts';

/** Seconds for which somebody who was killed is away. */
const DOWN = 15;

type Strike = (fallen: readonly Party[]) => Promise<void>;

/** Who was killed, and is started again over its log a while later. */
export class Falls {
  readonly #parties: readonly Party[];
  readonly #strike: Strike;
  #since: number | null = null;

  /** `strike`: told once of those who are away, before any of them is back. */
  constructor(parties: readonly Party[], strike: Strike) {
    this.#parties = parties;
    this.#strike = strike;
  }

  all(): readonly Party[] {
    return this.#parties.filter((party) => party.fell());
  }

  /** It is this late now, in seconds. */
  async pass(now: number): Promise<void> {
    const fallen = this.all();
    if (fallen.length === 0) return;
    if (this.#since === null) {
      this.#since = now;
      await this.#strike(fallen);
    }
    if (now < this.#since + DOWN) return;
    this.#since = null;
    for (const party of fallen) await party.revive();
  }
}
