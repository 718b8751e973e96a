import type { FrameworkContext } from '../context.ts';
import { internalFailure } from '../failure.ts';
import type { FrameworkMethod } from '../method.ts';

/** What the node counts, in the form of the real node. */
export const metrics: FrameworkMethod<FrameworkContext> = {
  name: 'metrics',
  summary: "Returns the node's counters: questions to chains, faults, swaps by state.",
  legacy: {
    async run(_request, { node }) {
      if (node.metrics === undefined)
        throw internalFailure('The node counts nothing: install prom-client next to swapfold');
      return { metrics: await node.metrics.series() };
    },
  },
};
