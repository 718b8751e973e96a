import { SwapfoldError } from '../primitives/error.ts';
import { type JsonObject, type JsonValue, numberText } from '../primitives/json.ts';

/**
 * An entry of the coins file that describes no coin that this package can move.
 *
 * @example
 * ```ts
 * import { CoinEntryError, readUtxoEntry } from 'swapfold/chains/utxo';
 *
 * const read = (entry: { coin: string; dust: string }) => {
 *   try {
 *     return readUtxoEntry(entry, { finality: 6, scheme: 'p2sh' }).coin.dust;
 *   } catch (error) {
 *     return error instanceof CoinEntryError ? error.facts['member'] : 'another error';
 *   }
 * };
 * read({ coin: 'LTC', dust: 'little' }); // → 'dust'
 * ```
 */
export class CoinEntryError extends SwapfoldError {}

/** Reads members of an entry, each by its type: only those that the reference page lists for the coin's family. */
export class EntryReader<Name extends string> {
  readonly #entry: JsonObject;

  constructor(entry: JsonObject) {
    this.#entry = entry;
  }

  /** Undefined if it is absent or null. */
  member(name: Name): JsonValue | undefined {
    return (Object.hasOwn(this.#entry, name) ? this.#entry[name] : undefined) ?? undefined;
  }

  text(name: Name): string | undefined {
    const value = this.member(name);
    if (value === undefined || typeof value === 'string') return value;
    throw invalidEntry(name, { expected: 'a text', found: shown(value) });
  }

  flag(name: Name): boolean | undefined {
    const value = this.member(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw invalidEntry(name, { expected: 'true or false', found: shown(value) });
  }

  whole(name: Name, most: number): number | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    const number = numberOf(value);
    if (Number.isSafeInteger(number) && number >= 0 && number <= most) return number;
    throw invalidEntry(name, { expected: `a whole number up to ${most}`, found: shown(value) });
  }

  /** A number from 0, with any digits. */
  number(name: Name, most: number): number | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    const number = numberOf(value);
    if (number >= 0 && number <= most) return number;
    throw invalidEntry(name, { expected: `a number up to ${most}`, found: shown(value) });
  }

  choice<const T extends readonly string[]>(name: Name, names: T): T[number] | undefined {
    const text = this.text(name);
    if (text === undefined || names.includes(text)) return text;
    throw invalidEntry(name, { expected: names.join(', '), found: shown(text) });
  }

  /** A number of up to 32 bits as hex digits, with or without `0x`. */
  hex(name: Name): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const digits = /^(?:0x)?([0-9a-fA-F]{1,8})$/.exec(text)?.[1];
    if (digits !== undefined) return Number.parseInt(digits, 16);
    throw invalidEntry(name, { expected: '1 to 8 hex digits', found: shown(text) });
  }
}

function numberOf(value: JsonValue): number {
  return Number(numberText(value) ?? Number.NaN);
}

function shown(value: JsonValue): string {
  return String(JSON.stringify(value)).slice(0, 60);
}

export function invalidEntry(
  member: string,
  facts: { readonly expected: string; readonly found: string | number },
): CoinEntryError {
  return new CoinEntryError('A member of the coins file cannot be used.', {
    code: 'COIN_ENTRY_INVALID',
    facts: { member, ...facts },
    next: 'Correct the entry in the coins file.',
    retry: 'operator',
  });
}

export function unsupportedEntry(member: string, why: string): CoinEntryError {
  return new CoinEntryError('The coins file describes a coin that cannot be activated here.', {
    code: 'COIN_UNSUPPORTED',
    facts: { member, why },
    next: 'Use another coin, or another release.',
    retry: 'operator',
  });
}
