import { SwapfoldError } from '../primitives/error.ts';
import { isJsonObject, type JsonValue, parseJson } from '../primitives/json.ts';
import { DecodeError, pointerStep } from './decode-error.ts';
import { kindOf } from './fields.ts';
import { splitJsonValues } from './json-values.ts';
import { decodeSavedSwap, type SwapLog } from './saved-swap.ts';
import { reasonIn } from './stored-errors/reason.ts';

/** What a text held at one place: a swap's log, or why it could not be read. One bad swap never hides the others. */
export type DecodedSwap =
  | { readonly ok: true; readonly path: string; readonly log: SwapLog }
  | { readonly ok: false; readonly path: string; readonly uuid: string | null; readonly error: SwapfoldError };

/** Members of an answer or a request whose lists a long text is cut at, for {@link decodePart}. */
export const LISTS_OF_SWAPS: ReadonlySet<string> = new Set(['result', 'swaps', 'data', 'params']);

/** Members below which the RPC answers and requests of the real node keep their swaps. */
const WRAPPER_KEYS = ['result', 'swaps', 'swap_data', 'swap', 'statuses', 'maker', 'taker', 'data', 'params'] as const;

const MAX_WRAPPER_DEPTH = 8;

/** Entries of a list that are no swaps and are each reported; the rest is counted. */
export const MAX_STRANGERS = 20;

/**
 * Reads every swap in a JSON text: a saved swap, answers of `my_swap_status` and `my_recent_swaps` (legacy and v2),
 * `active_swaps`, `stats_swap_status`, `import_swaps` requests, an array of any of these, or several one behind the other, as `jq` prints them.
 *
 * @example
 * ```ts
 * import { decodeSwapsText, savedSwapText } from 'swapfold';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const log = buildSwap({ role: 'taker', path: ['Started', 'StartFailed', 'Finished'] });
 * const found = decodeSwapsText(`{"result": {"swaps": [${savedSwapText(log)}, {"uuid": "1"}]}}`);
 * found.map(({ ok, path }) => `${path} ${ok}`); // → ['/result/swaps/0 true', '/result/swaps/1 false']
 * ```
 */
export function decodeSwapsText(text: string): readonly DecodedSwap[] {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return decodeSwaps(parseJson(plain));
  } catch (error) {
    const values = splitJsonValues(plain);
    if (values === undefined) return [{ ok: false, path: '', uuid: null, error: asSwapfoldError(error) }];
    return values.flatMap((value, index) => decodeOneOf(value, pointerStep(index)));
  }
}

/** Where a part of a text stood. */
export type PartPlace = {
  /** JSON pointer; empty for a text of one value. */
  readonly path: string;
  /** Objects and lists around it. */
  readonly depth: number;
  /** It is an entry of a list, which may be something else than a swap. */
  readonly isEntry: boolean;
  /** Entries of lists in it were cut out before, so that it need not hold a swap. */
  readonly isRest: boolean;
};

/** Reads the swaps of a part of a text that is too long to be held; what was cut out of it, a list's entries, is read as parts of their own. */
export function decodePart(text: string, { path, depth, isEntry, isRest }: PartPlace): readonly DecodedSwap[] {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    return [{ ok: false, path, uuid: null, error: placed(error, path) }];
  }
  if (!isEntry && !isRest) return decodeSwaps(value, path);
  const found: DecodedSwap[] = [];
  collect(value, { path, depth }, found);
  return found.length > 0 || isRest || isEmptyAnswer(value) ? found : [notASwap(value, path)];
}

/** Reads one of several values of a text, with the number of the value in front of each place. */
function decodeOneOf(text: string, path: string): readonly DecodedSwap[] {
  try {
    return decodeSwaps(parseJson(text), path);
  } catch (error) {
    return [{ ok: false, path, uuid: null, error: placed(error, path) }];
  }
}

/** The parser's error, with the place of the text. */
function placed(error: unknown, path: string): SwapfoldError {
  const { code, shortMessage, facts, next } = asSwapfoldError(error);
  if (path === '') return asSwapfoldError(error);
  return new SwapfoldError(shortMessage, {
    code,
    facts: { ...facts, place: path },
    ...(next === undefined ? {} : { next }),
  });
}

/**
 * Reads every swap in a JSON value that is already parsed.
 *
 * @example
 * ```ts
 * import { decodeSwaps } from 'swapfold/events';
 *
 * const [answer] = decodeSwaps({ error: 'lp_swap:1164] No swap with uuid' });
 * answer?.ok === false && answer.error.code; // → 'NODE_REFUSED'
 * ```
 */
export function decodeSwaps(value: JsonValue, path = ''): readonly DecodedSwap[] {
  const found: DecodedSwap[] = [];
  collect(value, { path, depth: 0 }, found);
  if (found.length > 0 || isEmptyAnswer(value)) return found;
  const refusal = refusalIn(value, path);
  if (refusal !== undefined) return [{ ok: false, path, uuid: null, error: refusal }];
  const error = new DecodeError('NOT_A_SWAP', 'No stored swap was found in this JSON.', {
    path,
    expected: 'a saved swap, or an RPC answer that holds one',
    found: kindOf(value),
  });
  return [{ ok: false, path, uuid: null, error }];
}

