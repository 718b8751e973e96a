import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../../../src/rpc/http/read-body.ts';
import { dispatch, MAX_BATCH, methodTable } from '../../../../src/rpc/smart-chain/dispatch.ts';
import { draws } from '../../../support/draws.ts';
import { HIDDEN, keptLog, SMALL_METHODS, smallTerms } from './small-methods.ts';

const INPUTS = Number(process.env['SWAPFOLD_FUZZ'] ?? draws({ sample: 100, change: 300 }));

const ask = (body: string | Uint8Array) => dispatch(body, smallTerms());
const failed = (code: number, message: string, id: unknown = null) =>
  `${JSON.stringify({ result: null, error: { code, message }, id })}\n`;

describe('a call', () => {
  it('is answered in one line with result, error and id in this order', async () => {
    expect(await ask('{"jsonrpc":"1.0","id":"curltest","method":"echo","params":["a",1,true]}')).toEqual({
      status: 200,
      body: '{"result":["a",1,true],"error":null,"id":"curltest"}\n',
    });
  });

  it.each([
    ['{"method":"echo"}', '{"result":[],"error":null,"id":null}\n'],
    ['{"method":"echo","params":null,"id":[1,{"a":2}]}', '{"result":[],"error":null,"id":[1,{"a":2}]}\n'],
    ['{"method":"later","id":1.50}', '{"result":"later","error":null,"id":1.50}\n'],
    ['{"method":"amount","id":false}', '{"result":10.00000000,"error":null,"id":false}\n'],
    ['{"method":"nothing"}', '{"result":null,"error":null,"id":null}\n'],
    [
      '{"method":"echo","params":[0.10000000,12345678901234567890]}',
      '{"result":[0.10000000,12345678901234567890],"error":null,"id":null}\n',
    ],
  ])('%s gives %s', async (body, answer) => {
    expect(await ask(body)).toEqual({ status: 200, body: answer });
    expect(await ask(new TextEncoder().encode(body))).toEqual({ status: 200, body: answer });
  });
});

describe('a body that is not a call', () => {
  it.each([
    ['', 500, -32700, 'Parse error'],
    ['{"method":', 500, -32700, 'Parse error'],
    ['\ufeff{"method":"echo"}', 500, -32700, 'Parse error'],
    ['{"__proto__":1,"method":"echo"}', 500, -32700, 'Parse error'],
    ['"echo"', 500, -32700, 'Top-level object parse error'],
    ['1.50', 500, -32700, 'Top-level object parse error'],
    ['null', 500, -32700, 'Top-level object parse error'],
    ['{}', 400, -32600, 'Missing method'],
    ['{"method":null}', 400, -32600, 'Missing method'],
    ['{"method":7}', 400, -32600, 'Method must be a string'],
    ['{"method":"echo","params":{"a":1}}', 400, -32600, 'Params must be an array'],
    ['{"method":"echo","params":1.0}', 400, -32600, 'Params must be an array'],
    ['{"method":"nope"}', 404, -32601, 'Method not found'],
    ['{"method":"constructor"}', 404, -32601, 'Method not found'],
  ])('%s has status %i and code %i: %s', async (body, status, code, message) => {
    expect(await ask(body)).toEqual({ status, body: failed(code, message) });
  });

  it('is refused when it is no UTF-8', async () => {
    const body = new TextEncoder().encode('{"method":"echo"}');
    expect(await ask(Uint8Array.of(...body.slice(0, -2), 0xff, ...body.slice(-2)))).toEqual({
      status: 500,
      body: failed(-32700, 'Parse error'),
    });
  });

  it('keeps the id that it was given', async () => {
    expect((await ask('{"id":"x","method":"nope"}')).body).toBe(failed(-32601, 'Method not found', 'x'));
  });

  it('is refused when it is nested more than 64 levels deep, however deep', async () => {
    for (const depth of [65, 90_000, 1_000_000]) {
      const text = depth < 100_000 ? 'Parse error' : 'Parse error: a body may hold at most 100000 values';
      for (const inner of ['', '0.5']) {
        const body = `{"method":"echo","params":${'['.repeat(depth)}${inner}${']'.repeat(depth)}}`;
        expect(await ask(body)).toEqual({ status: 500, body: failed(-32700, text) });
      }
    }
  });

  it('is refused unread when it is longer than 32 MiB', async () => {
    expect(await ask(' '.repeat(MAX_BODY_BYTES + 1))).toEqual({ status: 413, body: '' });
  });
});

