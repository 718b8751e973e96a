import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Compatibility } from '../../../../src/node/compatibility.ts';
import { struct, u64 } from '../../../../src/node/serde.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { createAccess } from '../../../../src/rpc/framework/access.ts';
import { dispatchFramework, type FrameworkTerms, MAX_BATCH } from '../../../../src/rpc/framework/dispatch.ts';
import { internalFailure, RpcFailure } from '../../../../src/rpc/framework/failure.ts';
import { type FrameworkMethod, frameworkMethods, v2Form } from '../../../../src/rpc/framework/method.ts';

type Kept = { readonly logged: unknown[] };
type Method = FrameworkMethod<null>;

const METHODS: readonly Method[] = [
  { name: 'open', summary: '', isPublic: true, legacy: { run: () => ({ result: 'everybody' }) } },
  { name: 'large', summary: '', isPublic: true, legacy: { run: () => ({ result: 'a'.repeat(300_000) }) } },
  { name: 'echo', summary: '', legacy: { run: (request) => ({ result: request['say'] ?? null }) } },
  {
    name: 'both',
    summary: '',
    legacy: { run: () => ({ legacy: true }) },
    v2: v2Form({ params: struct('Both', { n: u64 }), run: ({ n }: { readonly n: number }) => ({ twice: 2 * n }) }),
  },
  { name: 'task::one', summary: '', v2: v2Form({ params: z.unknown(), run: () => 'success' }) },
  {
    name: 'fails',
    summary: '',
    legacy: {
      run(): never {
        throw internalFailure('No such coin: X');
      },
    },
    v2: v2Form({
      params: z.unknown(),
      run(): never {
        throw new RpcFailure('No such task', { type: 'NoSuchTask', data: 7, status: 404 });
      },
    }),
  },
  {
    name: 'bug',
    summary: '',
    legacy: { run: () => Promise.reject(new Error('a seed phrase stands here')) },
    v2: v2Form({
      params: z.unknown(),
      run: () => Promise.reject(new SwapfoldError('The log is full.', { code: 'LOG_FULL' })),
    }),
  },
];

function terms(kept: Kept = { logged: [] }): FrameworkTerms<null> {
  const note = (_: string, fields?: unknown) => void kept.logged.push(fields);
  return {
    methods: frameworkMethods(METHODS),
    node: null,
    access: createAccess({ password: new Secret('pass') }),
    logger: { info() {}, warn() {}, error: note },
  };
}

const LOCAL = { address: '127.0.0.1', local: true };

async function ask(
  body: unknown,
  options: { readonly raw?: string; readonly httpMethod?: string; readonly on?: FrameworkTerms<null> } = {},
) {
  const { raw = JSON.stringify(body), httpMethod = 'POST', on = terms() } = options;
  const answer = await dispatchFramework({ body: raw, httpMethod, caller: LOCAL }, on);
  return { status: answer.status, body: JSON.parse(answer.body) as Record<string, unknown>, text: answer.body };
}

const userpass = 'pass';

describe('a legacy call', () => {
  it('is answered by the whole body', async () => {
    expect(await ask({ userpass, method: 'echo', say: 'hi' })).toMatchObject({ status: 200, body: { result: 'hi' } });
    expect(await ask({ method: 'open' })).toMatchObject({ status: 200, body: { result: 'everybody' } });
  });

  it('reports its failure in one text after its origin', async () => {
    const { status, body } = await ask({ userpass, method: 'fails' });
    expect(status).toBe(500);
    expect(Object.keys(body)).toEqual(['error']);
    expect(body['error']).toMatch(/^rpc:1\] RPC call failed: dispatch\.test:\d+\] No such coin: X$/);
  });

  it('reveals nothing about unforeseen errors, and the log says where they were', async () => {
    const kept: Kept = { logged: [] };
    const { text } = await ask({ userpass, method: 'bug' }, { on: terms(kept) });
    expect(text).toContain("The call failed inside the node; see the node's log");
    expect(text + JSON.stringify(kept.logged)).not.toContain('seed phrase');
    expect(kept.logged).toEqual([
      expect.objectContaining({ error: 'Error', at: expect.stringContaining('dispatch.test') }),
    ]);
  });
});

