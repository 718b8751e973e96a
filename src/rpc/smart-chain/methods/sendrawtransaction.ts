import { OP_RETURN } from '../../../htlc/script.ts';
import type { TxRecord } from '../../../smartchain/chain/records.ts';
import type { RpcMethod } from '../method.ts';
import { optionalBooleanAt, requireType } from '../params.ts';
import { refusalError } from '../refusal-error.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { transactionAt } from '../transaction-param.ts';

/** Takes a signed transaction into the mempool. */
export const sendrawtransaction: RpcMethod = {
  name: 'sendrawtransaction',
  usage: '"hexstring" ( allowhighfees )',
  summary: 'Submits a signed transaction in hex; returns its id.',
  arity: [1, 2],
  run(params, { chain }) {
    requireType(params, 0, 'string');
    if (params.length > 1 && params[1] !== null) requireType(params, 1, 'bool');
    const identified = transactionAt(params, 0);
    const { txid } = identified;
    const record = chain.tree.ledger.transactions.get(txid);
    if (record !== undefined && hasUnspent(record)) {
      throw new RpcError(RPC_CODE.alreadyInChain, 'transaction already in block chain');
    }
    // The node forgets a transaction of which nothing is left to spend, and then misses what it spends itself.
    if (record !== undefined) throw new RpcError(RPC_CODE.transaction, 'Missing inputs');
    const answer = chain.submit(identified, { allowHighFees: optionalBooleanAt(params, 1) ?? false });
    if ('refused' in answer) throw refusalError(answer.refused);
    return txid;
  },
};

function hasUnspent({ spentBy, transaction }: TxRecord): boolean {
  return spentBy.some((spender, vout) => {
    return spender === undefined && transaction.outputs[vout]?.script[0] !== OP_RETURN;
  });
}
