import { replay } from './execution.ts';
import { type AccountState, GONE } from './state.ts';

/** Remembers the place of every transaction; the returned function restores all of them. What was added meanwhile is in no block. */
export function remember(state: AccountState): () => void {
  const { list, entries, accounts } = state;
  const blocks = [...list.blocks];
  const mempool = [...state.mempool];
  const known = [...entries.values()].map((entry) => {
    const { height, since, everMined, succeeded, outOfGas, fee } = entry;
    return { entry, height, since, everMined, succeeded, outOfGas, fee };
  });
  const waiting = [...accounts.values()].map(({ pending }) => ({ pending, held: [...pending] }));
  return () => {
    list.restore(blocks);
    replay(state);
    for (const added of entries.values()) added.height = GONE;
    for (const { entry, ...was } of known) Object.assign(entry, was);
    for (const { pending } of accounts.values()) pending.length = 0;
    for (const { pending, held } of waiting) pending.push(...held);
    state.mempool = mempool;
  };
}
