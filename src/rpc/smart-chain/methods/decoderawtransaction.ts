import { decodedTransaction } from '../decoded-transaction.ts';
import type { RpcMethod } from '../method.ts';
import { transactionAt } from '../transaction-param.ts';

/** Takes a transaction apart without looking at the chain. */
export const decoderawtransaction: RpcMethod = {
  name: 'decoderawtransaction',
  usage: '"hexstring"',
  summary: 'Returns the parts of a transaction in hex.',
  arity: [1, 1],
  run(params, { chain }) {
    const { txid, transaction } = transactionAt(params, 0);
    return decodedTransaction(transaction, { txid, prefixes: chain.params.prefixes, satoshis: 'valueZat' });
  },
};
