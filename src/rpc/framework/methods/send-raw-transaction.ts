import { activeCoinOf } from '../active.ts';
import type { FrameworkContext } from '../context.ts';
import { internalFailure } from '../failure.ts';
import type { FrameworkMethod } from '../method.ts';

/** Sends a signed transaction. */
export const sendRawTransaction: FrameworkMethod<FrameworkContext> = {
  name: 'send_raw_transaction',
  summary: 'Sends a signed transaction, unless it spends what a swap has signed for.',
  legacy: {
    async run(request, { node: { node } }) {
      const coin = activeCoinOf(request, node);
      const { tx_hex } = request;
      if (typeof tx_hex !== 'string') throw internalFailure("No 'tx_hex' field");
      const answer = await coin.wallet.send(tx_hex);
      if (!answer.ok) throw internalFailure(answer.refusal.text);
      return { tx_hash: answer.value };
    },
  },
};
