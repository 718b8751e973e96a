import { activated, refusedActivation } from '../activation-answer.ts';
import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';

/** Activates a coin over Electrum servers (specification §4.4). */
export const electrum: FrameworkMethod<FrameworkContext> = {
  name: 'electrum',
  summary: 'Activates a coin over Electrum servers.',
  legacy: {
    async run(request, { node: { node } }) {
      const coin = await node.electrum(request).catch(refusedActivation(request, node.compatibility));
      return activated(coin, node);
    },
  },
};
