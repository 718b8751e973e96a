import type { RpcMethod } from '../method.ts';
import { optionalBooleanAt, requireType } from '../params.ts';
import { refusalError } from '../refusal-error.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { transactionAt } from '../transaction-param.ts';

/** Adds a signed transaction to the mempool and the log. */
export const sendrawtransaction: RpcMethod = {
  name: 'sendrawtransaction',
  usage: '"hexstring" ( allowhighfees )',
  summary: 'Submits a signed transaction in hex; returns its id.',
  arity: [1, 2],
  async run(params, { chain }) {
    requireType(params, 0, 'string');
    if (params.length > 1 && params[1] !== null) requireType(params, 1, 'bool');
    const identified = transactionAt(params, 0);
    const { txid } = identified;
    const inChain = (chain.tree.ledger.transactions.get(txid)?.spendable ?? 0) > 0;
    if (inChain && !chain.mempool().entries.has(txid)) {
      throw new RpcError(RPC_CODE.alreadyInChain, 'transaction already in block chain');
    }
    const answer = await chain.offer(identified, { allowHighFees: optionalBooleanAt(params, 1) ?? false });
    if ('refused' in answer) throw refusalError(answer.refused);
    return txid;
  },
};
