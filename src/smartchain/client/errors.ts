import { withoutCredentials } from '../../events/enable-eth-request.ts';
import { type Retry, SwapfoldError } from '../../primitives/error.ts';
import { redactText } from '../../primitives/redact-text.ts';

/** Every way in which a call of the node's RPC can fail. */
export type SmartChainRpcCode =
  /** The node answered with an error object, see `rpcCode` and `rpcMessage`. */
  | 'SMARTCHAIN_RPC_REFUSED'
  /** A token method answered with `result: "error"`, see `rpcMessage`. */
  | 'SMARTCHAIN_RPC_TOKEN_REFUSED'
  /** The node is starting (-28), or has too many requests. */
  | 'SMARTCHAIN_RPC_BUSY'
  /** The credentials are wrong, or this address may not call. */
  | 'SMARTCHAIN_RPC_UNAUTHORIZED'
  /** No answer came: nothing listens there, or the connection ended. */
  | 'SMARTCHAIN_RPC_UNREACHABLE'
  /** No answer came in time; the call may have been carried out nevertheless. */
  | 'SMARTCHAIN_RPC_TIMEOUT'
  /** The response is not an answer to the call. */
  | 'SMARTCHAIN_RPC_ANSWER_INVALID';

export type SmartChainRpcErrorOptions = {
  readonly method: string;
  /** Number of the node's error object. */
  readonly rpcCode?: number | undefined;
  /** Text of the node. */
  readonly rpcMessage?: string | undefined;
  /** HTTP status. */
  readonly status?: number | undefined;
  /** Address of the node, without credentials. */
  readonly url?: string | undefined;
  /** Other facts that locate the fault. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
};

type Kind = { readonly text: string; readonly next: string; readonly retry: Retry };

const KINDS: Readonly<Record<SmartChainRpcCode, Kind>> = {
  SMARTCHAIN_RPC_REFUSED: {
    text: 'The node refused the call.',
    next: 'Look at its code and text; the node will refuse the same call again until something else changes.',
    retry: 'never',
  },
  SMARTCHAIN_RPC_TOKEN_REFUSED: {
    text: 'The token module refused the call.',
    next: 'Look at its text; the module will refuse the same call again until something else changes.',
    retry: 'never',
  },
  SMARTCHAIN_RPC_BUSY: {
    text: 'The node accepts no calls at the moment.',
    next: 'Try again in a moment.',
    retry: 'later',
  },
  SMARTCHAIN_RPC_UNAUTHORIZED: {
    text: 'The node denies this caller access.',
    next: 'Compare the user and password with rpcuser and rpcpassword of the conf file, and the address with rpcallowip.',
    retry: 'operator',
  },
  SMARTCHAIN_RPC_UNREACHABLE: {
    text: 'The node cannot be reached.',
    next: 'Check that it runs, and check the address and port.',
    retry: 'later',
  },
  SMARTCHAIN_RPC_TIMEOUT: {
    text: 'The node did not answer in time.',
    next: 'It may have carried out the call nevertheless: check before you repeat it.',
    retry: 'later',
  },
  SMARTCHAIN_RPC_ANSWER_INVALID: {
    text: 'The response is not an answer to this call.',
    next: 'Check that a smart-chain node listens at the address, and which version it is.',
    retry: 'operator',
  },
};

const MOST_TEXT = 500;

/**
 * A call of the node's RPC without a result.
 *
 * @example
 * ```ts
 * import { createSmartChainClient, SmartChainRpcError } from 'swapfold/smartchain/client';
 *
 * const error = { code: -5, message: 'Invalid address' };
 * const fetch = async () => Response.json({ result: null, error, id: null }, { status: 500 });
 * const [url, password] = ['http://127.0.0.1:7771/', 'only I know'];
 * const client = createSmartChainClient({ url, user: 'me', password, fetch });
 * const fault: unknown = await client.tokenList().catch((cause: unknown) => cause);
 * fault instanceof SmartChainRpcError && fault.code; // → 'SMARTCHAIN_RPC_REFUSED'
 * fault instanceof SmartChainRpcError && fault.rpcCode; // → -5
 * ```
 */
export class SmartChainRpcError extends SwapfoldError {
  declare readonly code: SmartChainRpcCode;
  readonly method: string;
  /** Number of the node's error object, such as -5; undefined if there was none. */
  readonly rpcCode: number | undefined;
  /** Text of the node, with possible keys and passwords redacted; undefined if there was none. */
  readonly rpcMessage: string | undefined;
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;

  constructor(code: SmartChainRpcCode, options: SmartChainRpcErrorOptions) {
    const { text, next, retry } = KINDS[code];
    const { method, rpcCode, status, reason, cause } = options;
    // A node quotes its request, such as a key that it cannot import; providers put keys into the path or query of an address.
    const rpcMessage = options.rpcMessage === undefined ? undefined : redactText(options.rpcMessage);
    const url = options.url === undefined ? undefined : withoutCredentials(options.url);
    const facts = { method, rpcCode, rpcMessage: rpcMessage?.trim().slice(0, MOST_TEXT), status, url, reason };
    super(text, { code, facts, next, retry, ...(cause === undefined ? {} : { cause }) });
    this.method = method;
    this.rpcCode = rpcCode;
    this.rpcMessage = rpcMessage;
    this.status = status;
  }
}