describe('a v2 call', () => {
  const v2 = (method: string, params?: unknown, more: object = {}) => ({
    userpass,
    mmrpc: '2.0',
    method,
    params,
    ...more,
  });

  it('is answered in its envelope, in the order of the real node', async () => {
    const { status, text } = await ask(v2('both', { n: 21 }, { id: 9 }));
    expect([status, text]).toEqual([200, '{"mmrpc":"2.0","result":{"twice":42},"id":9}']);
  });

  it('reports its failure with its type, its data and its origin', async () => {
    const { status, body } = await ask(v2('fails', {}));
    expect(status).toBe(404);
    expect(Object.keys(body)).toEqual([
      'mmrpc',
      'error',
      'error_path',
      'error_trace',
      'error_type',
      'error_data',
      'id',
    ]);
    expect(body).toMatchObject({
      error: 'No such task',
      error_path: 'dispatch.test',
      error_trace: expect.stringMatching(/^dispatch\.test:\d+\]$/),
      error_type: 'NoSuchTask',
      error_data: 7,
      id: null,
    });
  });

  it('leaves the data out if there is none', async () => {
    const { status, body } = await ask(v2('nope', {}));
    expect([status, Object.keys(body)]).toEqual([
      400,
      ['mmrpc', 'error', 'error_path', 'error_trace', 'error_type', 'id'],
    ]);
    expect(body['error_type']).toBe('NoSuchMethod');
  });

  it('gets the code of an error of this package, and no more', async () => {
    expect((await ask(v2('bug'))).body).toMatchObject({ error: 'The log is full. [LOG_FULL]', error_type: 'Internal' });
  });

  it.each([
    [{ id: 'abc' }, 'InvalidRequest', 'invalid type: string "abc", expected u64'],
    [{ id: -1 }, 'InvalidRequest', 'invalid value: integer `-1`, expected u64'],
    [{ method: 5 }, 'InvalidRequest', 'invalid type: integer `5`, expected a string'],
    [
      { foo: 1 },
      'InvalidRequest',
      'unknown field `foo`, expected one of `mmrpc`, `userpass`, `method`, `params`, `id`',
    ],
    [{ mmrpc: '1.0' }, 'InvalidMmRpcVersion', 'unknown variant `1.0`, expected `2.0`'],
    [{ params: null }, 'InvalidRequest', 'invalid type: null, expected struct Both'],
  ])('%o is refused in the real node’s words', async (change, type, data) => {
    const { status, body } = await ask({ ...v2('both', { n: 1 }), ...change });
    expect({ status, ...body }).toMatchObject({ status: 400, error_type: type, error_data: data, id: null });
    expect(body['error']).toContain(data);
  });

  it.each<[Compatibility, unknown, string]>([
    ['specification', { n: 'x' }, 'params.n: invalid type: string "x", expected u64'],
    ['specification', {}, 'missing field `n`'],
    ['kdf', { n: 'x' }, 'invalid type: string "x", expected u64'],
    ['kdf', {}, 'missing field `n`'],
  ])('says in the mode %s which of the parameters is wrong: %j', async (mode, params, data) => {
    const { status, body } = await ask(v2('both', params), { on: { ...terms(), compatibility: mode } });
    expect({ status, ...body }).toMatchObject({ status: 400, error_type: 'InvalidRequest', error_data: data });
    expect(body['error']).toBe(`Error parsing request: ${data}`);
  });
});

