import type { LegFunds, Outcome } from '../../../machines/swap-verdict.ts';
import type { Role } from '../../events/catalog.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { Uuid } from '../../primitives/ids.ts';
import type { RangeEntry } from '../../replay/jsonl/join.ts';
import type { StreamFacts } from '../../replay/jsonl/scanner.ts';
import type { ReplayedSwap } from '../../replay/swaps.ts';

// Verdicts on their way from a thread to another, as one text for many: cloning them as objects costs more than finding
// them. What most swaps share is written once; a swap in which nothing is odd is a short row, any other a whole object.

type Leg = readonly [
  coin: string | null,
  amount: string | null,
  status: LegFunds['status'],
  tx: string | null,
  by: LegFunds['by'],
];
type Row = readonly [list: number, uuid: Uuid, makerPayment: Leg, takerPayment: Leg];
type Whole = { readonly swap: ReplayedSwap; readonly facts: StreamFacts };
type Common = {
  readonly role: Role;
  readonly events: readonly string[];
  readonly state: string;
  readonly kdf: ReplayedSwap['kdf'];
  readonly outcome: Outcome;
};
type Batch = { readonly common: readonly Common[]; readonly entries: readonly (Row | Whole)[] };

type SwapEntry = Extract<RangeEntry, { readonly swap: ReplayedSwap }>;

/** Collects the swaps of a range. */
export function createBatchWriter(): { readonly add: (entry: SwapEntry) => void; readonly text: () => string } {
  const common: Common[] = [];
  const entries: (Row | Whole)[] = [];
  let latest = -1;

  const commonOf = ({ role, events, state, kdf, outcome }: ReplayedSwap): number => {
    const fits = (index: number) => {
      const known = common[index];
      return (
        known !== undefined &&
        known.role === role &&
        known.state === state &&
        known.outcome === outcome &&
        known.kdf.success === kdf.success &&
        known.kdf.recoverable === kdf.recoverable &&
        known.kdf.finished === kdf.finished &&
        sameList(known.events, events)
      );
    };
    if (fits(latest)) return latest;
    // The first few ways of a swap cover nearly all of them; looking further would cost more than it saves.
    latest = common.slice(0, MAX_SEARCHED).findIndex((_, index) => fits(index));
    if (latest < 0) latest = common.push({ role, events, state, kdf, outcome }) - 1;
    return latest;
  };

  return {
    add({ swap, facts }) {
      const { uuid, funds, next, anomalies } = swap;
      const { makerPayment, takerPayment } = funds;
      const isShort = facts.end === undefined && facts.finished;
      const plain = isShort && facts.first === 0 && next === null && anomalies.length === 0;
      if (!plain || makerPayment.claimable.length > 0 || takerPayment.claimable.length > 0)
        entries.push({ swap, facts });
      else entries.push([commonOf(swap), uuid, legOf(makerPayment), legOf(takerPayment)]);
    },
    text: () => JSON.stringify({ common, entries } satisfies Batch),
  };
}

const MAX_SEARCHED = 64;

function sameList(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}

function legOf({ coin, amount, status, tx, by }: LegFunds): Leg {
  return [coin, amount, status, tx, by];
}

/** The swaps of a text that {@link createBatchWriter} made. */
export function readBatch(text: string): readonly SwapEntry[] {
  const { common, entries } = JSON.parse(text) as Batch;
  return entries.map((entry) => (isRow(entry) ? entryOf(entry, common) : entry));
}

function isRow(entry: Row | Whole): entry is Row {
  return Array.isArray(entry);
}

function entryOf([list, uuid, makerPayment, takerPayment]: Row, common: readonly Common[]): SwapEntry {
  const { role, events, state, kdf, outcome } = common[list] as Common;
  const funds = { makerPayment: fundsOf(makerPayment), takerPayment: fundsOf(takerPayment) };
  const swap: ReplayedSwap = { uuid, role, events, state, kdf, outcome, funds, next: null, anomalies: [] };
  return { swap, facts: { stream: `${role}-swap/${uuid}`, finished: true, first: 0 } };
}

function fundsOf([coin, amount, status, tx, by]: Leg): LegFunds {
  return { coin, amount: amount as DecimalText | null, status, tx, by, claimable: [] };
}
