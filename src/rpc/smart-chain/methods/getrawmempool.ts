import { tipHeight } from '../../../smartchain/chain/ledger.ts';
import type { MempoolEntry } from '../../../smartchain/chain/mempool.ts';
import { entryPriority } from '../../../smartchain/chain/observe-entry.ts';
import type { SmartChain } from '../../../smartchain/node.ts';
import { coins } from '../amount.ts';
import type { RpcMethod } from '../method.ts';
import { optionalBooleanAt } from '../params.ts';

/** The transactions of the mempool. */
export const getrawmempool: RpcMethod = {
  name: 'getrawmempool',
  usage: '( verbose )',
  summary: 'Returns the ids of the transactions that wait for a block or, with verbose true, facts about each.',
  arity: [0, 1],
  run(params, { chain }) {
    const { entries } = chain.mempool();
    if (optionalBooleanAt(params, 0) !== true) return [...entries.keys()];
    return Object.fromEntries([...entries.values()].map((entry) => [entry.txid, entryJson(chain, entry)]));
  },
};

function entryJson(chain: SmartChain, entry: MempoolEntry) {
  const { bytes, fee, time, height, parents } = entry;
  const { ledger } = chain.tree;
  return {
    size: bytes.length,
    fee: coins(fee),
    time,
    height,
    startingpriority: entryPriority(entry, { ledger, height }),
    currentpriority: entryPriority(entry, { ledger, height: tipHeight(ledger) }),
    depends: [...parents],
  };
}
