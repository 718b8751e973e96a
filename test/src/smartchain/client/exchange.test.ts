import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/primitives/secret.ts';
import { createSmartChainClient, SmartChainRpcError } from '../../../../src/smartchain/client/index.ts';
import { answering, failing, scriptedNode } from './scripted-node.ts';

const failureOf = async (call: Promise<unknown>): Promise<SmartChainRpcError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SmartChainRpcError);
  expect(inspect(error, { depth: 9 })).not.toContain('never-tell');
  return error as SmartChainRpcError;
};

describe('a call', () => {
  it('is a POST of what the specification writes, with basic authentication', async () => {
    const { client, sent } = answering('done');
    expect(await client.call('anything', ['a', 1, null])).toBe('done');
    expect(sent).toMatchObject([
      {
        url: 'http://127.0.0.1:7771/',
        body: { jsonrpc: '1.0', id: 'swapfold-1', method: 'anything', params: ['a', 1, null] },
        init: {
          method: 'POST',
          redirect: 'error',
          headers: {
            'Content-Type': 'text/plain',
            Authorization: `Basic ${Buffer.from('user:never-tell').toString('base64')}`,
          },
        },
      },
    ]);
  });

  it('accepts a user and a password of any letters', async () => {
    let header = '';
    const client = createSmartChainClient({
      url: 'http://x/',
      user: 'jörg',
      password: new Secret('пароль:€'),
      fetch: async (_, { headers }) => {
        header = (headers as Record<string, string>)['Authorization'] ?? '';
        return new Response('{"result":1,"error":null,"id":"swapfold-1"}');
      },
    });
    await client.call('x');
    expect(Buffer.from(header.slice(6), 'base64').toString()).toBe('jörg:пароль:€');
  });

  it('loses no digit of a result', async () => {
    const { client } = answering(undefined, '[0.10000000,12345678901234567890]');
    expect(String(await client.call('x'))).toBe('0.10000000,12345678901234567890');
  });

  it.each(['', 'x', '127.0.0.1:7771', 'ftp://x/', 'http://user:never-tell@x/', 'http://user@x/'])(
    'is not made to the address %j',
    (url) => {
      const make = () => createSmartChainClient({ url, user: 'u', password: 'p' });
      expect(make).toThrow(expect.objectContaining({ code: 'SMARTCHAIN_OPTION_INVALID', retry: 'operator' }));
      expect(make).not.toThrow(/never-tell/);
    },
  );
});

describe('a call that fails', () => {
  it('has the code and the text of the node', async () => {
    const error = await failureOf(failing(-5, 'Block not found').client.call('getblock'));
    expect(error).toMatchObject({
      code: 'SMARTCHAIN_RPC_REFUSED',
      rpcCode: -5,
      rpcMessage: 'Block not found',
      status: 500,
      method: 'getblock',
      retry: 'never',
    });
  });

  it('while the node starts is worth another try later', async () => {
    const error = await failureOf(failing(-28, 'Loading block index...').client.call('x'));
    expect(error).toMatchObject({ code: 'SMARTCHAIN_RPC_BUSY', rpcCode: -28, retry: 'later' });
  });

  it.each([
    [401, '', 'SMARTCHAIN_RPC_UNAUTHORIZED', 'operator'],
    [403, '', 'SMARTCHAIN_RPC_UNAUTHORIZED', 'operator'],
    [500, 'Work queue depth exceeded', 'SMARTCHAIN_RPC_BUSY', 'later'],
    [503, 'down', 'SMARTCHAIN_RPC_BUSY', 'later'],
    [200, '<html>', 'SMARTCHAIN_RPC_ANSWER_INVALID', 'operator'],
    [200, '[]', 'SMARTCHAIN_RPC_ANSWER_INVALID', 'operator'],
    [200, '{"error":null,"id":"swapfold-1"}', 'SMARTCHAIN_RPC_ANSWER_INVALID', 'operator'],
    [200, '{"result":1,"error":null,"id":"another"}', 'SMARTCHAIN_RPC_ANSWER_INVALID', 'operator'],
    [200, '{"result":1,"error":"no","id":"swapfold-1"}', 'SMARTCHAIN_RPC_ANSWER_INVALID', 'operator'],
    [500, '{"result":1,"error":null,"id":"swapfold-1"}', 'SMARTCHAIN_RPC_ANSWER_INVALID', 'operator'],
    [404, '', 'SMARTCHAIN_RPC_ANSWER_INVALID', 'operator'],
  ])('with status %i and %j is reported as %s, retry %s', async (status, text, code, retry) => {
    const error = await failureOf(scriptedNode(() => new Response(text, { status })).client.call('x'));
    expect(error).toMatchObject({ code, retry, status });
  });

  it('because nobody listens is worth another try later', async () => {
    const cause = Object.assign(new Error('connect never-tell'), { code: 'ECONNREFUSED' });
    const { client } = scriptedNode(() => Promise.reject(new TypeError('fetch failed', { cause })));
    expect(await failureOf(client.call('x'))).toMatchObject({
      code: 'SMARTCHAIN_RPC_UNREACHABLE',
      retry: 'later',
      facts: { reason: 'ECONNREFUSED' },
    });
  });

  it('because time ran out may have been carried out', async () => {
    const { client } = scriptedNode(() => Promise.reject(new DOMException('late', 'TimeoutError')));
    const error = await failureOf(client.call('x'));
    expect(error).toMatchObject({ code: 'SMARTCHAIN_RPC_TIMEOUT', retry: 'later' });
    expect(error.next).toContain('check before you repeat it');
  });

  it('is given up after the configured time, even in the middle of an answer', async () => {
    const client = createSmartChainClient({
      url: 'http://x/',
      user: 'u',
      password: 'p',
      timeout: 20,
      fetch: async (_, { signal }) => {
        const body = new ReadableStream({
          start: (stream) => signal?.addEventListener('abort', () => stream.error(signal.reason)),
        });
        return new Response(body);
      },
    });
    expect(await failureOf(client.call('x'))).toMatchObject({ code: 'SMARTCHAIN_RPC_TIMEOUT', status: 200 });
  });

  it('always fails with its own error, whatever comes back', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((result) => JSON.stringify({ result, error: null })),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(200, 401, 404, 500), async (answer, status) => {
        const { client } = scriptedNode(() => new Response(answer, { status }));
        for (const call of [client.tokenList(), client.validateAddress('x'), client.isNotarizedOrConfirmed('x')]) {
          await failureOf(call.then((given) => Promise.reject(given)).catch(asFailure));
        }
      }),
    );
  });
});

/** A call whose answer happens to be right counts as well. */
function asFailure(thrown: unknown): never {
  throw thrown instanceof Error ? thrown : new SmartChainRpcError('SMARTCHAIN_RPC_REFUSED', { method: 'x' });
}
