import { withoutCredentials } from '../../events/enable-eth-request.ts';
import { BackendSilent } from '../../ports/silence.ts';

/**
 * A node answers by naming another place. It is not followed: two nodes that lead to one would be one voice that counts twice, and what was to be asked over
 * TLS could go over none.
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

/** The same as the platform's, which goes nowhere but to its url. @throws NodeRedirects; what the platform throws */
export const fetchDirect: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  const { status, type } = response;
  if (type !== 'opaqueredirect' && (status < 300 || status > 399)) return response;
  await response.body?.cancel();
  const url = withoutCredentials(input instanceof Request ? input.url : String(input));
  throw new NodeRedirects(`${url} redirects, and redirects are not followed: name the final URL`);
};
