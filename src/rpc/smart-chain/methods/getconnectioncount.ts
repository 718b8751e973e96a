import type { RpcMethod } from '../method.ts';

/** Nodes that this one is connected to: none, for a chain in one process has no network. */
export const getconnectioncount: RpcMethod = {
  name: 'getconnectioncount',
  usage: '',
  summary: 'Returns how many other nodes this one is connected to.',
  arity: [0, 0],
  run: () => 0,
};
