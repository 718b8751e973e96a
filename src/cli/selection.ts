import { existsSync } from 'node:fs';
import type { Outcome } from '../../machines/swap-verdict.ts';
import type { ReadSwap } from '../log/files/read-swap.ts';
import type { UnixSeconds } from '../primitives/time.ts';
import { type ReplayedSwap, replaySwap } from '../replay/swaps.ts';
import { UsageError } from './io.ts';
import type { SortKey } from './sort-keys.ts';

type ReadableSwap = Extract<ReadSwap, { readonly ok: true }>;

/** Which of the swaps of the inputs a command is about. Each member narrows it further. */
export type SelectionOptions = {
  /** Ticker of either coin, in any case. */
  readonly coin?: string;
  readonly outcome?: Outcome;
  readonly role?: 'maker' | 'taker';
  /** State of the machine. */
  readonly state?: string;
  /** Code of an anomaly, in any case; `any` for any. */
  readonly anomaly?: string;
  /** The swap began at this moment or later. */
  readonly since?: UnixSeconds;
  /** The swap began before this moment. */
  readonly until?: UnixSeconds;
  readonly sort?: SortKey;
  /** At most so many. */
  readonly limit?: number;
};

/** What is asked of a command: where to look, and for which swaps. */
export type Selection = {
  readonly places: readonly string[];
  /** Beginnings of uuids, in small letters; none for all. */
  readonly ids: readonly string[];
  readonly options: SelectionOptions;
  /** Whether anything is left out or put into another order. */
  readonly isActive: boolean;
};

/** A uuid, or the beginning of one: at least four digits. */
const ID = /^(?:[0-9a-f]{4,7}|[0-9a-f]{8}(?:-?[0-9a-f]{0,4}){0,3}(?:-?[0-9a-f]{0,12}))$/i;

/**
 * Tells the uuids among the inputs from the places to look at. What is the name of a file is one, whatever it looks like.
 *
 * @throws UsageError where there are ids and no place
 */
export function selectionOf(inputs: readonly string[], options: SelectionOptions): Selection {
  const isId = (input: string): boolean => ID.test(input) && !existsSync(input);
  const ids = inputs.filter(isId).map((id) => id.toLowerCase());
  const places = inputs.filter((input) => !isId(input));
  if (places.length === 0) {
    throw new UsageError(
      `Name a file or folder to look for ${ids.length === 1 ? 'this swap' : 'these swaps'} in, beside ${ids.join(', ')}.`,
    );
  }
  const isActive = ids.length > 0 || Object.values(options).some((value) => value !== undefined);
  return { places, ids, options, isActive };
}

/** Whether a swap that cannot be read may be one that is asked for. */
export function mayBeMeant({ ids }: Pick<Selection, 'ids'>, uuid: string | null): boolean {
  return ids.length === 0 || (uuid !== null && ids.some((id) => uuid.toLowerCase().startsWith(id)));
}

/** Digits that an id has in common with one that is near. */
const NEAR = 4;

/** Whether a swap has an id that somebody may have meant who gave another one. */
export function isNear({ ids }: Pick<Selection, 'ids'>, uuid: string): boolean {
  return ids.some((id) => uuid.toLowerCase().startsWith(id.slice(0, NEAR)));
}

export function isSelected(selection: Selection, { log }: ReadableSwap): boolean {
  const { coin, outcome, role, state, anomaly, since, until } = selection.options;
  if (!mayBeMeant(selection, log.uuid)) return false;
  if (role !== undefined && log.role !== role) return false;
  const begun = log.events[0]?.at;
  if (since !== undefined && (begun === undefined || begun < since * 1000)) return false;
  if (until !== undefined && (begun === undefined || begun >= until * 1000)) return false;
  if (coin === undefined && outcome === undefined && state === undefined && anomaly === undefined) return true;
  const replayed = replaySwap(log);
  if (outcome !== undefined && replayed.outcome !== outcome) return false;
  if (state !== undefined && replayed.state.toLowerCase() !== state.toLowerCase()) return false;
  if (coin !== undefined && !coinsOf(replayed, log.head).includes(coin.toUpperCase())) return false;
  return anomaly === undefined || hasAnomaly(replayed, anomaly);
}

/** Whether a replay found an anomaly of this code, in any case, or any. */
export function hasAnomaly({ anomalies }: ReplayedSwap, wanted: string): boolean {
  if (wanted.toLowerCase() === 'any') return anomalies.length > 0;
  return anomalies.some(({ code }) => code === wanted.toUpperCase());
}

type Head = { readonly maker_coin: string | null; readonly taker_coin: string | null };

function coinsOf({ funds }: ReplayedSwap, head: Head): readonly string[] {
  const named = [funds.makerPayment.coin ?? head.maker_coin, funds.takerPayment.coin ?? head.taker_coin];
  return named.flatMap((coin) => (coin === null ? [] : [coin.toUpperCase()]));
}

/** In the order that is asked for; swaps that are equal by it stay as they came. */
export function sorted(selection: Selection, swaps: readonly ReadableSwap[]): readonly ReadableSwap[] {
  const { sort } = selection.options;
  if (sort === undefined) return swaps;
  const keyed = swaps.map((read) => ({ read, key: keyOf(read, sort) }));
  return keyed.toSorted((left, right) => compare(left.key, right.key)).map(({ read }) => read);
}

function keyOf({ log }: ReadableSwap, sort: SortKey): string | number {
  if (sort === 'time') return log.events[0]?.at ?? 0;
  if (sort === 'uuid') return log.uuid;
  const replayed = replaySwap(log);
  return sort === 'outcome' ? replayed.outcome : coinsOf(replayed, log.head).join('/');
}

function compare(left: string | number, right: string | number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
