import { coins } from '../amount.ts';
import type { RpcMethod } from '../method.ts';
import { walletBalance } from '../wallet-balance.ts';

/** What the wallet holds, in the form that Bitcoin's own client asks for with `-getinfo`; the smart-chain node has no such call. */
export const getbalances: RpcMethod = {
  name: 'getbalances',
  usage: '',
  summary: 'Returns what the wallet can spend, what is incoming, and what must mature.',
  arity: [0, 0],
  run(_params, context) {
    const { trusted, pending, immature } = walletBalance(context);
    return { mine: { trusted: coins(trusted), untrusted_pending: coins(pending), immature: coins(immature) } };
  },
};
