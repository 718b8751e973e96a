import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../primitives/json.ts';
import type { ApiForm, ApiMethod } from './api/form.ts';
import { FRAMEWORK_API } from './api.ts';

export type OpenRpcOptions = {
  /** Of the package that answers. */
  readonly version: string;
  /** One sentence a method, by its name. */
  readonly summaries: ReadonlyMap<string, string>;
};

/** Version of the OpenRPC specification. */
const OPENRPC = '1.3.2';

/**
 * The interface as an OpenRPC document. A method of two forms stands in it twice: by its name in the legacy form, and by its name and `@v2` in the
 * other one; `x-envelope` tells the form.
 *
 * @example
 * ```ts
 * import { openRpcDocument } from 'swapfold/rpc';
 *
 * const summaries = new Map([['my_swap_status', 'Tells a swap of this node.']]);
 * const document = openRpcDocument({ version: '1.0.0', summaries });
 * document['openrpc']; // → '1.3.2'
 * JSON.stringify(document).includes('"name":"my_swap_status@v2"'); // → true
 * ```
 */
export function openRpcDocument({ version, summaries }: OpenRpcOptions): JsonObject {
  const methods = Object.entries<ApiMethod>(FRAMEWORK_API).flatMap(([name, { legacy, v2 }]) => {
    const summary = summaries.get(name) ?? '';
    const both = legacy !== undefined && v2 !== undefined;
    return [
      ...(legacy === undefined ? [] : [methodOf(legacy, { name, summary, envelope: 'legacy' })]),
      ...(v2 === undefined ? [] : [methodOf(v2, { name: both ? `${name}@v2` : name, summary, envelope: 'mmrpc 2.0' })]),
    ];
  });
  return {
    openrpc: OPENRPC,
    info: {
      title: 'swapfold: the JSON-RPC of a trading node',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT' },
    },
    methods,
  };
}

const DESCRIPTION = [
  'HTTP POST of JSON objects, or of arrays of them.',
  'Legacy: parameters are members of the request, next to `method` and `userpass`; the result is the whole ' +
    'answer, and an error is `{error}` with the status 500.',
  'mmrpc 2.0: `{mmrpc: "2.0", method, userpass, params, id}`; the result is in `result`, and an error has ' +
    '`error`, `error_path`, `error_trace`, `error_type`, `error_data`.',
].join(' ');

type Named = { readonly name: string; readonly summary: string; readonly envelope: string };

function methodOf({ params, result }: ApiForm, { name, summary, envelope }: Named): JsonObject {
  const { properties = {}, required = [] } = schemaOf(params, 'input') as {
    readonly properties?: JsonObject;
    readonly required?: readonly string[];
  };
  return {
    name,
    summary,
    paramStructure: 'by-name',
    'x-envelope': envelope,
    params: Object.entries(properties).map(([member, schema]) => ({
      name: member,
      required: required.includes(member),
      schema: schema as JsonValue,
    })),
    result: { name: envelope === 'legacy' ? 'answer' : 'result', schema: schemaOf(result, 'output') },
  };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...found } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return found as JsonObject;
}
