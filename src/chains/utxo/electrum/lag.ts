import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';

/** How many blocks a server may lag, and for how many milliseconds it may lag more. */
const MOST_BEHIND = 2;
const PATIENCE_MS = 60_000;

/** How far one server is, by its notifications. */
export class Lag {
  #height: number | null = null;
  #since: number | null = null;

  /** Height of its best block; null before the first header. */
  get height(): number | null {
    return this.#height;
  }

  /** Takes a header as servers send it. */
  hear(said: JsonValue | undefined): void {
    const members = isJsonObject(said) ? said : {};
    const height = Number(numberText(members['height'] ?? members['block_height']) ?? Number.NaN);
    if (Number.isSafeInteger(height) && height >= 0) this.#height = height;
  }

  /** Starts over for a new connection. */
  forget(): void {
    this.#height = null;
    this.#since = null;
  }

  /** By how many blocks it has lagged too long; 0 if it has not. */
  behind(best: number, now: number): number {
    const behind = best - (this.#height ?? best);
    if (behind <= MOST_BEHIND) this.#since = null;
    else this.#since ??= now;
    return this.#since !== null && now - this.#since >= PATIENCE_MS ? behind : 0;
  }
}
