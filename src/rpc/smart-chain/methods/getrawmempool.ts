import { transactionPriority } from '../../../smartchain/chain/fee-estimator.ts';
import { tipHeight } from '../../../smartchain/chain/ledger.ts';
import type { MempoolEntry } from '../../../smartchain/chain/mempool.ts';
import type { SmartChain } from '../../../smartchain/node.ts';
import { coins } from '../amount.ts';
import type { RpcMethod } from '../method.ts';
import { optionalBooleanAt } from '../params.ts';

/** What waits for a block. */
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
  return {
    size: bytes.length,
    fee: coins(fee),
    time,
    height,
    startingpriority: priorityAt(chain, { entry, height }),
    currentpriority: priorityAt(chain, { entry, height: tipHeight(chain.tree.ledger) }),
    depends: [...parents],
  };
}

function priorityAt(chain: SmartChain, { entry, height }: { entry: MempoolEntry; height: number }): number {
  const { inputs } = entry.transaction;
  const { transactions } = chain.tree.ledger;
  const spent = inputs.flatMap(({ txid, vout }) => {
    const record = transactions.get(txid);
    const output = record?.transaction.outputs[vout];
    return record === undefined || output === undefined ? [] : [{ value: output.value, height: record.height }];
  });
  const scripts = inputs.map(({ scriptSig }) => scriptSig.length);
  return transactionPriority({ spent, scripts, size: entry.bytes.length, height });
}
