import type { FrameworkContext } from '../context.ts';
import { internalFailure } from '../failure.ts';
import type { FrameworkMethod } from '../method.ts';

/** What the node counts, in the form of the real node. */
export const metrics: FrameworkMethod<FrameworkContext> = {
  name: 'metrics',
  summary: 'Tells what the node counts: questions to chains, faults, swaps by state.',
  legacy: {
    async run(_request, { node }) {
      if (node.metrics === undefined) throw internalFailure('Nothing is counted: install prom-client beside swapfold');
      return { metrics: await node.metrics.series() };
    },
  },
};