describe('a call that fails', () => {
  it('has the code and text that the method throws, and status 500', async () => {
    expect(await ask('{"method":"refuse","id":1}')).toEqual({ status: 500, body: failed(-5, 'Block not found', 1) });
  });

  it.each([
    ['tokenthing', [], 'tokenthing tokenid [pubkey]\n'],
    ['tokenthing', [1, 2, 3], 'tokenthing tokenid [pubkey]\n'],
    ['text', [], 'text text\n\nSays text.\n'],
    ['text', ['a', null], 'text text\n\nSays text.\n'],
  ])('%s with a wrong count of parameters %j is answered with its help', async (method, params, help) => {
    expect(await ask(JSON.stringify({ method, params }))).toEqual({ status: 500, body: failed(-1, help) });
  });

  it.each([
    ['break', 'TypeError', "The call failed inside the node; see the node's log"],
    ['breaklater', 'string', "The call failed inside the node; see the node's log"],
    ['breakknown', 'SwapfoldError', 'The disk is full. [LOG_OPEN_FAILED]'],
    ['unwritable', 'TypeError', "The call failed inside the node; see the node's log"],
  ])('%s in an unforeseen way reveals nothing, and the log says where', async (method, error, message) => {
    const logger = keptLog();
    const answer = await dispatch(JSON.stringify({ method, params: [HIDDEN] }), smallTerms(logger));
    expect(answer).toEqual({ status: 500, body: failed(-1, message) });
    expect(logger.lines).toMatchObject([{ level: 'error', message: 'a call failed', fields: { method, error } }]);
    expect(JSON.stringify(logger.lines)).not.toContain(HIDDEN);
  });

  it('while the node starts has code -28 and what the node does, but only if it is a call', async () => {
    const terms = { ...smallTerms(), context: { warmingUp: 'Loading block index...' } };
    const told = { status: 500, body: failed(-28, 'Loading block index...', 3) };
    expect(await dispatch('{"method":"echo","id":3}', terms)).toEqual(told);
    expect(await dispatch('{"method":"nope","id":3}', terms)).toEqual(told);
    expect((await dispatch('{"id":3}', terms)).body).toBe(failed(-32600, 'Missing method', 3));
  });
});

describe('a batch', () => {
  it('is answered with status 200 and a list in its order, faults within', async () => {
    const body =
      '[{"method":"echo","params":[1],"id":"a"},7,{"method":"nope","id":"b"},{"id":"c"},[],{"method":"later"}]';
    const { status, body: answer } = await ask(body);
    expect(status).toBe(200);
    expect(answer.endsWith(']\n')).toBe(true);
    expect(JSON.parse(answer)).toEqual([
      { result: [1], error: null, id: 'a' },
      { result: null, error: { code: -32600, message: 'Invalid Request object' }, id: null },
      { result: null, error: { code: -32601, message: 'Method not found' }, id: 'b' },
      { result: null, error: { code: -32600, message: 'Missing method' }, id: 'c' },
      { result: null, error: { code: -32600, message: 'Invalid Request object' }, id: null },
      { result: 'later', error: null, id: null },
    ]);
  });

  it('may be empty', async () => {
    expect(await ask('[]')).toEqual({ status: 200, body: '[]\n' });
  });

  it('runs its calls one after another', async () => {
    const order: string[] = [];
    const slow = SMALL_METHODS.map((method) => ({
      ...method,
      run: async () => {
        order.push(`${method.name} begins`);
        await Promise.resolve();
        order.push(`${method.name} ends`);
      },
    }));
    await dispatch('[{"method":"later"},{"method":"echo"}]', { ...smallTerms(), methods: methodTable(slow) });
    expect(order).toEqual(['later begins', 'later ends', 'echo begins', 'echo ends']);
  });

  it('is refused as a whole above its bound', async () => {
    const most = Array.from({ length: MAX_BATCH }, () => ({ method: 'echo' }));
    expect(JSON.parse((await ask(JSON.stringify(most))).body)).toHaveLength(MAX_BATCH);
    expect(await ask(JSON.stringify([...most, 1]))).toEqual({
      status: 400,
      body: failed(-32600, 'A batch must not hold more than 1000 requests'),
    });
  });

  it('is not carried out any further once its answers are too long', async () => {
    const long = 'x'.repeat(1 << 20);
    let calls = 0;
    const methods = methodTable([
      {
        name: 'long',
        usage: '',
        summary: '',
        arity: [0, 0],
        run: () => {
          calls += 1;
          return long;
        },
      },
    ]);
    const body = JSON.stringify(Array.from({ length: 80 }, (_, id) => ({ method: 'long', id })));
    const rows = JSON.parse((await dispatch(body, { ...smallTerms(), methods })).body);
    expect(calls).toBe(64);
    expect(rows).toHaveLength(80);
    expect(rows[79]).toMatchObject({ error: { code: -1 }, id: 79 });
  });
});

