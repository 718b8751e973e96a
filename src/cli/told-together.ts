import type { Role } from '../events/catalog.ts';
import type { ReadSwap } from '../log/files/read-swap.ts';
import { createSurvey, isRereadable, MOST_HELD, type Survey } from './survey.ts';

type ReadableSwap = Extract<ReadSwap, { readonly ok: true }>;

/** The logs of both sides of one swap. */
export type Sides = Readonly<Record<Role, ReadableSwap>>;

/** A log in its place, and what is told with it. */
export type Telling = {
  readonly read: ReadSwap;
  /** One side of a pair, which is shown with its second log. */
  readonly inPair: boolean;
  readonly pair: Sides | null;
};

/** Each log by itself. */
export async function* alone(reads: AsyncIterable<ReadSwap>): AsyncGenerator<Telling> {
  for await (const read of reads) yield { read, inPair: false, pair: null };
}

/**
 * Looks at everything first, so it can show both sides of a swap together: from memory if there are few logs, otherwise
 * by reading twice. If there are many that cannot be read twice, it shows each log separately, without a survey.
 */
export async function surveyed(
  open: () => AsyncGenerator<ReadSwap>,
  { places }: { readonly places: readonly string[] },
): Promise<{ readonly reads: AsyncIterable<Telling>; readonly survey: Survey | null }> {
  const reads = open();
  const survey = createSurvey();
  const held: ReadSwap[] = [];
  for (let next = await reads.next(); next.done !== true; next = await reads.next()) {
    held.push(next.value);
    survey.add(next.value);
    if (held.length < MOST_HELD) continue;
    if (!(await isRereadable(places))) return { reads: alone(inTurn(held, reads)), survey: null };
    held.length = 0;
    for await (const read of reads) survey.add(read);
    return { reads: paired(open(), survey), survey };
  }
  return { reads: paired(inTurn(held), survey), survey };
}

async function* inTurn(held: readonly ReadSwap[], rest?: AsyncIterable<ReadSwap>): AsyncGenerator<ReadSwap> {
  yield* held;
  if (rest !== undefined) yield* rest;
}

async function* paired(reads: AsyncIterable<ReadSwap>, survey: Survey): AsyncGenerator<Telling> {
  const waiting = new Map<string, ReadableSwap>();
  let number = 0;
  for await (const read of reads) {
    const part = read.ok ? survey.pairOf(number, read) : null;
    number += read.ok ? 1 : 0;
    const pair = read.ok && part === 'second' ? sidesOf(read, waiting) : null;
    if (read.ok && part === 'first') waiting.set(read.log.uuid, read);
    if (read.ok && part === 'second') waiting.delete(read.log.uuid);
    yield { read, inPair: part === 'first' || pair !== null, pair };
  }
}

function sidesOf(read: ReadableSwap, waiting: ReadonlyMap<string, ReadableSwap>): Sides | null {
  const other = waiting.get(read.log.uuid);
  if (other === undefined) return null;
  return read.log.role === 'maker' ? { maker: read, taker: other } : { maker: other, taker: read };
}
