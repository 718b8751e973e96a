import { isJournalType } from '../../events/journal.ts';
import type { Seconds } from '../../primitives/time.ts';
import { EPOCH } from '../world/scenario.ts';
import type { MarketWorld } from './market.ts';

/** What a party's engine has written about one of its swaps. */
export type MarketLog = {
  readonly party: string;
  /** Place of the swap in the market; null for a watch. */
  readonly swap: number | null;
  readonly records: readonly { readonly at: number; readonly type: string; readonly data: unknown }[];
};

/** One record of a market, as a line of its timeline. */
export type MarketLine = {
  /** Seconds from the start of the world, by the writer's clock. */
  readonly at: Seconds;
  readonly party: string;
  readonly swap: number | null;
  readonly kind: 'public' | 'journal';
  readonly text: string;
};

/** The logs of all parties. */
export function logsOf({ processes }: MarketWorld): readonly MarketLog[] {
  return processes.flatMap(({ party, log, told }) =>
    log.find({}).map(({ stream }): MarketLog => {
      const uuid = stream.slice(stream.indexOf('/') + 1);
      const swap = told.find(({ request }) => request.uuid === uuid)?.index ?? null;
      return { party: party.name, swap, records: log.read(stream) };
    }),
  );
}

/**
 * Every record of a market, in order of the writers' clocks.
 *
 * @example
 * ```ts
 * import { calmMarket, marketTimeline, runMarketScenario } from 'swapfold/testing';
 *
 * const { logs } = await runMarketScenario(calmMarket());
 * const lines = marketTimeline(logs).filter(({ kind }) => kind === 'public');
 * lines.slice(0, 1); // → [{ at: 0, party: 'alice', swap: 0, kind: 'public', text: 'Started' }]
 * lines.every(({ at }, place) => at >= (lines[place - 1]?.at ?? 0)); // → true
 * ```
 */
export function marketTimeline(logs: readonly MarketLog[]): readonly MarketLine[] {
  const lines = logs.flatMap(({ party, swap, records }) =>
    records.map(({ at, type, data }): MarketLine => {
      const kind = isJournalType(type) ? 'journal' : 'public';
      return { at: Math.floor(at / 1000) - EPOCH, party, swap, kind, text: describe(type, data) };
    }),
  );
  return lines.toSorted((left, right) => left.at - right.at);
}

function describe(type: string, data: unknown): string {
  const { purpose, error, kind, action } = (data ?? {}) as Readonly<Record<string, string | undefined>>;
  const detail = [purpose, kind, action, error].filter((part) => part !== undefined).join(' ');
  return detail === '' ? type : `${type} (${detail})`;
}
