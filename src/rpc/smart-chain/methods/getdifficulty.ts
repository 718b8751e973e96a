import { difficultyOf, tipNode } from '../chain-view.ts';
import type { RpcMethod } from '../method.ts';

/** How much harder the last block was than the easiest one. */
export const getdifficulty: RpcMethod = {
  name: 'getdifficulty',
  usage: '',
  summary: 'Returns the difficulty of the proof of work as a multiple of the minimum.',
  arity: [0, 0],
  run: (_params, { chain }) => difficultyOf(tipNode(chain).block.header.bits),
};