describe('methods', () => {
  it('have names of their own', () => {
    expect(() => methodTable([...SMALL_METHODS, ...SMALL_METHODS.slice(0, 1)])).toThrow(RangeError);
  });
});

describe('for any body', () => {
  const name = fc.constantFrom('echo', 'text', 'later', 'tokenthing', 'refuse', 'break', 'unwritable', 'nope', '');
  const call = fc.record(
    {
      method: fc.oneof(name, fc.jsonValue()),
      params: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
      id: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const bytes = fc.uint8Array({ maxLength: 200 });
  const json = fc.oneof(
    fc.json(),
    fc.oneof(call, fc.array(call)).map((value) => JSON.stringify(value)),
  );
  const damaged = fc.tuple(json, fc.nat(), fc.string()).map(([text, at, part]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + part + text.slice(cut + 1);
  });

  const expectAnswer = async (body: string | Uint8Array) => {
    const { status, body: answer } = await ask(body);
    expect([200, 400, 404, 500]).toContain(status);
    expect(answer.endsWith('\n')).toBe(true);
    const value: unknown = JSON.parse(answer);
    const replies = Array.isArray(value) ? value : [value];
    for (const reply of replies) {
      expect(Object.keys(reply)).toEqual(['result', 'error', 'id']);
      if (reply.error === null) continue;
      expect(reply.result).toBeNull();
      expect(reply.error).toEqual({ code: expect.any(Number), message: expect.any(String) });
    }
    if (Array.isArray(value)) expect(status).toBe(200);
    else expect(status === 200).toBe(replies[0].error === null);
    expect(answer).not.toContain(HIDDEN);
  };

  it('there is a well-formed answer', async () => {
    await fc.assert(fc.asyncProperty(fc.oneof(bytes, json, damaged), expectAnswer), { numRuns: INPUTS });
  });

  it('a batch is answered as its calls are alone', async () => {
    // With that member a body is no JSON that is read, and so a whole batch would not be.
    const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__"'));
    const calls = fc.array(fc.record({ method: name, params: fc.array(json), id: json }), { maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(calls, async (batch) => {
        const each = await Promise.all(batch.map(async (one) => (await ask(JSON.stringify(one))).body.trimEnd()));
        expect((await ask(JSON.stringify(batch))).body).toBe(`[${each.join(',')}]\n`);
      }),
      { numRuns: draws({ sample: 20, change: Math.min(INPUTS, 20_000) }) },
    );
  });

  it('long bodies of every shape are answered before a test runs out of time, as they would not be in quadratic time', async () => {
    const megabyte = 1 << 20;
    const bodies = [
      `{"method":"echo","params":[${'[],'.repeat(megabyte)}1]}`,
      `{"method":"echo","params":[0.${'0'.repeat(4 * megabyte)}1]}`,
      `{"method":"echo","params":[${'1'.repeat(4 * megabyte)}]}`,
      `{"method":"echo","params":["${'\\\\'.repeat(2 * megabyte)}"]}`,
      ' '.repeat(4 * megabyte),
    ];
    for (const body of bodies) expect((await ask(body)).body.length).toBeGreaterThan(0);
  });
});
