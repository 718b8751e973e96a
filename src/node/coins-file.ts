import { readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../primitives/json.ts';
import { NodeError } from './error.ts';
import { fileFault } from './file-fault.ts';

/** What is configured about coins (as in the real node). */
export type CoinsFile = {
  /** The first entry whose `coin` is exactly this ticker; undefined if there is none. */
  readonly entryOf: (ticker: string) => JsonObject | undefined;
  readonly tickers: readonly string[];
};

/** Most entries of a coins file; the largest that is published has some 900. */
const MOST_ENTRIES = 100_000;

/**
 * Reads a coins file: an array of objects. @throws NodeError COINS_FILE_INVALID
 *
 * @example
 * ```ts
 * import { mkdtemp, rm, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { readCoinsFile } from 'swapfold/node';
 *
 * const folder = await mkdtemp(join(tmpdir(), 'coins-'));
 * const path = join(folder, 'coins.json');
 * await writeFile(path, '[{"coin":"LTC"},{"coin":"KMD"}]');
 * (await readCoinsFile(path)).tickers; // → ['LTC', 'KMD']
 * await rm(folder, { recursive: true });
 * readCoinsFile(path); // throws COINS_FILE_INVALID
 * ```
 */
export async function readCoinsFile(path: string): Promise<CoinsFile> {
  let text: string | null = null;
  let content: JsonValue;
  try {
    text = await readFile(path, 'utf8');
    content = parseJson(text);
  } catch (error) {
    throw invalid({ file: path, fault: fileFault(error, text) });
  }
  return coinsOf(content, path);
}

/**
 * The same of a value. `path` is named in errors. @throws NodeError COINS_FILE_INVALID
 *
 * @example
 * ```ts
 * import { coinsOf } from 'swapfold/node';
 *
 * const first = { coin: 'LTC', txfee: 1000 };
 * const coins = coinsOf([first, { coin: 'KMD' }, { coin: 'LTC', txfee: 7 }], 'these coins');
 * coins.tickers; // → ['LTC', 'KMD']
 * coins.entryOf('LTC')?.['txfee']; // → 1000
 * coinsOf([{ coin: '' }], 'these coins'); // throws COINS_FILE_INVALID
 * ```
 */
export function coinsOf(content: JsonValue, path: string): CoinsFile {
  if (!Array.isArray(content)) throw invalid({ file: path, fault: 'it is not an array of coins' });
  const list: readonly JsonValue[] = content;
  if (list.length > MOST_ENTRIES) throw invalid({ file: path, fault: `it has more than ${MOST_ENTRIES} entries` });
  const entries = new Map<string, JsonObject>();
  for (const [place, entry] of list.entries()) {
    const ticker = isJsonObject(entry) ? entry['coin'] : undefined;
    if (!isJsonObject(entry) || typeof ticker !== 'string' || ticker === '') {
      throw invalid({ file: path, entry: place, fault: 'each entry must be an object with a string named coin' });
    }
    if (!entries.has(ticker)) entries.set(ticker, entry);
  }
  return { entryOf: (ticker) => entries.get(ticker), tickers: [...entries.keys()] };
}

function invalid(facts: Readonly<Record<string, string | number>>): NodeError {
  return new NodeError('The coins file cannot be used.', {
    code: 'COINS_FILE_INVALID',
    facts,
    next: 'Give a JSON array of objects, each with a string named coin, like the files published for the framework.',
    retry: 'operator',
  });
}
