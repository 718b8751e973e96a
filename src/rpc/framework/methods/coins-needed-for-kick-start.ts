import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';

/** Which coins have to be activated for unfinished swaps to go on. */
export const coinsNeededForKickStart: FrameworkMethod<FrameworkContext> = {
  name: 'coins_needed_for_kick_start',
  summary: 'Lists the coins that unfinished swaps wait for.',
  legacy: { run: async (_request, { node: { node } }) => ({ result: await node.coinsNeeded() }) },
};
