import { activated, refusedActivation } from '../activation-answer.ts';
import type { FrameworkContext } from '../context.ts';
import type { FrameworkMethod } from '../method.ts';

/** Activates a coin over its own daemon (specification §4.5). */
export const enable: FrameworkMethod<FrameworkContext> = {
  name: 'enable',
  summary: 'Activates a coin over its own daemon.',
  legacy: {
    async run(request, { node: { node } }) {
      return activated(await node.enable(request).catch(refusedActivation(request, node.compatibility)));
    },
  },
};
