import { madeOf } from '../../../chains/utxo/made.ts';
import { activeCoinOf } from '../active.ts';
import type { FrameworkContext } from '../context.ts';
import { internalFailure } from '../failure.ts';
import type { FrameworkMethod } from '../method.ts';

/** Sends a signed transaction. */
export const sendRawTransaction: FrameworkMethod<FrameworkContext> = {
  name: 'send_raw_transaction',
  summary: 'Sends a signed transaction, unless it takes what a swap has signed for.',
  legacy: {
    async run(request, { node: { node } }) {
      const coin = activeCoinOf(request, node);
      const { tx_hex } = request;
      if (typeof tx_hex !== 'string') throw internalFailure("No 'tx_hex' field");
      const made = madeOf(tx_hex.toLowerCase());
      if (made === null) throw internalFailure('The bytes are those of no transaction');
      const answer = await coin.chain.send({ tx_hex: made.hex, tx_hash: made.txid });
      if (!answer.ok) throw internalFailure(answer.fault.message);
      return { tx_hash: made.txid };
    },
  },
};
