import type { Look } from '../../chains/evm/index.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { EvmAdapter } from './adapter-module.ts';

/**
 * By how much what nodes call final may lie behind the head: both payments of a swap have to become final one after the other, long before the first of
 * their locks ends (7,800 s in the framework). Where a chain takes longer, as those that prove their blocks on another one, no swap would ever end.
 */
export const MOST_BEHIND: Seconds = 1800;

/**
 * Whether finality on a chain takes what its nodes call final (`finalized`, execution-apis), beside the depth: as the coins file says, else if they know a
 * final block that is not too far behind. Where nobody knows one, the depth alone decides; where some do and too few to say which, nothing is final: a
 * node alone must not make the others' word count for nothing.
 */
export async function goesByFinalized(
  look: Look,
  { said, adapter }: { readonly said: boolean | null; readonly adapter: EvmAdapter },
): Promise<boolean> {
  if (said !== null) return said;
  try {
    const number = await look.finalized();
    if (number === null) return false;
    if (number < 0 || number >= look.head.number) return true;
    const block = await look.block(number);
    return block !== null && look.head.time - block.time <= MOST_BEHIND;
  } catch (error) {
    if (error instanceof adapter.BackendSilent) return false;
    throw error;
  }
}
