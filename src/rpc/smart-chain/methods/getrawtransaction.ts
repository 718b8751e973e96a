import { bytesToHex } from '../../../primitives/hex.ts';
import { numberText } from '../../../primitives/json.ts';
import { findTransaction } from '../chain-view.ts';
import type { Params, RpcMethod } from '../method.ts';
import { integerAt, optionalBooleanAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { chainTransactionJson } from '../transaction-json.ts';
import { transactionIdAt } from '../transaction-param.ts';

/** A transaction that the chain or the mempool holds. */
export const getrawtransaction: RpcMethod = {
  name: 'getrawtransaction',
  usage: '"txid" ( verbose )',
  summary: 'Returns a transaction in hex or, with verbose 1, its parts and its place in the chain.',
  arity: [1, 2],
  run(params, { chain }) {
    const txid = transactionIdAt(params, 0);
    const verbose = isVerbose(params);
    const known = findTransaction(chain, txid);
    if (known === undefined) throw new RpcError(RPC_CODE.addressOrKey, 'No information available about transaction');
    return verbose ? chainTransactionJson(chain, known) : bytesToHex(known.identified.bytes);
  },
};

/** The node takes a number here; a truth value is taken as well. */
function isVerbose(params: Params): boolean {
  const value = params[1];
  if (value === undefined || value === null) return false;
  return numberText(value) === undefined ? optionalBooleanAt(params, 1) === true : integerAt(params, 1) !== 0;
}
