import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/primitives/secret.ts';
import { createAccess, MOST_WRONG } from '../../../../src/rpc/framework/access.ts';
import { dispatchFramework, type FrameworkTerms } from '../../../../src/rpc/framework/dispatch.ts';
import { boundsOf } from '../../../../src/rpc/framework/long-body.ts';
import { frameworkMethods } from '../../../../src/rpc/framework/method.ts';

const LONG = 'x'.repeat(70_000);
/** More values than are read of a body without the password. */
const FULL = `[${'1,'.repeat(150_000)}1]`;
const caller = { address: '127.0.0.1', local: true };

function open() {
  const terms: FrameworkTerms<null> = {
    methods: frameworkMethods([
      {
        name: 'count',
        summary: '',
        legacy: { run: ({ list }) => ({ result: Array.isArray(list) ? list.length : 0 }) },
      },
      { name: 'open', summary: '', isPublic: true, legacy: { run: () => ({ result: 'everybody' }) } },
    ]),
    node: null,
    access: createAccess({ password: new Secret('pa"ss') }),
    logger: { info() {}, warn() {}, error() {} },
  };
  return async (body: string) => {
    const { status, body: told } = await dispatchFramework({ body, httpMethod: 'POST', caller }, terms);
    return { status, told };
  };
}

describe('a long body', () => {
  it('is read whole for a caller who shows the password in it, wherever that is', async () => {
    const ask = open();
    for (const [before, after] of [
      ['', `,"list":${FULL}`],
      [`"list":${FULL},`, ''],
      ['"note":"\\"userpass\\":\\"none\\"","tags":["userpass"],"userpass2":"no",', `,"list":${FULL}`],
    ] as const) {
      const body = `{"method":"count",${before}"userpass" : "pa\\"ss"${after}}`;
      expect(await ask(body)).toEqual({ status: 200, told: '{"result":150001}' });
    }
  });

  it('with a wrong password is not read, and counts as one guess, however many are in it', async () => {
    const ask = open();
    // It is no JSON, and nobody comes to know it.
    const wrong = `[{"userpass":"guess"},${'{"userpass":"pa\\"ss"},'.repeat(5_000)}`;
    for (let left = MOST_WRONG - 1; left >= 0; left--) {
      const { status, told } = await ask(wrong);
      expect([status, told]).toEqual([500, expect.stringContaining(`attempts left: ${left}`)]);
    }
    expect((await ask(wrong)).told).toContain('Your IP is banned');
    expect((await ask('{"userpass":"pa\\"ss","method":"count"}')).told).toContain('Your IP is banned');
  });

  it('without a password is read as far as a public method may go', async () => {
    const ask = open();
    expect(await ask(`{"method":"open","list":"${LONG}"}`)).toEqual({ status: 200, told: '{"result":"everybody"}' });
    expect((await ask(`{"method":"open","list":${FULL}}`)).told).toContain('a body may hold at most 100000 values');
    expect((await ask(`{"method":"count","userpass":null,"list":${FULL}}`)).told).toContain('at most 100000 values');
  });
});

it('a body that is full of the name, or of blanks after it, is not searched', () => {
  const asked: string[] = [];
  const enter = (userpass: string) => void asked.push(userpass);
  for (const each of ['"userpass",', '"userpass"  \t', '"userpass":"\\x",', '"userpass":{', '"userpass":null,']) {
    expect(boundsOf(Buffer.alloc(0x0200_0000, each), enter).values).toBe(100_000);
  }
  const behind = (names: number, blanks: number) =>
    boundsOf(`${LONG}${'"userpass",'.repeat(names)}"userpass"${' '.repeat(blanks)}:"late"`, enter).values;
  expect([behind(1_000, 0), behind(0, 1_001), asked]).toEqual([100_000, 100_000, []]);
  expect([behind(999, 1_000), asked]).toEqual([2_000_000, ['late']]);
});

it('a short body is left to the call itself', () => {
  const asked: string[] = [];
  boundsOf('{"userpass":"short"}', (userpass) => asked.push(userpass));
  expect(asked).toEqual([]);
  boundsOf(new TextEncoder().encode(`{"userpass":"l\\u006fng","x":"${LONG}"}`), (userpass) => asked.push(userpass));
  expect(asked).toEqual(['long']);
});
