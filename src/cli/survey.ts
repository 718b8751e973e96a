import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { STDIN } from '../log/files/inputs.ts';
import type { ReadSwap } from '../log/files/read-swap.ts';
import { outcomeEnd } from '../replay/payment-ends.ts';
import { replaySwap } from '../replay/swaps.ts';
import { toldFunds } from '../replay/told-funds.ts';
import { moment } from './arguments.ts';
import { needsLook } from './findings.ts';
import { addSwap, emptyTotals, type ReplayTotals, replayLines } from './render/replay.ts';
import { counted, type Style, tally, wrap } from './render/text.ts';
import { createSurveyedLogs, type Pairs, type SurveyedLogs } from './surveyed-logs.ts';

type ReadableSwap = Extract<ReadSwap, { readonly ok: true }>;

/** Logs that are kept in memory to be told after a look at all of them; of more the files are read twice. */
export const MOST_HELD = 1000;

/** Swaps and files that a summary names one by one. */
const MOST_NAMED = 20;

/** Files of one side of one swap that it names. */
const MOST_COPIES = 3;

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
  const logs = createSurveyedLogs();
  const folders = new Map<string, number>();
  const first: ReadableSwap[] = [];
  let toLook = 0;
  let unread = 0;
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
      logs.add(read);
      if (!needsLook({ ...swap, end, now: moment('now') })) return;
      toLook += 1;
      if (first.length < MOST_NAMED) first.push(read);
    },
    text: (style) => summaryText({ totals, logs, folders, first, toLook, unread }, style),
    pairOf: logs.pairOf,
  };
}

type Found = {
  readonly totals: ReplayTotals;
  readonly logs: SurveyedLogs;
  readonly folders: ReadonlyMap<string, number>;
  readonly first: readonly ReadableSwap[];
  readonly toLook: number;
  readonly unread: number;
};

function summaryText({ totals, logs, folders, first, toLook, unread }: Found, style: Style): string {
  const { swaps, outcomes, doubtful } = totals;
  if (swaps < 2) return '';
  const { paint } = style;
  const line = (text: string) => `${wrap(text, { ...style, indent: 2 })}\n`;
  const more = (all: number, shown: number) => (all > shown ? `, and ${all - shown} more` : '');
  const count =
    logs.swaps() === swaps ? counted(swaps, 'swap') : `${counted(swaps, 'log')} of ${counted(logs.swaps(), 'swap')}`;
  const parts = [
    line(`${count}: ${tally(outcomes)}${unread === 0 ? '' : `; ${counted(unread, 'place')} not readable`}`),
    ...(doubtful.size === 0 ? [] : [line(`in doubt: ${tally(doubtful)}`)]),
  ];
  if (folders.size > 1) {
    const named = [...folders].slice(0, MOST_NAMED).map(([folder, logs]) => `${logs} in ${folder}`);
    parts.push(line(`${named.join(', ')}${more(folders.size, named.length)}`));
  }
  const { together, apart } = logs.pairs(MOST_NAMED);
  const short = ({ named, all }: Pairs) =>
    `${named.map((uuid) => uuid.slice(0, 8)).join(', ')}${more(all, named.length)}`;
  if (together.all > 0) parts.push(line(`both sides of ${short(together)}: told together`));
  if (apart.all > 0) {
    parts.push(line(`both sides of ${short(apart)}, too far apart to be told together: name one id to see both`));
  }
  const { named, all } = logs.copies({ most: MOST_NAMED, files: MOST_COPIES });
  for (const { uuid, role, logs: copies, files } of named) {
    const of = `${copies} logs of the ${role} of ${uuid.slice(0, 8)}`;
    parts.push(line(`${of} (swapfold diff): ${files.join(', ')}${more(copies, files.length)}`));
  }
  if (all > named.length) parts.push(line(`${all - named.length} more with several logs of one side`));
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

/** Whether what is read can be read a second time: standard input and pipes cannot. */
export async function isRereadable(places: readonly string[]): Promise<boolean> {
  for (const place of places) {
    if (place === STDIN) return false;
    const found = await stat(place).catch(() => null);
    if (found !== null && !found.isFile() && !found.isDirectory()) return false;
  }
  return true;
}
