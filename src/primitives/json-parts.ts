import { endOfText, type JsonObject, type JsonPath, type JsonValue, parseJsonPart, requireDepth } from './json.ts';

/** Characters that are parsed at once, before other work may run. */
const AT_ONCE = 0x1_0000;

/** The input, and the position in it. */
type Reading = { readonly text: string; readonly atOnce: number; at: number };

/**
 * The value of `parseJson`, parsed in parts, between which the caller can let other work run. Lists and objects longer
 * than a part are parsed in runs of whole elements; a single text or number is parsed at once whatever its length. If a
 * member occurs twice, the last one counts.
 *
 * @param atOnce Characters of a part. @defaultValue 65,536
 * @throws as `parseJson`, but for invalid JSON only after the parts before that place were parsed
 */
export function* parseJsonParts(text: string, atOnce = AT_ONCE): Generator<void, JsonValue> {
  const reading: Reading = { text, atOnce, at: 0 };
  const value = yield* readValue(reading, []);
  passBlanks(reading);
  if (reading.at < text.length) throw noJson(reading);
  return value;
}

const BLANKS = /[ \t\n\r]*/y;
const SCALAR = /[^ \t\n\r,:[\]{}"]+/y;
const QUOTE = 0x22;

/** Containers by their first character. */
const CLOSES: Readonly<Record<string, '}' | ']'>> = { '{': '}', '[': ']' };

function* readValue(reading: Reading, path: JsonPath): Generator<void, JsonValue> {
  passBlanks(reading);
  const open = reading.text[reading.at] ?? '';
  const close = CLOSES[open];
  if (close === undefined) return parseJsonPart(scalar(reading), { path });
  requireDepth(path);
  const run = nextRun({ ...reading, at: reading.at + 1 });
  yield;
  // Short ones are parsed whole, without a copy of their content.
  if (run.isLast) {
    const from = reading.at;
    reading.at = run.end + 1;
    return parseJsonPart(reading.text.slice(from, reading.at), { path });
  }
  reading.at += 1;
  passBlanks(reading);
  if (reading.text[reading.at] === close) {
    reading.at += 1;
    return open === '[' ? [] : {};
  }
  return open === '[' ? yield* readList(reading, path) : yield* readObject(reading, path);
}

function* readList(reading: Reading, path: JsonPath): Generator<void, JsonValue> {
  const list: JsonValue[] = [];
  for (;;) {
    const run = nextRun(reading);
    if (run.end < 0) list.push(yield* readValue(reading, [...path, list.length]));
    else {
      const elements = parseJsonPart(`[${reading.text.slice(reading.at, run.end)}]`, { path, before: list.length });
      const read = elements as readonly JsonValue[];
      if (read.length === 0) throw noJson(reading);
      for (const element of read) list.push(element);
      reading.at = run.end;
      yield;
    }
    if (isOver(reading, ']')) return list;
  }
}

function* readObject(reading: Reading, path: JsonPath): Generator<void, JsonValue> {
  const object: Record<string, JsonValue | undefined> = {};
  for (;;) {
    const run = nextRun(reading);
    if (run.end < 0) {
      const name = readName(reading, path);
      object[name] = yield* readValue(reading, [...path, name]);
    } else {
      const members = parseJsonPart(`{${reading.text.slice(reading.at, run.end)}}`, { path }) as JsonObject;
      const read = Object.entries(members);
      if (read.length === 0) throw noJson(reading);
      for (const [name, member] of read) object[name] = member;
      reading.at = run.end;
      yield;
    }
    if (isOver(reading, '}')) return object;
  }
}

/** The name of a member and the colon after it. */
function readName(reading: Reading, path: JsonPath): string {
  passBlanks(reading);
  if (reading.text.charCodeAt(reading.at) !== QUOTE) throw noJson(reading);
  const quoted = scalar(reading);
  // An object with one member, because some names are forbidden.
  const [name = ''] = Object.keys(parseJsonPart(`{${quoted}:0}`, { path }) as JsonObject);
  passBlanks(reading);
  if (reading.text[reading.at] !== ':') throw noJson(reading);
  reading.at += 1;
  return name;
}

/** Skips what follows an element. Returns whether the container ended. */
function isOver(reading: Reading, close: '}' | ']'): boolean {
  passBlanks(reading);
  const found = reading.text[reading.at];
  if (found !== close && found !== ',') throw noJson(reading);
  reading.at += 1;
  return found === close;
}

/** The source of a string, a number or a literal. */
function scalar(reading: Reading): string {
  const { text, at } = reading;
  if (text.charCodeAt(at) === QUOTE) reading.at = Math.min(endOfText(text, at) + 1, text.length);
  else {
    SCALAR.lastIndex = at;
    if (!SCALAR.test(text)) throw noJson(reading);
    reading.at = SCALAR.lastIndex;
  }
  return text.slice(at, reading.at);
}

function passBlanks(reading: Reading): void {
  BLANKS.lastIndex = reading.at;
  BLANKS.test(reading.text);
  reading.at = BLANKS.lastIndex;
}

type Run = {
  /**
   * Where the whole elements that fit into a part end: at a comma, or where the container closes. -1 if not even one
   * fits.
   */
  readonly end: number;
  readonly isLast: boolean;
};

/** Whole elements of a container, from its next one. Counts all brackets alike; parsing checks whether they match. */
function nextRun({ text, at, atOnce }: Reading): Run {
  const most = at + atOnce;
  let depth = 0;
  let comma = -1;
  for (let index = at; index < text.length && index < most; index++) {
    switch (text[index]) {
      case '"':
        index = endOfText(text, index);
        break;
      case '[':
      case '{':
        depth++;
        break;
      case ']':
      case '}':
        if (depth === 0) return { end: index, isLast: true };
        depth--;
        break;
      case ',':
        if (depth === 0) comma = index;
    }
  }
  return { end: comma, isLast: false };
}

function noJson({ at }: Reading): SyntaxError {
  return new SyntaxError(`no JSON at character ${at}`);
}