describe('checks before a call', () => {
  const typeOf = async (body: unknown, on = terms()) => (await ask(body, { on })).body['error_type'];

  it('the envelope before the password, the password before the method, the method before its parameters', async () => {
    expect(await typeOf({ mmrpc: '3.0', userpass: 'x', method: 'nope' })).toBe('InvalidMmRpcVersion');
    expect(await typeOf({ mmrpc: '2.0', userpass: 'x', method: 'nope', foo: 1 })).toBe('InvalidRequest');
    expect(await typeOf({ mmrpc: '2.0', userpass: 'x', method: 'nope' })).toBe('UserpassIsInvalid');
    expect(await typeOf({ mmrpc: '2.0', method: 'nope' })).toBe('UserpassIsNotSet');
    expect(await typeOf({ mmrpc: '2.0', userpass, method: 'nope', params: 5 })).toBe('NoSuchMethod');
    expect(await typeOf({ mmrpc: '2.0', userpass: 'x', method: 'both', params: 5 })).toBe('UserpassIsInvalid');
  });

  it('a refused envelope does not count as a wrong password', async () => {
    const on = terms();
    for (let left = 20; left > 0; left--) await ask({ mmrpc: '3.0', userpass: 'x', method: 'both' }, { on });
    expect((await ask({ userpass, method: 'echo' }, { on })).status).toBe(200);
  });

  it('a banned caller is banned from public methods too, in either form', async () => {
    const on = terms();
    for (let left = 10; left > 0; left--) await ask({ userpass: 'x', method: 'echo' }, { on });
    expect((await ask({ method: 'open' }, { on })).body['error']).toBe(
      'rpc:1] Selected method is not allowed: Your IP is banned.',
    );
    expect(await typeOf({ mmrpc: '2.0', userpass, method: 'both', params: { n: 1 } }, on)).toBe('Banned');
  });

  it('a method without a legacy form checks the password in that form, and the rest as v2', async () => {
    expect((await ask({ userpass: 'x', method: 'task::one' })).body['error']).toMatch(/Userpass is invalid!/);
    expect((await ask({ userpass, method: 'task::one', task_id: 1 })).body).toMatchObject({
      error_type: 'InvalidRequest',
      error_data: expect.stringContaining('unknown field `task_id`'),
    });
    expect((await ask({ userpass, method: 'task::one', params: {} })).body).toMatchObject({ result: 'success' });
  });

  it('a legacy method does not exist in v2', async () => {
    expect(await typeOf({ mmrpc: '2.0', userpass, method: 'echo', params: {} })).toBe('NoSuchMethod');
  });
});

describe('an unknown method', () => {
  const told = async (body: object, on = terms()) => {
    const { status, body: answer } = await ask({ userpass, ...body }, { on });
    return [status, answer['error_type'], answer['error']];
  };

  it('is reported by name before any other member is checked, with the nearest one', async () => {
    const refused = (text: string) => [400, 'NoSuchMethod', text];
    expect(await told({ method: 'orderbook', base: 'ETH' })).toEqual(refused('No such method: orderbook'));
    expect(await told({ method: 'orderbook', params: 5, id: 'x' })).toEqual(refused('No such method: orderbook'));
    expect(await told({ method: 'ecko', say: 'hi' })).toEqual(refused('No such method: ecko; did you mean echo?'));
    expect(await told({ mmrpc: '2.0', method: 'bugs' })).toEqual(refused('No such method: bugs; did you mean bug?'));
    expect(await told({ method: `a\nb${'x'.repeat(100)}` })).toEqual(refused(`No such method: a?b${'x'.repeat(57)}…`));
  });

  it('names the right form if it exists in the other one', async () => {
    expect(await told({ mmrpc: '2.0', method: 'echo', params: {} })).toEqual([
      400,
      'NoSuchMethod',
      'No such method: echo; echo is called without "mmrpc", with its parameters next to "method"',
    ]);
    const [status, type, text] = await told({ method: 'task::one', task_id: 1 });
    expect([status, type]).toEqual([400, 'InvalidRequest']);
    expect(text).toMatch(/unknown field `task_id`.*; task::one is called with "mmrpc":"2\.0" and "params"$/);
  });

  it('is reported to nobody who may not call', async () => {
    const { body } = await ask({ userpass: 'x', method: 'orderbook', base: 'ETH' });
    expect(body['error']).toMatch(/Userpass is invalid!/);
  });

  it('is reported in the real node’s texts', async () => {
    const on = { ...terms(), compatibility: 'kdf' as const };
    expect(await told({ method: 'orderbook' }, on)).toEqual([400, 'NoSuchMethod', 'No such method']);
    expect(await told({ mmrpc: '2.0', method: 'ecko' }, on)).toEqual([400, 'NoSuchMethod', 'No such method']);
    expect((await told({ method: 'orderbook', base: 'ETH' }, on)).at(2)).toMatch(/unknown field `base`.*`id`$/);
    expect((await told({ method: 'task::one', task_id: 1 }, on)).at(2)).toMatch(/unknown field `task_id`.*`id`$/);
  });
});

