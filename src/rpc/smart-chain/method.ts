import type { JsonValue } from '../../primitives/json.ts';
import type { NodeContext } from './context.ts';

/** Positional parameters of a call, as they came. */
export type Params = readonly JsonValue[];

/** One call of the node. */
export type RpcMethod = {
  /** Its name, as callers write it. */
  readonly name: string;
  /** Parameters in the node's notation, such as `tokenid [pubkey]`; empty for none. */
  readonly usage: string;
  /** One sentence. */
  readonly summary: string;
  /** Minimum and maximum number of parameters; any other number gets the help text. */
  readonly arity: readonly [least: number, most: number];
  /** Answers the call. @throws RpcError */
  readonly run: (params: Params, context: NodeContext) => unknown;
};
