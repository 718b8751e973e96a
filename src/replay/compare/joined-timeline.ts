import type { LegFunds } from '../../../machines/swap-verdict.ts';
import type { Role } from '../../events/catalog.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { millisOf } from '../../primitives/time.ts';
import { moneyTimeline, type TimelineLeg, type TimelineRow } from '../timeline.ts';
import { clockBounds, clockShift } from './side-clocks.ts';

/** A row of one side's log, with both payments as both logs together have them at that moment; times are those of its own clock. */
export type JoinedRow = TimelineRow & { readonly side: Role };

/** Both sides' timelines in one order of time. A deadline that both logs give stands once. */
export function joinedTimeline(logs: Readonly<Record<Role, SwapLog>>): readonly JoinedRow[] {
  const shift = clockShift(clockBounds(logs));
  const rowsOf = (side: Role) => {
    let order = Number.NEGATIVE_INFINITY;
    return moneyTimeline(logs[side]).rows.map((row) => {
      order = Math.max(order, side === 'taker' ? row.at - shift : row.at);
      return { side, row, order };
    });
  };
  const all = [...rowsOf('maker'), ...rowsOf('taker')].toSorted((left, right) => left.order - right.order);
  const start = all[0]?.row.at ?? 0;
  const told = new Set<string>();
  let latest: Readonly<Record<Role, TimelineRow | null>> = { maker: null, taker: null };
  const rows: JoinedRow[] = [];
  for (const { side, row } of all) {
    if (row.kind === 'deadline') {
      const key = `${row.deadline} ${row.at}`;
      if (told.has(key)) continue;
      told.add(key);
    }
    latest = { ...latest, [side]: row };
    rows.push({
      ...row,
      side,
      offset: millisOf(row.at) - start,
      makerPayment: legOf('makerPayment', latest),
      takerPayment: legOf('takerPayment', latest),
    });
  }
  return rows;
}

const KNOWN: Readonly<Record<LegFunds['status'], number>> = { none: 0, uncertain: 1, locked: 2, spent: 3, refunded: 3 };

function legOf(
  name: 'makerPayment' | 'takerPayment',
  { maker, taker }: Readonly<Record<Role, TimelineRow | null>>,
): TimelineLeg {
  const legs = [maker, taker].flatMap((row) => (row === null ? [] : [row[name]]));
  const [best, other] = legs.toSorted((left, right) => KNOWN[right.status] - KNOWN[left.status]);
  if (best === undefined) return { coin: null, amount: null, status: 'none', by: null, movableBy: [], shown: null };
  // One log may show the confirmation of an end that the other one tells.
  const isConfirmed = best.status === other?.status && other.shown === 'confirmed' && best.shown === 'unconfirmed';
  return isConfirmed ? { ...best, shown: other.shown } : best;
}
