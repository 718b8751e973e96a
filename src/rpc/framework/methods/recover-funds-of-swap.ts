import { NotRecovered, recoverSwap } from '../../../node/swaps/recover.ts';
import type { FrameworkContext } from '../context.ts';
import { internalFailure } from '../failure.ts';
import type { FrameworkMethod } from '../method.ts';
import { uuidOfParams } from '../swap-request.ts';

/** Takes out what a finished swap left behind. */
export const recoverFundsOfSwap: FrameworkMethod<FrameworkContext> = {
  name: 'recover_funds_of_swap',
  summary: 'Recovers what a finished swap left behind, by the only action that the chains allow.',
  legacy: {
    async run(request, { node: { node } }) {
      try {
        return { result: await recoverSwap(node, uuidOfParams(request)) };
      } catch (error) {
        throw error instanceof NotRecovered ? internalFailure(error.message) : error;
      }
    },
  },
};
