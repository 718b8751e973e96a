import { z } from 'zod';
import type { FrameworkContext } from '../context.ts';
import { type FrameworkMethod, v2Form } from '../method.ts';
import { openRpcDocument } from '../openrpc.ts';

/** The interface as an OpenRPC document, under the name that OpenRPC gives it. */
export const discover: FrameworkMethod<FrameworkContext> = {
  name: 'rpc.discover',
  summary: 'Describes the interface as an OpenRPC document.',
  v2: v2Form({
    params: z.unknown(),
    run: (_params, { node }: { readonly node: FrameworkContext }) =>
      openRpcDocument({ version: node.version, summaries: node.summaries ?? new Map() }),
  }),
};
