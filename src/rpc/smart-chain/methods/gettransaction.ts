import { bytesToHex } from '../../../primitives/hex.ts';
import { lenientHash } from '../../../smartchain/encoding/lenient.ts';
import { coins } from '../amount.ts';
import type { RpcMethod } from '../method.ts';
import { optionalBooleanAt, textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { detailsOf, findWalletTransaction, placeMembers, sumsOf } from '../wallet-transaction.ts';

/** A transaction as the wallet sees it, even if it was sent and is neither in a block nor in the mempool. */
export const gettransaction: RpcMethod = {
  name: 'gettransaction',
  usage: '"txid" ( includeWatchonly )',
  summary: 'Returns what a transaction means to the wallet.',
  arity: [1, 2],
  run(params, context) {
    // As on the node: a text that is no id is the id of nothing.
    const known = findWalletTransaction(context, lenientHash(textAt(params, 0)));
    const withWatched = optionalBooleanAt(params, 1) ?? false;
    if (known === undefined) throw new RpcError(RPC_CODE.addressOrKey, 'Invalid or non-wallet transaction id');
    const { credit, debit, fee } = sumsOf(context, known, { withWatched });
    return {
      amount: coins(credit - debit + (fee ?? 0n)),
      ...(fee === undefined ? {} : { fee: coins(-fee) }),
      ...placeMembers(context, known),
      details: detailsOf(context, known, { withWatched }),
      hex: bytesToHex(known.identified.bytes),
    };
  },
};
