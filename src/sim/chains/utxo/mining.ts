import { blockTimeOf } from '../block-time.ts';
import { announceBlock, isCensored, leastRate, warpedTime } from '../network.ts';
import type { MinedBlock, MineOptions } from '../types.ts';
import { evict, takeSources } from './mempool.ts';
import { isFinal, judge } from './rules.ts';
import { addEntry, GONE, IN_MEMPOOL, type UtxoEntry, type UtxoState } from './state.ts';
import type { UtxoInput, UtxoTransaction } from './transaction.ts';

/** Adds a block and tells nobody. @throws RangeError for a time or a transaction that the rules forbid. */
export function addUtxoBlock(state: UtxoState, options: MineOptions): MinedBlock {
  const { settings, list } = state;
  const now = settings.now();
  const time = blockTimeOf(options.time ?? warpedTime(state.network, list.truth.median), {
    above: list.truth.median,
    now,
  });
  const height = list.truth.height + 1;
  const entries: UtxoEntry[] = [];
  for (const hex of options.extra ?? []) addExtra(state, hex, { height, entries });
  if (options.include !== 'none' && state.mempool.length > 0) fill(state, entries, { height, options });
  list.push({ time, arrived: now, entries });
  return { height, time, transactions: entries.map(({ tx }) => tx.id) };
}

/** Adds a block. @throws RangeError as {@link addUtxoBlock}. */
export function mineUtxo(state: UtxoState, options: MineOptions): MinedBlock {
  const block = addUtxoBlock(state, options);
  const { height, transactions } = block;
  announceBlock(state.network, { height, clock: state.list.truth.median, changes: transactions.length > 0 });
  return block;
}

type Filling = { readonly height: number; readonly options: MineOptions };

/** Moves what may be included from the mempool into the block. */
function fill(state: UtxoState, entries: UtxoEntry[], { height, options }: Filling): void {
  const { include } = options;
  const { median } = state.list.truth;
  const least = leastRate(state.network);
  const left: UtxoEntry[] = [];
  for (const entry of state.mempool) {
    const chosen =
      (typeof include !== 'function' || include(entry.tx.id)) &&
      Number(entry.fee) >= least * entry.size &&
      !isCensored(state.network, entry.purpose) &&
      isFinal(entry.tx, median) &&
      // What it depends on comes before it, and so is already in the block if it ever will be.
      entry.sources.every((source) => source.height >= 0);
    if (chosen) {
      confirm(entry, height);
      entries.push(entry);
    } else left.push(entry);
  }
  if (left.length < state.mempool.length) state.mempool = left;
}

function confirm(entry: UtxoEntry, height: number): void {
  entry.height = height;
  entry.everMined = true;
}

type Opening = { readonly height: number; readonly entries: UtxoEntry[] };

/** Puts a miner's transaction into the block; what conflicts with it leaves the mempool. */
function addExtra(state: UtxoState, hex: string, { height, entries }: Opening): void {
  const tx = state.codec.decode(hex);
  const judged = tx === null ? null : judge(state, tx);
  const problem = tx === null || judged === null ? 'no transaction' : extraProblem(state, tx, judged);
  if (tx === null || judged === null || problem !== null || !judged.ok) {
    // The block is abandoned: what it held waits again, so that the chain stays consistent.
    for (const entry of entries) entry.height = IN_MEMPOOL;
    state.mempool = [...entries, ...state.mempool];
    throw new RangeError(`a miner cannot include ${tx?.id ?? 'these bytes'}: ${problem}`);
  }
  const known = state.entries.get(tx.id);
  evict(
    state,
    takersOf(tx, judged.sources).filter((taker) => taker !== known),
  );
  const entry = known ?? addEntry(state, tx, { sources: judged.sources, fee: judged.fee, submittedBy: null });
  if (entry.height === IN_MEMPOOL) state.mempool = state.mempool.filter((other) => other !== entry);
  else takeSources(entry, entry);
  confirm(entry, height);
  entries.push(entry);
}

function takersOf(tx: UtxoTransaction, sources: readonly UtxoEntry[]): readonly UtxoEntry[] {
  return sources.flatMap((source, index) => source.takers[(tx.inputs[index] as UtxoInput).vout] ?? []);
}

function extraProblem(state: UtxoState, tx: UtxoTransaction, judged: ReturnType<typeof judge>): string | null {
  if (!judged.ok) return judged.fault.message;
  if ((state.entries.get(tx.id)?.height ?? GONE) >= 0) return 'it is in the chain already';
  if (takersOf(tx, judged.sources).some(({ height }) => height >= 0)) return 'the chain holds one that took an input';
  if (judged.sources.some(({ height }) => height < 0)) return 'what it depends on is not in the chain';
  return isFinal(tx, state.list.truth.median) ? null : 'its lock time has not passed';
}
