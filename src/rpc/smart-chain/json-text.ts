import { LosslessNumber, stringifyJson, WrittenJson } from '../../primitives/json.ts';
import { inTurnsAfterOthers, type Steps } from '../../smartchain/turns.ts';

/** Maximum length of a list that is built and written at once. */
const SHORT = 100;

/** A list whose elements are made when their text is written, so that one of hundreds of thousands takes its time in turns. */
export class LazyList {
  readonly length: number;
  readonly at: (index: number) => unknown;

  constructor(length: number, at: (index: number) => unknown) {
    this.length = length;
    this.at = at;
  }
}

/** A list of mapped items; built at once if it is short, so that it shows one moment. */
export function listOf<Item>(
  items: readonly Item[],
  json: (item: Item, index: number) => unknown,
): readonly unknown[] | LazyList {
  return items.length <= SHORT
    ? items.map(json)
    : new LazyList(items.length, (index) => json(items[index] as Item, index));
}

/** The text that `stringifyJson` makes of a value: at once, or where that has long lists in turns with all else of the process. */
export function jsonText(value: unknown): string | Promise<string> {
  return isLong(value) ? inTurnsAfterOthers(jsonSteps(value)) : stringifyJson(value);
}

/** The text that `stringifyJson` makes of a value, an element of its long lists at a time. */
export function* jsonSteps(value: unknown): Steps<string> {
  if (!isLong(value)) return stringifyJson(value);
  if (value instanceof LazyList) return yield* listSteps(value);
  if (Array.isArray(value)) return yield* listSteps({ length: value.length, at: (index) => value[index] });
  const members: string[] = [];
  for (const [name, member] of Object.entries(value as object)) {
    if (member === undefined) continue;
    members.push(`${JSON.stringify(name)}:${yield* jsonSteps(member)}`);
    yield;
  }
  return `{${members.join(',')}}`;
}

function* listSteps({ length, at }: Pick<LazyList, 'length' | 'at'>): Steps<string> {
  const parts: string[] = [];
  for (let index = 0; index < length; index++) {
    parts.push(yield* jsonSteps(at(index)));
    yield;
  }
  return `[${parts.join(',')}]`;
}

function isLong(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof LosslessNumber || value instanceof WrittenJson) return false;
  if (value instanceof LazyList) return true;
  if (Array.isArray(value)) return value.length > SHORT || value.some(isLong);
  // Listing the members would cost more than visiting them.
  for (const name in value) if (isLong((value as Record<string, unknown>)[name])) return true;
  return false;
}
