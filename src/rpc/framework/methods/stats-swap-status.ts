import { readSides } from '../../../node/swaps/read-swap.ts';
import type { FrameworkContext } from '../context.ts';
import { internalFailure } from '../failure.ts';
import type { FrameworkMethod } from '../method.ts';
import { bareSwap } from '../swap-answer.ts';
import { uuidOfParams } from '../swap-request.ts';

/** A finished swap as it is told to everybody. */
export const statsSwapStatus: FrameworkMethod<FrameworkContext> = {
  name: 'stats_swap_status',
  summary: 'Shows both sides of a finished swap, as far as this node knows them.',
  isPublic: true,
  legacy: {
    async run(request, { node: { node } }) {
      const sides = await readSides(node.log, uuidOfParams(request));
      const ended = sides.filter(({ events }) => events.at(-1)?.type === 'Finished');
      if (ended.length === 0) throw internalFailure('swap data is not found');
      const of = (wanted: string) => {
        const swap = ended.find(({ role }) => role === wanted);
        return swap === undefined ? null : bareSwap(swap, node.compatibility);
      };
      return { result: { maker: of('maker'), taker: of('taker') } };
    },
  },
};
