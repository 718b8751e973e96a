import { maxMoney } from '../../../smartchain/chain/check-transaction.ts';
import { addressScript } from '../../../smartchain/encoding/address.ts';
import { requireAddress } from '../address-params.ts';
import { satoshisOf } from '../amount-params.ts';
import type { RpcMethod } from '../method.ts';
import { optionalBooleanAt, textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { sendPayment } from '../send-payment.ts';

/** Pays one address. Accepts comments and ignores them. */
export const sendtoaddress: RpcMethod = {
  name: 'sendtoaddress',
  usage: '"address" amount ( "comment" "comment-to" subtractfeefromamount )',
  summary: 'Sends an amount to an address; returns the id of the transaction.',
  arity: [2, 5],
  run(params, context) {
    const { prefixes } = context.chain.params;
    const address = requireAddress(textAt(params, 0), { prefixes, text: 'Invalid Komodo address' });
    const value = satoshisOf(params[1], maxMoney(context.chain.params));
    if (value <= 0n) throw new RpcError(RPC_CODE.type, 'Invalid amount for send');
    const feeFrom = optionalBooleanAt(params, 4) === true ? [0] : [];
    return sendPayment(context, { outputs: [{ value, script: addressScript(address) }], feeFrom });
  },
};
