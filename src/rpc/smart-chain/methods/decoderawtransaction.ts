import { MAX_TRANSACTION_BYTES } from '../../../smartchain/chain/check-transaction.ts';
import { decodedTransaction } from '../decoded-transaction.ts';
import type { RpcMethod } from '../method.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { transactionAt } from '../transaction-param.ts';

/** Decodes a transaction without looking at the chain. */
export const decoderawtransaction: RpcMethod = {
  name: 'decoderawtransaction',
  usage: '"hexstring"',
  summary: 'Returns the parts of a transaction in hex.',
  arity: [1, 1],
  run(params, { chain }) {
    const { txid, transaction, bytes } = transactionAt(params, 0);
    // Its parts would need many times its size, and no rule allows it in a block.
    if (bytes.length > MAX_TRANSACTION_BYTES) throw new RpcError(RPC_CODE.deserialization, 'TX decode failed');
    return decodedTransaction(transaction, { txid, prefixes: chain.params.prefixes, satoshis: 'valueZat' });
  },
};
