import { activeCoinOf } from '../active.ts';
import type { FrameworkContext } from '../context.ts';
import { internalFailure } from '../failure.ts';
import type { FrameworkMethod } from '../method.ts';

/** Writes an address in another form of its network. */
export const convertaddress: FrameworkMethod<FrameworkContext> = {
  name: 'convertaddress',
  summary: 'Converts a Qtum address to the wallet or the contract format.',
  legacy: {
    run(request, { node: { node } }) {
      const coin = activeCoinOf(request, node);
      const { from, to_address_format: format } = request;
      if (typeof from !== 'string') throw internalFailure("No 'from' field");
      if (format === undefined || format === null) throw internalFailure("No 'to_address_format' field");
      if (coin.convert === undefined) throw internalFailure(`Addresses of ${coin.ticker} have only one format`);
      const converted = coin.convert(from, format);
      if (!converted.ok) throw internalFailure(converted.problem);
      return { result: { address: converted.address } };
    },
  },
};
