import type { EventLog, LogEntry, NewRecord, SubscribeOptions, Subscription } from '../../../ports/event-log.ts';
import { canonicalJson } from '../../../primitives/json.ts';
import type { Millis } from '../../../primitives/time.ts';

/** Fails unless both have the same canonical JSON. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [canonicalJson(actual), canonicalJson(expected)];
  if (left !== right) throw new Error(`${what}: expected ${right.slice(0, 2000)}, got ${left.slice(0, 2000)}`);
}

/** Fails unless the action fails with an error of the code. */
export async function refuses(code: string, action: () => unknown): Promise<Error> {
  let answer: unknown;
  try {
    answer = await action();
  } catch (error) {
    same((error as { readonly code?: unknown }).code, code, 'the code of the error');
    return error as Error;
  }
  throw new Error(`expected ${code}, got ${canonicalJson(answer)}`);
}

const PATIENCE_MS = 10_000;

/** Waits until the condition holds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS} ms without result: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** A subscriber that keeps what it gets. */
export function collect(log: EventLog, options: SubscribeOptions): { readonly seen: LogEntry[] } & Subscription {
  const seen: LogEntry[] = [];
  const { close } = log.subscribe(options, (entry) => {
    seen.push(entry);
  });
  return { seen, close };
}

/** A record with little in it. */
export function record(type: string, data: unknown = {}, at = 1_700_000_000_000): NewRecord {
  return { at: at as Millis, type, version: 1, data };
}

/** Appends records of the given types to a stream that holds `expected`. */
export async function append(
  log: EventLog,
  [stream, expected]: readonly [stream: string, expected: number],
  ...types: readonly string[]
) {
  return log.append({ stream, expected, records: types.map((type) => record(type, { type })) });
}
