import type { Role } from '../events/catalog.ts';
import type { ReadSwap } from '../log/files/read-swap.ts';
import { createCompactTable } from '../primitives/compact-table.ts';
import type { Uuid } from '../primitives/ids.ts';
import { uuidBytes, uuidOfBytes } from '../primitives/uuid-bytes.ts';

type ReadableSwap = Extract<ReadSwap, { readonly ok: true }>;

/** From one log of a pair to the other, counted in logs: until the second comes, the first of each pair is kept in memory. */
export const MOST_APART = 2000;

/** Swaps of which the logs of both sides are there. */
export type Pairs = { readonly named: readonly Uuid[]; readonly all: number };

/** One side of a swap of which there are several logs. */
export type Copies = {
  readonly uuid: Uuid;
  readonly role: Role;
  readonly logs: number;
  readonly files: readonly string[];
};

/** Which logs of which swaps there are, in some 60 bytes for each swap and the name of each file. */
export type SurveyedLogs = {
  readonly add: (read: ReadableSwap) => void;
  readonly swaps: () => number;
  /** Told of each log in the same order again: whether it is part of a pair, and whether the pair is whole with it. */
  readonly pairOf: (number: number, read: ReadableSwap) => 'first' | 'second' | null;
  /** Pairs that are told together, and such as are too far apart for it. */
  readonly pairs: (most: number) => { readonly together: Pairs; readonly apart: Pairs };
  readonly copies: (shown: { readonly most: number; readonly files: number }) => {
    readonly named: readonly Copies[];
    readonly all: number;
  };
};

const ROLES = ['maker', 'taker'] as const;

/** Columns of one side: the number of its log that tells most, from 1, with its events, then how many logs it has, and the file of the first. */
const [NUMBER, EVENTS, LOGS, FILE] = [0, 1, 2, 3] as const;
const COLUMNS = 4;

/** Sides of which the files of several logs are remembered: more are not named. */
const MOST_COPIED = 64;

export function createSurveyedLogs(): SurveyedLogs {
  const table = createCompactTable(2 * COLUMNS);
  const files: string[] = [];
  const copied = createCopied();
  let number = 0;

  const pairAt = (place: number): readonly [number, number] | null => {
    const [maker, taker] = [table.get(place, NUMBER), table.get(place, COLUMNS + NUMBER)];
    return maker === 0 || taker === 0 ? null : [maker, taker];
  };
  const logsOf = (side: number): number => table.get(Math.floor(side / 2), (side % 2) * COLUMNS + LOGS);
  const uuidAt = (place: number): Uuid => uuidOfBytes(table.keyAt(place));

  return {
    add({ file, log: { uuid, role, events } }) {
      number += 1;
      if (files.at(-1) !== file) files.push(file);
      const place = table.take(uuidBytes(uuid));
      const first = role === 'maker' ? 0 : COLUMNS;
      const before = table.get(place, first + LOGS);
      table.set(place, first + LOGS, before + 1);
      if (before === 0) table.set(place, first + FILE, files.length - 1);
      else {
        const known = before === 1 ? [files[table.get(place, first + FILE)] ?? ''] : [];
        copied.note(2 * place + (role === 'maker' ? 0 : 1), [...known, file]);
      }
      if (before > 0 && events.length <= table.get(place, first + EVENTS)) return;
      table.set(place, first + NUMBER, number);
      table.set(place, first + EVENTS, events.length);
    },
    swaps: table.size,
    pairOf(at, { log }) {
      const place = table.find(uuidBytes(log.uuid));
      const pair = place < 0 ? null : pairAt(place);
      if (pair === null || !isNear(pair) || !pair.includes(at + 1)) return null;
      return Math.max(...pair) === at + 1 ? 'second' : 'first';
    },
    pairs(most) {
      const [near, far]: [number[], number[]] = [[], []];
      for (let place = 0; place < table.size(); place++) {
        const pair = pairAt(place);
        if (pair !== null) (isNear(pair) ? near : far).push(place);
      }
      const told = (found: readonly number[]): Pairs => ({
        named: found.slice(0, most).map(uuidAt),
        all: found.length,
      });
      return { together: told(near), apart: told(far) };
    },
    copies({ most, files: shown }) {
      let all = 0;
      for (let side = 0; side < 2 * table.size(); side++) if (logsOf(side) > 1) all += 1;
      const named = copied.first(most).map(([side, names]): Copies => {
        const [uuid, role] = [uuidAt(Math.floor(side / 2)), ROLES[side % 2] ?? 'maker'];
        return { uuid, role, logs: logsOf(side), files: names.slice(0, shown) };
      });
      return { named, all };
    },
  };
}

const isNear = ([maker, taker]: readonly [number, number]): boolean => Math.abs(maker - taker) <= MOST_APART;

/** Files of sides of which there are several logs, of those that come first in the input: once one had to give way it is named no more. */
function createCopied() {
  const files = new Map<number, readonly string[]>();
  return {
    note(side: number, names: readonly string[]): void {
      files.set(side, [...(files.get(side) ?? []), ...names].slice(0, MOST_COPIED));
      if (files.size > MOST_COPIED) files.delete(Math.max(...files.keys()));
    },
    first: (most: number) => [...files].toSorted(([left], [right]) => left - right).slice(0, most),
  };
}
