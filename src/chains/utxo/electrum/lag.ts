import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';

/** Blocks by which a server may be behind, and for how long by more of them, in milliseconds. */
const MOST_BEHIND = 2;
const PATIENCE_MS = 60_000;

/** How far one server is, by what it says of its own accord. */
export class Lag {
  #height: number | null = null;
  #since: number | null = null;

  /** Height of its best block; null before it has told one. */
  get height(): number | null {
    return this.#height;
  }

  /** Takes a header as servers tell it. */
  hear(said: JsonValue | undefined): void {
    const members = isJsonObject(said) ? said : {};
    const height = Number(numberText(members['height'] ?? members['block_height']) ?? Number.NaN);
    if (Number.isSafeInteger(height) && height >= 0) this.#height = height;
  }

  /** A new connection begins anew. */
  forget(): void {
    this.#height = null;
    this.#since = null;
  }

  /** By how many blocks it has been too far behind for too long; 0 while it has not. */
  behind(best: number, now: number): number {
    const behind = best - (this.#height ?? best);
    if (behind <= MOST_BEHIND) this.#since = null;
    else this.#since ??= now;
    return this.#since !== null && now - this.#since >= PATIENCE_MS ? behind : 0;
  }
}
