/** Replaces a secret in logs, errors and exports. */
export const REDACTED = '[redacted]';

/**
 * Holds a value that must not be printed: every conversion to text or JSON returns {@link REDACTED}.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 *
 * const password = new Secret('correct horse');
 * `${password}`; // → '[redacted]'
 * JSON.stringify({ user: 'alice', password }); // → '{"user":"alice","password":"[redacted]"}'
 * password.reveal(); // → 'correct horse'
 * ```
 */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself. It leaves the holder only here, so a search finds every use. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return REDACTED;
  }
}
