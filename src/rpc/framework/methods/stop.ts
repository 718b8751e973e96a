import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';

/** Ends the node once this answer has left. */
export const stop: FrameworkMethod<FrameworkContext> = {
  name: 'stop',
  summary: 'Stops the node.',
  legacy: {
    run(_request, { node }) {
      node.stop();
      return { result: 'success' };
    },
  },
};
