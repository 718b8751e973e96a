import { announceBlock } from '../network.ts';
import { replaceLast } from '../replace-last.ts';
import type { MinedBlock, MineOptions, ReorgOptions } from '../types.ts';
import { evict } from './mempool.ts';
import { addUtxoBlock } from './mining.ts';
import { remember } from './restore.ts';
import { isFinal } from './rules.ts';
import { IN_MEMPOOL, type UtxoEntry, type UtxoState } from './state.ts';

/** Replaces the last blocks. @throws RangeError for too great a depth, or a new block that the rules forbid; nothing has changed then. */
export function reorgUtxo(state: UtxoState, reorg: ReorgOptions): readonly MinedBlock[] {
  const chain = { list: state.list, remember: () => remember(state) };
  return replaceLast(chain, reorg.depth, { exchange: () => exchange(state, reorg) });
}

function exchange(state: UtxoState, { depth, drop = [], blocks }: ReorgOptions): readonly MinedBlock[] {
  const { list } = state;
  const returned: UtxoEntry[] = [];
  const emptied: MineOptions[] = [];
  for (let left = depth; left > 0; left--) {
    const block = list.pop();
    if (block === undefined) break;
    returned.unshift(...block.entries);
    emptied.unshift({ time: block.time, include: 'none' });
  }
  const since = state.settings.now();
  for (const entry of returned) {
    entry.height = IN_MEMPOOL;
    entry.since = since;
  }
  // What was in the mempool may depend on what returns, never the other way round.
  state.mempool = [...returned, ...state.mempool];
  if (drop === 'all') evict(state, returned);
  else if (drop.length > 0)
    evict(
      state,
      returned.filter(({ tx }) => drop.includes(tx.id)),
    );
  const branch = (blocks ?? [...emptied, { include: 'none' }]).map((block) => addUtxoBlock(state, block));
  const { median } = list.truth;
  evict(
    state,
    state.mempool.filter(({ tx }) => !isFinal(tx, median)),
  );
  const { height } = list.truth;
  announceBlock(state.network, { height, clock: median, changes: true });
  return branch;
}
