import type { ApiMethod } from '../../src/rpc/framework/api/form.ts';
import { FRAMEWORK_API } from '../../src/rpc/framework/api.ts';

type Said = { readonly status: number; readonly body: object };

/** Fails where an answer of success is not what the document of the interface says, with members too many or too few. */
export function requireDescribed(request: object, { status, body }: Said): void {
  const { method, mmrpc } = request as { readonly method?: string; readonly mmrpc?: string };
  const known = (FRAMEWORK_API as Readonly<Record<string, ApiMethod>>)[String(method)];
  if (status !== 200 || known === undefined) return;
  const isV2 = mmrpc !== undefined || known.legacy === undefined;
  const form = isV2 ? known.v2 : known.legacy;
  const answer = isV2 ? (body as { readonly result?: unknown }).result : body;
  const read = form?.result.safeParse(answer);
  if (read?.success === true) return;
  const why = read === undefined ? 'it has no such form' : JSON.stringify(read.error.issues).slice(0, 2000);
  throw new Error(`the answer of ${method} is not as it is described: ${why}`);
}
