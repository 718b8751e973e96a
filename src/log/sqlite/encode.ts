import type { AppendBatch, NewRecord, StreamLabels } from '../../ports/event-log.ts';
import { canonicalJson, parseJson } from '../../primitives/json.ts';
import { checkBatch, refused } from '../check-batch.ts';
import { definedOf } from '../labels.ts';

/** Largest record in characters of canonical JSON. */
export const MAX_RECORD_CHARACTERS = 1 << 22;
/** Nesting that needs no check: each level takes a bracket. */
const HARMLESS_BRACKETS = 32;

/** A record whose payload is already text. */
export type EncodedRecord = { readonly given: NewRecord; readonly data: string; readonly extra: string | null };

export type EncodedBatch = {
  readonly stream: string;
  readonly expected: number;
  readonly records: readonly EncodedRecord[];
  readonly labels: StreamLabels | undefined;
};

/** Serializes payloads at once, so that later changes by the caller do no harm. @throws LogError LOG_RECORD_INVALID */
export function encodeBatch(batch: AppendBatch): EncodedBatch {
  checkBatch(batch);
  const { stream, expected, records, labels } = batch;
  return {
    stream,
    expected,
    records: records.map((given, index) => {
      const data = encodeValue(given.data ?? null, batch, `records/${index}/data`);
      const extra = given.extra === undefined ? null : encodeValue(given.extra, batch, `records/${index}/extra`);
      if (data.length + (extra?.length ?? 0) > MAX_RECORD_CHARACTERS) {
        throw refused(stream, `records/${index}`, `at most ${MAX_RECORD_CHARACTERS} characters of JSON`);
      }
      return { given, data, extra };
    }),
    labels: labels === undefined ? undefined : definedOf(labels),
  };
}

function encodeValue(value: unknown, { stream }: AppendBatch, member: string): string {
  const text = canonicalOrNot(value);
  if (text === undefined || !readsBack(text))
    throw refused(stream, member, 'what JSON can hold, at most 64 levels deep');
  return text;
}

function canonicalOrNot(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    // A bigint, a cycle, or nesting without bound.
    return undefined;
  }
}

/** Whether `parseJson` accepts the text: a record that can be written and not read would cost its whole stream. */
function readsBack(text: string): boolean {
  if (!text.includes('"__proto__"') && !hasManyBrackets(text)) return true;
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (let at = text.search(/[[{]/); at >= 0; count++) {
    if (count > HARMLESS_BRACKETS) return true;
    const object = text.indexOf('{', at + 1);
    const list = text.indexOf('[', at + 1);
    at = object < 0 ? list : list < 0 ? object : Math.min(object, list);
  }
  return false;
}
