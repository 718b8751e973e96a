import { z } from 'zod';
import { DecodeError } from '../../../events/decode-error.ts';
import { encodeSavedSwap } from '../../../events/encode.ts';
import { decodeSavedSwap, type SwapLog } from '../../../events/saved-swap.ts';
import { struct } from '../../../node/serde.ts';
import { RecreateError } from '../../../replay/recreate/recreate-error.ts';
import { recreateSwap } from '../../../replay/recreate.ts';
import type { FrameworkContext } from '../context.ts';
import { invalidRequest } from '../dispatch.ts';
import { RpcFailure } from '../failure.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';

type Serving = { readonly node: FrameworkContext };

/** Makes the other party's log out of a log. Nothing is stored. */
export const recreateSwapData: FrameworkMethod<FrameworkContext> = {
  name: 'recreate_swap_data',
  summary: "Builds the other party's log from a stored swap.",
  v2: v2Form({
    params: struct('RecreateSwapRequest', { swap: z.unknown() }),
    run({ swap }: { readonly swap?: unknown }, { node: { node, version } }: Serving) {
      const hasCoin = (ticker: string): boolean => node.coins.get(ticker) !== undefined;
      try {
        const { log } = recreateSwap(read(swap), { hasCoin, mmVersion: version });
        return { swap: encodeSavedSwap(log, node.compatibility === 'kdf' ? 'kdf' : 'spec') };
      } catch (error) {
        if (!(error instanceof RecreateError)) throw error;
        const { error_type: type } = error.kdf;
        const data = 'error_data' in error.kdf ? { data: error.kdf.error_data } : {};
        throw new RpcFailure(error.shortMessage, { type, ...data, status: type === 'Internal' ? 500 : 400 });
      }
    },
  }),
};

function read(swap: unknown): SwapLog {
  try {
    return decodeSavedSwap(swap, '/swap');
  } catch (error) {
    if (error instanceof DecodeError) throw invalidRequest(error.shortMessage);
    throw error;
  }
}
