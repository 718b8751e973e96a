import type { RpcMethod } from '../method.ts';

/** Ends the node once this answer has left. */
export const stop: RpcMethod = {
  name: 'stop',
  usage: '',
  summary: 'Stops the node.',
  arity: [0, 0],
  run(_params, context) {
    context.stop();
    return `${context.chain.params.name} server stopping`;
  },
};
