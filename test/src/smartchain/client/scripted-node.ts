import { type JsonValue, parseJson, stringifyJson } from '../../../../src/primitives/json.ts';
import { createSmartChainClient, type SmartChainClient } from '../../../../src/smartchain/client/index.ts';

export type Sent = {
  readonly url: string;
  readonly init: RequestInit;
  readonly body: { readonly [name: string]: JsonValue };
};

/** A client of a node that answers as it is told, and what it was asked. */
export function scriptedNode(answer: (sent: Sent) => Response | Promise<Response>): {
  readonly client: SmartChainClient;
  readonly sent: Sent[];
} {
  const sent: Sent[] = [];
  const client = createSmartChainClient({
    url: 'http://127.0.0.1:7771',
    user: 'user',
    password: 'never-tell',
    fetch: async (url, init) => {
      const asked = { url, init, body: parseJson(String(init.body)) as Sent['body'] };
      sent.push(asked);
      return answer(asked);
    },
  });
  return { client, sent };
}

/** A node that answers every call with this result, given as a value or as the text of a JSON value. */
export function answering(result: unknown, text?: string) {
  return scriptedNode(({ body }) => {
    const written = text ?? stringifyJson(result);
    return new Response(`{"result":${written},"error":null,"id":${JSON.stringify(body['id'])}}\n`);
  });
}

/** A node that answers every call with this error. */
export function failing(code: number, message: string) {
  return scriptedNode(({ body }) => {
    const { id } = body;
    return new Response(JSON.stringify({ result: null, error: { code, message }, id }), { status: 500 });
  });
}
