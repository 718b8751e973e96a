import { withoutCredentials } from '../../events/enable-eth-request.ts';
import { BackendSilent } from '../../ports/silence.ts';

/**
 * A node answers with a redirect. The reader does not follow it: two nodes that lead to one would count twice, and a question meant for TLS could go
 * out without it.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { connectEvmNode, NodeRedirects } from 'swapfold/chains/evm';
 * import { listen } from 'swapfold/rpc';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const credentials = { user: 'me', password: new Secret('secret') };
 * const answer = async () => ({ status: 307, body: '' });
 * const logger = { info() {}, warn() {}, error() {} };
 * const listening = await listen({ answer, credentials, clock: systemClock(), logger, port: 0 });
 * const node = connectEvmNode({ url: `http://me:secret@127.0.0.1:${listening.port}` });
 * const error = await node.request('eth_chainId', []).catch((thrown: unknown) => thrown);
 * error instanceof NodeRedirects; // → true
 * await listening.close();
 * ```
 */
export class NodeRedirects extends BackendSilent {}

/** The platform's fetch, which goes only to its url. @throws NodeRedirects; what the platform throws */
export const fetchDirect: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  const { status, type } = response;
  if (type !== 'opaqueredirect' && (status < 300 || status > 399)) return response;
  await response.body?.cancel();
  const url = withoutCredentials(input instanceof Request ? input.url : String(input));
  throw new NodeRedirects(`${url} redirects, and redirects are not followed: name the final URL`);
};
