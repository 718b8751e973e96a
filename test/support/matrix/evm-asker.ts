type Call = readonly [method: string, ...params: readonly unknown[]];
type Told = { readonly id: number; readonly result?: unknown; readonly error?: { readonly message: string } };

export type Ask = (...call: Call) => Promise<unknown>;

/** Asks a node of Ethereum’s family, past all that stands between it and a party. */
export type Asker = {
  readonly ask: Ask;
  /** Several in one request; the node answers them in whatever order, so that none of them may change anything. */
  readonly together: (calls: readonly Call[]) => Promise<readonly unknown[]>;
};

export function askerAt(url: string): Asker {
  const send = async (request: unknown): Promise<unknown> => {
    const body = JSON.stringify(request);
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return response.json();
  };
  return {
    ask: async (method, ...params) => resultOf(method, (await send({ jsonrpc: '2.0', id: 1, method, params })) as Told),
    async together(calls) {
      if (calls.length === 0) return [];
      const requests = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
      const told = (await send(requests)) as readonly Told[];
      return calls.map(([method], place) =>
        resultOf(
          method,
          told.find(({ id }) => id === place),
        ),
      );
    },
  };
}

function resultOf(method: string, told: Told | undefined): unknown {
  if (told === undefined) throw new Error(`${method}: no answer`);
  if (told.error !== undefined) throw new Error(`${method}: ${told.error.message}`);
  return told.result;
}