/** What a node answered instead of a swap, such as `No swap with uuid …`. */
function refusalIn(value: JsonValue, path: string): DecodeError | undefined {
  const text = isJsonObject(value) ? value['error'] : undefined;
  if (typeof text !== 'string' || text === '') return undefined;
  return new DecodeError(
    'NODE_REFUSED',
    'This is not a stored swap, but the error that a node returned when asked for one.',
    {
      path,
      expected: 'a saved swap, or an RPC answer that holds one',
      found: `“${reasonIn(text)}”`,
      next: "Ask the node that traded the swap for it by uuid; my_recent_swaps lists a node's swaps.",
    },
  );
}

type At = { readonly path: string; readonly depth: number; readonly swapType?: string };

function collect(value: JsonValue | undefined, at: At, found: DecodedSwap[]): void {
  if (at.depth > MAX_WRAPPER_DEPTH) return;
  if (Array.isArray(value)) {
    let strangers = 0;
    for (const [index, item] of value.entries()) {
      const path = at.path + pointerStep(index);
      const before = found.length;
      collect(item, { path, depth: at.depth + 1 }, found);
      if (found.length > before || isEmptyAnswer(item)) continue;
      strangers++;
      if (strangers <= MAX_STRANGERS) found.push(notASwap(item, path));
    }
    if (strangers > MAX_STRANGERS) found.push(moreStrangers(strangers - MAX_STRANGERS, at.path));
    return;
  }
  if (!isJsonObject(value)) return;
  if (Object.hasOwn(value, 'events')) {
    found.push(decodeOne(value, at));
    return;
  }
  const given = value['swap_type'];
  const swapType = typeof given === 'string' ? { swapType: given } : {};
  for (const key of WRAPPER_KEYS) {
    if (!Object.hasOwn(value, key)) continue;
    const member = value[key];
    const path = at.path + pointerStep(key);
    if (key === 'statuses' && isJsonObject(member)) {
      for (const [uuid, status] of Object.entries(member)) {
        collect(status, { path: path + pointerStep(uuid), depth: at.depth + 2 }, found);
      }
    } else if (member !== null && member !== undefined) {
      const tagged =
        key === 'maker' || key === 'taker' ? { swapType: key === 'maker' ? 'MakerV1' : 'TakerV1' } : swapType;
      collect(member, { path, depth: at.depth + 1, ...tagged }, found);
    }
  }
}

/** An answer with an empty list of swaps is not a fault. */
function isEmptyAnswer(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const swaps = value['swaps'] ?? (isJsonObject(value['result']) ? value['result']['swaps'] : undefined);
  return Array.isArray(swaps) && swaps.length === 0;
}

/** Of a list: entries beyond those that are each reported. */
export function moreStrangers(count: number, path: string): DecodedSwap {
  const what = count === 1 ? '1 further entry is not a stored swap' : `${count} further entries are not stored swaps`;
  const error = new DecodeError('NOT_A_SWAP', `${what} either.`, { path });
  return { ok: false, path, uuid: null, error };
}

function notASwap(value: JsonValue | undefined, path: string): DecodedSwap {
  const error = new DecodeError('NOT_A_SWAP', 'This entry is not a stored swap.', {
    path,
    expected: 'a saved swap',
    found: kindOf(value),
  });
  return { ok: false, path, uuid: null, error };
}

function decodeOne(value: JsonValue, { path, swapType }: At): DecodedSwap {
  try {
    refuseOtherProtocol(swapType, path);
    return { ok: true, path, log: decodeSavedSwap(withRole(value, swapType), path) };
  } catch (error) {
    const uuid = isJsonObject(value) && typeof value['uuid'] === 'string' ? value['uuid'].slice(0, 80) : null;
    return { ok: false, path, uuid, error: asSwapfoldError(error) };
  }
}

/** The v2 RPC names the role outside of the swap, and leaves `type` out of it. */
function withRole(value: JsonValue, swapType: string | undefined): JsonValue {
  if (!isJsonObject(value) || Object.hasOwn(value, 'type')) return value;
  if (swapType === 'TakerV1') return { type: 'Taker', ...value };
  return swapType === 'MakerV1' ? { type: 'Maker', ...value } : value;
}

function refuseOtherProtocol(swapType: string | undefined, path: string): void {
  if (swapType === undefined || swapType === 'TakerV1' || swapType === 'MakerV1') return;
  throw new DecodeError('PROTOCOL_UNSUPPORTED', 'The swap uses a protocol that this version cannot read.', {
    path,
    expected: 'TakerV1 or MakerV1',
    found: 'another protocol',
    next: 'Only swaps of the HTLC protocol, version 1, can be replayed.',
  });
}

/** Turns whatever the parsers throw into a typed error. */
export function asSwapfoldError(error: unknown): SwapfoldError {
  if (error instanceof SwapfoldError) return error;
  if (error instanceof RangeError) {
    return new DecodeError('TOO_DEEP', 'The JSON is nested too deeply or is too large to hold.', { path: '' });
  }
  return new DecodeError('NOT_JSON', 'The text is not JSON.', {
    path: '',
    found: jsonFault(error),
    next: 'Check that the file is complete: a cut-off download or a half-written file ends in the middle of a value.',
  });
}

/** Where the parser stopped. Its own message quotes the text, which may hold a secret. */
function jsonFault(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const position = /position \d+/.exec(message)?.[0];
  if (/end of (JSON|input)/i.test(message)) return 'the end of the text in the middle of a value';
  return position === undefined ? 'something that is not JSON' : `an unexpected character at ${position}`;
}
