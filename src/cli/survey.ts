import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Role } from '../events/catalog.ts';
import { STDIN } from '../log/files/inputs.ts';
import type { ReadSwap } from '../log/files/read-swap.ts';
import { outcomeEnd } from '../replay/payment-ends.ts';
import { replaySwap } from '../replay/swaps.ts';
import { toldFunds } from '../replay/told-funds.ts';
import { moment } from './arguments.ts';
import { needsLook } from './findings.ts';
import { addSwap, emptyTotals, type ReplayTotals, replayLines } from './render/replay.ts';
import { counted, type Style, tally, wrap } from './render/text.ts';

type ReadableSwap = Extract<ReadSwap, { readonly ok: true }>;

/** Logs that are kept in memory to be told after a look at all of them; of more the files are read twice. */
export const MOST_HELD = 1000;

/** Swaps and files that a summary names one by one. */
const MOST_NAMED = 20;

/** Files of one side of one swap that it names. */
const MOST_COPIES = 3;

type Place = { readonly role: Role; readonly file: string; readonly events: number; readonly number: number };

/** What the inputs hold, before anything of them is told. */
export type Survey = {
  readonly add: (read: ReadSwap) => void;
  /** The summary; nothing where there is one log at most. */
  readonly text: (style: Style) => string;
  /** Told of each log in the same order again: whether it is part of a pair, and whether the pair is whole with it. */
  readonly pairOf: (number: number, read: ReadableSwap) => 'first' | 'second' | null;
};

export function createSurvey(): Survey {
  const totals = emptyTotals();
  const places = new Map<string, Place[]>();
  const folders = new Map<string, number>();
  const first: ReadableSwap[] = [];
  let toLook = 0;
  let unread = 0;
  let number = 0;
  return {
    add(read) {
      if (!read.ok) {
        unread += 1;
        return;
      }
      const { log, file } = read;
      const swap = replaySwap(log);
      const end = outcomeEnd(swap, { log });
      addSwap(totals, swap, end);
      const folder = dirname(file);
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
      const known = places.get(log.uuid) ?? [];
      known.push({ role: log.role, file, events: log.events.length, number });
      places.set(log.uuid, known);
      number += 1;
      if (!needsLook({ ...swap, end, now: moment('now') })) return;
      toLook += 1;
      if (first.length < MOST_NAMED) first.push(read);
    },
    text: (style) => summaryText({ totals, places, folders, first, toLook, unread }, style),
    pairOf(at, { log }) {
      const pair = pairIn(places.get(log.uuid) ?? []);
      if (pair === null || !pair.some((place) => place.number === at)) return null;
      return Math.max(...pair.map((place) => place.number)) === at ? 'second' : 'first';
    },
  };
}

/** The logs of both sides that tell most; null where a side is missing. */
function pairIn(places: readonly Place[]): readonly [Place, Place] | null {
  const most = (role: Role) =>
    places.filter((place) => place.role === role).toSorted((left, right) => right.events - left.events)[0];
  const [maker, taker] = [most('maker'), most('taker')];
  return maker === undefined || taker === undefined ? null : [maker, taker];
}

type Found = {
  readonly totals: ReplayTotals;
  readonly places: ReadonlyMap<string, readonly Place[]>;
  readonly folders: ReadonlyMap<string, number>;
  readonly first: readonly ReadableSwap[];
  readonly toLook: number;
  readonly unread: number;
};

function summaryText({ totals, places, folders, first, toLook, unread }: Found, style: Style): string {
  const { swaps, outcomes, doubtful } = totals;
  if (swaps < 2) return '';
  const { paint } = style;
  const line = (text: string) => `${wrap(text, { ...style, indent: 2 })}\n`;
  const more = (all: number, shown: number) => (all > shown ? `, and ${all - shown} more` : '');
  const count =
    places.size === swaps ? counted(swaps, 'swap') : `${counted(swaps, 'log')} of ${counted(places.size, 'swap')}`;
  const parts = [
    line(`${count}: ${tally(outcomes)}${unread === 0 ? '' : `; ${counted(unread, 'place')} not readable`}`),
    ...(doubtful.size === 0 ? [] : [line(`in doubt: ${tally(doubtful)}`)]),
  ];
  if (folders.size > 1) {
    const named = [...folders].slice(0, MOST_NAMED).map(([folder, logs]) => `${logs} in ${folder}`);
    parts.push(line(`${named.join(', ')}${more(folders.size, named.length)}`));
  }
  const both = [...places].filter(([, each]) => pairIn(each) !== null).map(([uuid]) => uuid.slice(0, 8));
  if (both.length > 0) {
    const named = both.slice(0, MOST_NAMED);
    parts.push(line(`both sides of ${named.join(', ')}${more(both.length, named.length)}: told together`));
  }
  const twice = [...places].flatMap(([uuid, each]) => copiesIn(each).map((copies) => ({ uuid, copies })));
  for (const { uuid, copies } of twice.slice(0, MOST_NAMED)) {
    const named = copies.slice(0, MOST_COPIES).map(({ file }) => file);
    const of = `${copies.length} logs of the ${copies[0]?.role} of ${uuid.slice(0, 8)}`;
    parts.push(line(`${of} (swapfold diff): ${named.join(', ')}${more(copies.length, named.length)}`));
  }
  if (twice.length > MOST_NAMED) parts.push(line(`${twice.length - MOST_NAMED} more with several logs of one side`));
  if (toLook > 0) {
    parts.push(
      `${paint.yellow(`${toLook} to look at`)}${toLook > first.length ? `, the first ${first.length}` : ''}:\n`,
    );
    for (const { log, file } of first) {
      const swap = replaySwap(log);
      const { funds } = toldFunds(swap.funds, log);
      parts.push(replayLines({ ...swap, funds }, { span: undefined, file, end: outcomeEnd(swap, { log }) }, style));
    }
  }
  return `${parts.join('')}\n`;
}

/** Logs of one side of one swap, where there are several. */
function copiesIn(places: readonly Place[]): readonly (readonly Place[])[] {
  return (['maker', 'taker'] as const)
    .map((role) => places.filter((place) => place.role === role))
    .filter((copies) => copies.length > 1);
}

/** Whether what is read can be read a second time: standard input and pipes cannot. */
export async function isRereadable(places: readonly string[]): Promise<boolean> {
  for (const place of places) {
    if (place === STDIN) return false;
    const found = await stat(place).catch(() => null);
    if (found !== null && !found.isFile() && !found.isDirectory()) return false;
  }
  return true;
}
