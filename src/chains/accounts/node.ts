import { foreignText } from '../../primitives/foreign-text.ts';
import type { Seconds } from '../../primitives/time.ts';

/**
 * A node's error answer in place of a result.
 *
 * @example
 * ```ts
 * import { createEvmNodeReader, type EvmNode, NodeRefusal } from 'swapfold/chains/evm';
 *
 * const node: EvmNode = {
 *   name: 'a node',
 *   async request(method) {
 *     if (method === 'eth_chainId') return '0x1';
 *     throw new NodeRefusal(-32_000, 'nonce too low');
 *   },
 * };
 * const refusal = await createEvmNodeReader(node, 1).send('02');
 * refusal; // → { code: -32_000, message: 'nonce too low' }
 * ```
 */
export class NodeRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(foreignText(message));
    this.code = code;
  }
}

export type NodeAddress = {
  /** http, https, ws or wss. It may hold credentials, which no message shows. */
  readonly url: string;
  /** For one answer. @defaultValue 10 */
  readonly timeout?: Seconds;
};

/** The default for one answer. */
export const USUAL_TIMEOUT: Seconds = 10;

/** One node that answers calls of JSON-RPC. */
export type AskedNode<Params> = {
  /** By which messages name it: never with credentials. */
  readonly name: string;
  /** One call, made once. @throws NodeRefusal for an error answer; BackendSilent where there is none */
  request(method: string, params: Params): Promise<unknown>;
};

export type Closable = {
  /** Closes its connections: neither open nor later questions get an answer. Repeated calls change nothing. */
  close(): void;
};
