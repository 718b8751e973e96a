import type { TransactionOutput } from '../../../htlc/transaction.ts';
import type { OutPoint } from '../../../htlc/transaction-encoding.ts';
import { unspentOutput } from '../../../smartchain/chain/ledger.ts';
import type { SmartChain } from '../../../smartchain/node.ts';
import { coins } from '../amount.ts';
import { confirmationsOf, tipNode } from '../chain-view.ts';
import type { RpcMethod } from '../method.ts';
import { integerAt, optionalBooleanAt } from '../params.ts';
import { scriptJson } from '../script-json.ts';
import { transactionIdAt } from '../transaction-param.ts';
import { isFree } from '../wallet-view.ts';

/** An output that is unspent; null for any other. */
export const gettxout: RpcMethod = {
  name: 'gettxout',
  usage: '"txid" n ( includemempool )',
  summary: 'Returns an unspent output, or null if there is none.',
  arity: [2, 3],
  run(params, { chain }) {
    const outPoint = { txid: transactionIdAt(params, 0), vout: integerAt(params, 1) };
    const withWaiting = optionalBooleanAt(params, 2) ?? true;
    if (withWaiting && !isFree(chain, outPoint)) return null;
    const waiting = withWaiting ? chain.mempool().entries.get(outPoint.txid) : undefined;
    const output = waiting?.transaction.outputs[outPoint.vout];
    if (waiting !== undefined && output === undefined) return null;
    const facts = { version: waiting?.transaction.version ?? 0, coinbase: false };
    if (output !== undefined) return outputJson(chain, { output, height: undefined, ...facts });
    return confirmedOutput(chain, outPoint);
  },
};

function confirmedOutput(chain: SmartChain, outPoint: OutPoint) {
  const found = unspentOutput(chain.tree.ledger, outPoint);
  if (found === undefined) return null;
  const { height, coinbase, transaction } = found.record;
  return outputJson(chain, { output: found.output, height, version: transaction.version, coinbase });
}

type Found = {
  readonly output: TransactionOutput;
  readonly height: number | undefined;
  readonly version: number;
  readonly coinbase: boolean;
};

function outputJson(chain: SmartChain, { output, height, version, coinbase }: Found) {
  const depth = height === undefined ? { confirmations: 0, rawconfirmations: 0 } : confirmationsOf(chain, height);
  return {
    bestblock: tipNode(chain).block.hash,
    ...depth,
    value: coins(output.value),
    scriptPubKey: scriptJson(output.script, chain.params.prefixes),
    version,
    coinbase,
  };
}
