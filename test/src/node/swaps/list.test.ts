import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import {
  latestFirst,
  listSwaps,
  type Paging,
  pageOf,
  passes,
  type SwapFilter,
  type SwapRow,
} from '../../../../src/node/swaps/list.ts';
import { millisOf, type UnixSeconds } from '../../../../src/primitives/time.ts';

const ANY: SwapFilter = { my_coin: null, other_coin: null, from_timestamp: null, to_timestamp: null };

const coin = fc.constantFrom('A', 'B', 'C');
const rowsOf = fc
  .uniqueArray(
    fc.record({
      uuid: fc.uuid({ version: 4 }),
      myCoin: coin,
      otherCoin: coin,
      startedAt: fc.integer({ min: 1, max: 6 }),
    }),
    { selector: ({ uuid }) => uuid, maxLength: 12 },
  )
  .map((rows) =>
    rows.map((row): SwapRow => ({ ...row, stream: `x/${row.uuid}`, startedAt: row.startedAt as UnixSeconds })),
  );
const filterOf: fc.Arbitrary<SwapFilter> = fc.record({
  my_coin: fc.option(coin),
  other_coin: fc.option(coin),
  from_timestamp: fc.option(fc.integer({ min: 0, max: 7 })),
  to_timestamp: fc.option(fc.integer({ min: 0, max: 7 })),
});
const pagingOf = fc.record({ limit: fc.integer({ min: 1, max: 5 }), page_number: fc.integer({ min: 1, max: 5 }) });

/** What the real node's table would answer, one row at a time. */
function model(rows: readonly SwapRow[], filter: SwapFilter): readonly SwapRow[] {
  const found: SwapRow[] = [];
  for (const row of rows) {
    if (filter.my_coin !== null && filter.my_coin !== row.myCoin) continue;
    if (filter.other_coin !== null && filter.other_coin !== row.otherCoin) continue;
    if (filter.from_timestamp !== null && !(filter.from_timestamp <= row.startedAt)) continue;
    if (filter.to_timestamp !== null && !(row.startedAt < filter.to_timestamp)) continue;
    found.push(row);
  }
  return found;
}

describe('a list of swaps', () => {
  const list = (rows: readonly SwapRow[], filter: SwapFilter) => latestFirst(rows.filter((row) => passes(row, filter)));

  it('holds what the filter accepts, the latest first', () => {
    fc.assert(
      fc.property(rowsOf, filterOf, (rows, filter) => {
        const found = list(rows, filter);
        expect(new Set(found)).toEqual(new Set(model(rows, filter)));
        for (const [place, { startedAt }] of found.slice(1).entries()) {
          expect(startedAt).toBeLessThanOrEqual(found[place]?.startedAt ?? 0);
        }
      }),
    );
  });

  it('is split into pages that hold each swap once, in the order of the list', () => {
    fc.assert(
      fc.property(rowsOf, filterOf, fc.integer({ min: 1, max: 5 }), (rows, filter, limit) => {
        const found = list(rows, filter);
        const pages = Array.from({ length: Math.ceil(found.length / limit) }, (_, index) =>
          pageOf(found, { limit, page_number: index + 1, from_uuid: null }),
        );
        expect(pages.flatMap((page) => page?.rows ?? [])).toEqual(found);
        for (const [index, page] of pages.entries()) {
          expect(page).toMatchObject({ skipped: index * limit, total: found.length, total_pages: pages.length });
        }
      }),
    );
  });

  it('continues after a swap, whatever the page', () => {
    fc.assert(
      fc.property(rowsOf, pagingOf, fc.nat(), (rows, paging, pick) => {
        const found = list(rows, ANY);
        fc.pre(found.length > 0);
        const at = pick % found.length;
        const page = pageOf(found, { ...paging, from_uuid: found[at]?.uuid ?? '' });
        expect(page).toMatchObject({ skipped: at + 1, total: found.length });
        expect(page?.rows).toEqual(found.slice(at + 1, at + 1 + paging.limit));
      }),
    );
  });

  it('has no page after a swap that is not in it, but searches for none in an empty list', () => {
    const paging: Paging = { limit: 3, page_number: 2, from_uuid: 'absent' };
    const rows = fc.sample(rowsOf, { numRuns: 20, seed: 5 }).find(({ length }) => length > 0) ?? [];
    expect(pageOf(rows, paging)).toBeNull();
    expect(pageOf([], paging)).toEqual({ rows: [], skipped: 0, total: 0, total_pages: 0 });
    expect(pageOf(rows, { ...paging, limit: 0, from_uuid: null })).toMatchObject({ rows: [], total_pages: 0 });
  });
});

describe('the swaps of a log', () => {
  it('name the own coin by their role, and their start by the swap’s own time', async () => {
    const log = createMemoryLog();
    const add = (stream: string, at: number, started: number | null) =>
      log.append({
        stream,
        expected: 0,
        records: [
          { at: millisOf(at), version: 1, type: 'SwapRequested', data: {} },
          ...(started === null
            ? []
            : [{ at: millisOf(at), version: 1, type: 'Started', data: { started_at: started } }]),
        ],
        labels: { makerCoin: 'MAK', takerCoin: 'TAK' },
      });
    await add('maker-swap/m', 50_000, 49);
    await add('taker-swap/t', 60_999, null);
    await add('watcher/w', 70_000, null);
    expect(await listSwaps(log, ANY)).toEqual([
      { stream: 'taker-swap/t', uuid: 't', myCoin: 'TAK', otherCoin: 'MAK', startedAt: 60 },
      { stream: 'maker-swap/m', uuid: 'm', myCoin: 'MAK', otherCoin: 'TAK', startedAt: 49 },
    ]);
    expect(await listSwaps(log, { ...ANY, to_timestamp: 50 })).toHaveLength(1);
    expect(await listSwaps(log, { ...ANY, from_timestamp: 50, my_coin: 'MAK' })).toEqual([]);
  });
});
