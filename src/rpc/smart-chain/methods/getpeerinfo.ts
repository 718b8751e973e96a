import type { RpcMethod } from '../method.ts';

/** Nodes that this one is connected to: none, for a chain in one process has no network. */
export const getpeerinfo: RpcMethod = {
  name: 'getpeerinfo',
  usage: '',
  summary: 'Returns what is known about the connected nodes.',
  arity: [0, 0],
  run: () => [],
};
