import { activated, refusedActivation } from '../activation-answer.ts';
import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';

/** Activates a coin over its own daemon, or over the nodes of its EVM chain (specification §4.5). */
export const enable: FrameworkMethod<FrameworkContext> = {
  name: 'enable',
  summary: 'Activates a coin over its own daemon, or over the nodes of its EVM chain.',
  legacy: {
    async run(request, { node: { node } }) {
      const coin = await node.enable(request).catch(refusedActivation(request, node.compatibility));
      return activated(coin, node);
    },
  },
};