describe('a body that is not a call', () => {
  it.each(['', '{"method":"open"', '{"method":"open"} x', 'x', '\u0000'])(
    '%o is an error of the form of legacy calls',
    async (raw) => {
      const { status, body } = await ask(null, { raw });
      expect([status, Object.keys(body)]).toEqual([500, ['error']]);
      expect(body['error']).toMatch(/JSON|EOF/);
    },
  );

  it.each(['5', '"x"', 'null', 'true', '1e400'])('%o is refused as well', async (raw) => {
    expect((await ask(null, { raw })).status).toBe(500);
  });

  it('never comes back in the error', async () => {
    expect((await ask(null, { raw: '{"userpass":"hunter2", x' })).text).not.toContain('hunter2');
  });

  it('is looked at before the HTTP method is', async () => {
    expect((await ask(null, { raw: 'x', httpMethod: 'GET' })).body['error']).toContain('JSON');
    expect((await ask({ method: 'open' }, { httpMethod: 'GET' })).body['error']).toContain(
      'Only POST requests are supported!',
    );
  });
});

describe('a batch', () => {
  it('is answered in order, each call separately', async () => {
    const { status, text } = await ask([
      { method: 'open' },
      { mmrpc: '2.0', method: 'both', id: 9 },
      { userpass, method: 'fails' },
      5,
    ]);
    const answers = JSON.parse(text) as Record<string, unknown>[];
    expect(status).toBe(200);
    expect(answers).toMatchObject([{ result: 'everybody' }, { error_type: 'UserpassIsNotSet', id: 9 }, {}, {}]);
    expect(answers.slice(2).map((each) => Object.keys(each))).toEqual([['error'], ['error']]);
  });

  it('that is empty has an empty answer, and one that is too long is refused as a whole', async () => {
    expect((await ask([])).text).toBe('[]');
    const calls = Array.from({ length: MAX_BATCH + 1 }, () => ({ method: 'open' }));
    expect((await ask(calls)).body['error']).toContain(`must not hold more than ${MAX_BATCH}`);
    expect((await ask(calls.slice(1))).text.match(/everybody/g)).toHaveLength(MAX_BATCH);
  });

  it('uses little memory for whoever has no password: beyond a mebibyte of public answers the rest is not carried out', async () => {
    const calls = [
      ...Array.from({ length: 500 }, () => ({ method: 'large' })),
      { userpass, method: 'echo', say: 'still here' },
    ];
    const { text } = await ask(calls);
    const answers = JSON.parse(text) as { readonly result?: string; readonly error?: string }[];
    const whole = answers.filter(({ result }) => result?.startsWith('aaa'));
    expect(whole.length).toBeGreaterThanOrEqual(4);
    // Those that were under way when the bound was reached are answered as well.
    expect(whole.length).toBeLessThan(4 + 16);
    expect(answers[499]?.error).toContain('The public answers of a batch must not be longer than 1048576 characters');
    expect(answers[500]).toEqual({ result: 'still here' });
  });

  it('cannot guess more often than single calls', async () => {
    const on = terms();
    const { text } = await ask(
      Array.from({ length: 30 }, () => ({ userpass: 'x', method: 'echo' })),
      { on },
    );
    expect(text.match(/attempts left/g)).toHaveLength(10);
    expect(text.match(/banned/g)).toHaveLength(20);
  });
});
