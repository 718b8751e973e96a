import { inTurns, type Steps } from '../../../smartchain/turns.ts';
import { WALLET_FEE_RATE } from '../../../smartchain/wallet/send.ts';
import { coins } from '../amount.ts';
import type { NodeContext } from '../context.ts';
import type { RpcMethod } from '../method.ts';
import { NODE_VERSION } from '../node-version.ts';
import { walletBalance } from '../wallet-balance.ts';
import { walletHistory } from '../wallet-history.ts';

/** State of the wallet. It creates keys on request, so its pool is empty; it is never locked. */
export const getwalletinfo: RpcMethod = {
  name: 'getwalletinfo',
  usage: '',
  summary: 'Returns the state of the wallet.',
  arity: [0, 0],
  async run(_params, context) {
    const { trusted, pending, immature } = walletBalance(context);
    return {
      walletversion: NODE_VERSION.wallet,
      balance: coins(trusted),
      unconfirmed_balance: coins(pending),
      immature_balance: coins(immature),
      txcount: await inTurns(countOf(context)),
      keypoololdest: 0,
      keypoolsize: 0,
      paytxfee: coins(WALLET_FEE_RATE),
    };
  },
};

function* countOf(context: NodeContext): Steps<number> {
  let count = 0;
  for (const known of walletHistory(context)) {
    if (known !== undefined) count++;
    yield;
  }
  return count;
}
