import type { z } from 'zod';
import type { JsonObject } from '../../primitives/json.ts';
import type { Caller } from './access.ts';

/** What a method gets besides its parameters. */
export type CallContext<Node> = { readonly node: Node; readonly caller: Caller };

/** A method in its legacy form: parameters are members of the request, and the answer is the whole body. */
export type LegacyForm<Node> = {
  /** Reads what it needs from the request by itself. @throws RpcFailure */
  readonly run: (request: JsonObject, context: CallContext<Node>) => unknown;
};

/** A method in its v2 form: `params` are read by a schema, and the answer is `result`. */
export type V2Form<Node, Params = unknown> = {
  readonly params: z.ZodType<Params>;
  /** @throws RpcFailure */
  readonly run: (params: Params, context: CallContext<Node>) => unknown;
};

export type FrameworkMethod<Node> = {
  /** As callers write it. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Whether anybody may call it, without a password and from anywhere. @defaultValue false */
  readonly isPublic?: boolean;
  readonly legacy?: LegacyForm<Node>;
  readonly v2?: V2Form<Node>;
};

/**
 * A v2 form whose parameters have the type of their schema.
 *
 * @example
 * ```ts
 * import { v2Form } from 'swapfold/rpc';
 * import { z } from 'zod';
 *
 * const twice = v2Form({ params: z.object({ n: z.number() }), run: ({ n }) => 2 * n });
 * const caller = { address: '127.0.0.1', local: true };
 * twice.run({ n: 21 }, { node: null, caller }); // → 42
 * twice.params.safeParse({ n: '21' }).success; // → false
 * ```
 */
export function v2Form<Node, Params>(form: V2Form<Node, Params>): V2Form<Node> {
  return form as V2Form<Node>;
}

/** Methods by name. */
export type FrameworkMethods<Node> = ReadonlyMap<string, FrameworkMethod<Node>>;

/**
 * The table of a list of methods. @throws RangeError when two have one name.
 *
 * @example
 * ```ts
 * import { FRAMEWORK_METHODS, frameworkMethods } from 'swapfold/rpc';
 *
 * const own = { name: 'echo', summary: 'Says yes.', legacy: { run: () => ({ result: 'yes' }) } };
 * const methods = frameworkMethods([...FRAMEWORK_METHODS, own]);
 * methods.get('echo')?.summary; // → 'Says yes.'
 * methods.get('version')?.isPublic; // → true
 * frameworkMethods([own, own]); // throws RangeError
 * ```
 */
export function frameworkMethods<Node>(methods: readonly FrameworkMethod<Node>[]): FrameworkMethods<Node> {
  const table = new Map(methods.map((method) => [method.name, method]));
  if (table.size !== methods.length) throw new RangeError('two methods have one name');
  return table;
}
