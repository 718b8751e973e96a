import { SwapfoldError } from '../../primitives/error.ts';

/** What a node said about a call that it refused. */
export type RefusedCall = {
  readonly method: string;
  /** Of HTTP. */
  readonly status: number;
  /** As the node worded it, without the password. */
  readonly text: string;
  /** `error_type` of a v2 answer; null for a legacy one. */
  readonly errorType: string | null;
  readonly errorData: unknown;
};

/**
 * The node refused a call: it is online, and said why.
 *
 * @example
 * ```ts
 * import { createRpcClient, RpcRefusedError } from 'swapfold/rpc/client';
 *
 * const said = { mmrpc: '2.0', error: 'No swap', error_type: 'NoSwapWithUuid', id: null };
 * const fetch = async () => Response.json(said, { status: 404 });
 * const client = createRpcClient({ url: 'http://127.0.0.1:7783', userpass: 'only I know', fetch });
 * const call = client.callV2('my_swap_status', { uuid: '5b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a99' });
 * const fault: unknown = await call.catch((error: unknown) => error);
 * fault instanceof RpcRefusedError && fault.refused.errorType; // → 'NoSwapWithUuid'
 * fault instanceof RpcRefusedError && fault.refused.status; // → 404
 * ```
 */
export class RpcRefusedError extends SwapfoldError {
  readonly refused: RefusedCall;

  constructor(refused: RefusedCall) {
    const { method, status, text, errorType } = refused;
    super('The node refused the call.', {
      code: 'RPC_REFUSED',
      facts: { method, status, error: text, error_type: errorType },
      next: 'Correct what the message names; the node would refuse the same call again.',
    });
    this.refused = refused;
  }
}

/**
 * Nobody answered, or not as a node does: the fate of the call is unknown.
 *
 * @example
 * ```ts
 * import { createRpcClient, RpcUnansweredError } from 'swapfold/rpc/client';
 *
 * const fetch = async () => new Response('<html>Bad gateway</html>', { status: 502 });
 * const client = createRpcClient({ url: 'http://127.0.0.1:7783', userpass: 'only I know', fetch });
 * const fault: unknown = await client.call('version').catch((error: unknown) => error);
 * fault instanceof RpcUnansweredError && fault.retry; // → 'later'
 * ```
 */
export class RpcUnansweredError extends SwapfoldError {
  constructor(facts: { readonly method: string; readonly fault: string; readonly status?: number }) {
    super('The node did not answer the call.', {
      code: 'RPC_UNANSWERED',
      facts,
      next: 'Make sure that the node runs at this address. Check whether the call took effect before you repeat it.',
      retry: 'later',
    });
  }
}

/**
 * By its answer, the node did what was asked, but the answer is not as the interface describes.
 *
 * @example
 * ```ts
 * import { createRpcClient, RpcAnswerInvalidError } from 'swapfold/rpc/client';
 *
 * const fetch = async () => Response.json({ result: { coins: [{ ticker: 141 }] } });
 * const client = createRpcClient({ url: 'http://127.0.0.1:7783', userpass: 'only I know', fetch });
 * const call = client.callV2('get_enabled_coins');
 * const fault: unknown = await call.catch((error: unknown) => error);
 * fault instanceof RpcAnswerInvalidError && fault.path; // → '/result/coins/0/ticker'
 * ```
 */
export class RpcAnswerInvalidError extends SwapfoldError {
  /** Where in the answer, such as `/result/coins/0/ticker`. */
  readonly path: string;

  constructor(facts: { readonly method: string; readonly path: string; readonly fault: string }) {
    super("The node's answer does not match the description of its interface.", {
      code: 'RPC_ANSWER_INVALID',
      facts,
      next: 'Use the client and the node of the same release. Check whether the call took effect before you repeat it.',
      retry: 'operator',
    });
    this.path = facts.path;
  }
}
