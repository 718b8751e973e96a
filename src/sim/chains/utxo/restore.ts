import { GONE, type UtxoState } from './state.ts';

/** Remembers the place of every transaction; the returned function restores all of them. What was added meanwhile is in no block. */
export function remember(state: UtxoState): () => void {
  const { list, entries } = state;
  const blocks = [...list.blocks];
  const mempool = [...state.mempool];
  const known = [...entries.values()].map((entry) => {
    const { height, since, everMined } = entry;
    return { entry, height, since, everMined, takers: [...entry.takers] };
  });
  return () => {
    for (const added of entries.values()) added.height = GONE;
    for (const { entry, height, since, everMined, takers } of known) {
      Object.assign(entry, { height, since, everMined });
      entry.takers.splice(0, entry.takers.length, ...takers);
    }
    state.mempool = mempool;
    list.restore(blocks);
  };
}
