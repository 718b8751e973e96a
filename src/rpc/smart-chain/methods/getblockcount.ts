import { tipHeight } from '../../../smartchain/chain/ledger.ts';
import type { RpcMethod } from '../method.ts';

/** Height of the last block. */
export const getblockcount: RpcMethod = {
  name: 'getblockcount',
  usage: '',
  summary: 'Returns the height of the last block of the active chain.',
  arity: [0, 0],
  run: (_params, { chain }) => tipHeight(chain.tree.ledger),
};
