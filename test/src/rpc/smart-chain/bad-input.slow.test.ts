import { beforeAll, describe, expect, it } from 'vitest';
import { usageLine } from '../../../../src/rpc/smart-chain/help.ts';
import { METHODS } from '../../../../src/rpc/smart-chain/methods.ts';
import {
  type AttackedNode,
  attackedNode,
  expectIntact,
  readReply,
  type Settled,
  settle,
  stateOf,
} from '../../../support/attacked-node.ts';
import { BAD_NUMBER_TEXTS, BAD_TEXTS, LONG_TEXTS, SURROGATES } from './bad-values.ts';

/** What a parameter may be; a mark behind it says that it may be left out. */
type Kind =
  | 'text'
  | 'integer'
  | 'count'
  | 'number'
  | 'amount'
  | 'truth'
  | 'list'
  | 'query'
  | 'height'
  | 'verbosity'
  | 'amounts';
type Param = readonly [kind: Kind, good: (at: Settled) => unknown, optional?: 'optional'];

const text = (good: (at: Settled) => string): Param => ['text', good];
const integer = (good: number): Param => ['integer', () => good];
const truth: Param = ['truth', () => false, 'optional'];
const label: Param = ['text', () => '', 'optional'];
const note: Param = ['text', () => 'a note', 'optional'];
const query: Param = ['query', ({ address }) => ({ addresses: [address] })];

/** Good parameters of every method, all that it takes. */
const GOOD: Readonly<Record<string, readonly Param[]>> = {
  createmultisig: [integer(1), ['list', ({ ownKey }) => [ownKey]]],
  createrawtransaction: [
    ['list', ({ token }) => [{ txid: token, vout: 1 }]],
    ['amounts', ({ address }) => ({ [address]: '0.25' })],
    ['integer', () => 0, 'optional'],
    ['integer', () => 900, 'optional'],
  ],
  decodeccopret: [text(() => '6a04f2630102')],
  decoderawtransaction: [text(({ hex }) => hex)],
  dumpprivkey: [text(({ address }) => address)],
  estimatefee: [['count', () => 2]],
  estimatepriority: [['count', () => 2]],
  generate: [['count', () => 1]],
  generatetoaddress: [['count', () => 1], text(({ address }) => address)],
  getaddressbalance: [query, ['truth', () => true, 'optional']],
  getaddressutxos: [query, ['truth', () => true, 'optional']],
  getbalance: [['text', () => '*', 'optional'], ['integer', () => 1, 'optional'], truth],
  getbalances: [],
  getbestblockhash: [],
  getblock: [
    ['height', ({ hash }) => hash],
    ['verbosity', () => 2, 'optional'],
  ],
  getblockchaininfo: [],
  getblockcount: [],
  getblockhash: [integer(1)],
  getblockheader: [text(({ hash }) => hash), truth],
  getconnectioncount: [],
  getdifficulty: [],
  getinfo: [],
  getmempoolinfo: [],
  getnetworkinfo: [],
  getnewaddress: [label],
  getpeerinfo: [],
  getrawmempool: [truth],
  getrawtransaction: [text(({ token }) => token), ['verbosity', () => 1, 'optional']],
  gettransaction: [text(({ token }) => token), truth],
  gettxout: [text(({ waiting }) => waiting), integer(0), truth],
  getwalletinfo: [],
  help: [['text', () => 'help', 'optional']],
  importaddress: [text(() => 'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2'), label, truth, truth],
  importprivkey: [text(({ wif }) => wif), label, truth, truth],
  invalidateblock: [text(({ hash }) => hash)],
  listtransactions: [
    ['text', () => '*', 'optional'],
    ['integer', () => 5, 'optional'],
    ['integer', () => 1, 'optional'],
    truth,
  ],
  listunspent: [
    ['integer', () => 0, 'optional'],
    ['integer', () => 99, 'optional'],
    ['list', ({ address }) => [address], 'optional'],
  ],
  reconsiderblock: [text(({ given }) => given)],
  sendmany: [
    text(() => ''),
    ['amounts', ({ address }) => ({ [address]: '0.25' })],
    ['integer', () => 1, 'optional'],
    note,
    ['list', ({ address }) => [address], 'optional'],
  ],
  sendrawtransaction: [text(({ transfer }) => transfer), truth],
  sendtoaddress: [text(({ address }) => address), ['amount', () => '0.25'], note, note, truth],
  signmessage: [text(({ ownAddress }) => ownAddress), text(() => 'hello')],
  signrawtransaction: [
    text(({ hex }) => hex),
    ['list', () => [], 'optional'],
    ['list', () => [], 'optional'],
    ['text', () => 'ALL', 'optional'],
  ],
  stop: [],
  tokenaddress: [['text', ({ pubkey }) => pubkey, 'optional']],
  tokenbalance: [text(({ token }) => token), ['text', ({ pubkey }) => pubkey, 'optional']],
  tokencreate: [text(() => 'BIRD'), ['amount', () => '0.00000001'], note, ['text', () => 'f7aa', 'optional']],
  tokeninfo: [text(({ token }) => token)],
  tokenlist: [],
  tokentransfer: [text(({ token }) => token), text(({ pubkey }) => pubkey), ['amount', () => '1']],
  txnotarizedconfirmed: [text(({ token }) => token)],
  validateaddress: [text(({ address }) => address)],
  verifymessage: [text((at) => at.ownAddress), text((at) => at.signature), text(() => 'hello')],
  z_validateaddress: [text(() => 'zs1')],
};

/** JSON types that a kind of parameter takes. */
const TAKES: Readonly<Record<Kind, readonly string[]>> = {
  text: ['string'],
  integer: ['number'],
  count: ['number', 'string'],
  number: ['number'],
  amount: ['number', 'string'],
  truth: ['boolean'],
  list: ['array'],
  query: ['object', 'string'],
  height: ['number', 'string'],
  verbosity: ['number', 'boolean'],
  amounts: ['object'],
};

/** Parameters that are taken and not used, whatever they are, and the truth values of the address index, of which all else is false. */
const UNUSED = new Set([
  'sendtoaddress 2',
  'sendtoaddress 3',
  'sendmany 2',
  'sendmany 3',
  'importprivkey 3',
  'gettransaction 1',
]);
const LAX = new Set(['getaddressbalance 1', 'getaddressutxos 1']);

const CHANGING = new Set(
  'generate generatetoaddress getnewaddress importaddress importprivkey invalidateblock reconsiderblock sendmany sendrawtransaction sendtoaddress stop'.split(
    ' ',
  ),
);

const PAYING = new Set(['sendmany', 'sendtoaddress', 'getnewaddress']);

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

let node: AttackedNode;
let at: Settled;
let state = '';
let changes = 0;

/** So many payments fit behind each other into a mempool. */
const MOST_CHANGES = 15;

async function fresh(): Promise<void> {
  changes = 0;
  node = await attackedNode();
  at = await settle(node);
  state = stateOf(node);
}

/** Sends a call as its text; gives the answer, and starts anew on another chain where a call that changes something was taken. */
async function send(method: string, params: readonly string[]) {
  const before = stateOf(node);
  const reply = readReply(
    await node.send(`{"id":7,"method":${JSON.stringify(method)},"params":[${params.join(',')}]}`),
  );
  const shown = `${method} ${params.map((param) => param.slice(0, 80)).join(' ')} -> ${JSON.stringify(reply).slice(0, 200)}`;
  expect(reply.id).toBe(7);
  expect(node.logger.lines, shown).toEqual([]);
  state = stateOf(node);
  const changed = state !== before;
  if (reply.error !== null || !CHANGING.has(method)) expect(changed, `${shown} changed something`).toBe(false);
  if (changed) changes++;
  if (changes >= MOST_CHANGES || (changed && !PAYING.has(method))) await fresh();
  return { ...reply, shown };
}

function goodParams(method: string): string[] {
  return (GOOD[method] ?? []).map(([, good]) => JSON.stringify(good(at)));
}

describe.each(METHODS.map((method) => [method.name, method] as const))('%s', (name, method) => {
  const params = GOOD[name] ?? [];
  beforeAll(fresh);

  it('answers good parameters with a result, all of them and the needed ones alone', async () => {
    expect([params.length, params.filter(([, , optional]) => optional === undefined).length]).toEqual(
      // tokenbalance alone is looked at by its first parameter before it is counted, as on the node.
      [method.arity[1], name === 'tokenbalance' ? 1 : method.arity[0]],
    );
    for (const count of [method.arity[1], Math.max(method.arity[0], name === 'tokenbalance' ? 1 : 0)]) {
      const { error, shown } = await send(name, goodParams(name).slice(0, count));
      expect(error, shown).toBeNull();
    }
  });

  it('answers every other count of parameters with code -1 and the usage', async () => {
    const [least, most] = method.arity;
    const counts = [...Array.from({ length: least }, (_, count) => count), most + 1, most + 2, 1000];
    for (const count of counts) {
      const filler = Array.from({ length: count }, (_, index) => goodParams(name)[index] ?? 'null');
      const { error } = await send(name, filler);
      expect(error?.code).toBe(-1);
      expect(error?.message.split('\n')[0]).toBe(usageLine(method));
    }
  });

  it.each(params.map(([kind, , optional], index) => [index, kind, optional] as const))(
    'answers whatever stands at place %i, where it wants %s, and changes nothing where it refuses',
    async (index, kind, optional) => {
      const all = [...BAD_TEXTS, ...BAD_NUMBER_TEXTS, ...SURROGATES];
      // Where nothing is looked at, every call pays, and few values are enough.
      const few = PAYING.has(name) && UNUSED.has(`${name} ${index}`);
      for (const bad of few ? all.filter((_, each) => each % 8 === 0) : all) {
        const given = goodParams(name).map((good, place) => (place === index ? bad : good));
        const { error, shown } = await send(name, given);
        const type = typeOf(JSON.parse(bad));
        const place = `${name} ${index}`;
        const takes = [...TAKES[kind], ...(optional === undefined ? [] : ['null'])];
        if (UNUSED.has(place) || LAX.has(place) || takes.includes(type)) continue;
        expect(error, shown).not.toBeNull();
        expect([-1, -3, -5, -8], shown).toContain(error?.code);
      }
    },
  );

  it.each(params.map((_, index) => index))('answers a megabyte at place %i', async (index) => {
    for (const long of LONG_TEXTS) {
      await send(
        name,
        goodParams(name).map((good, place) => (place === index ? long : good)),
      );
    }
  });
});

describe('a request', () => {
  beforeAll(fresh);

  it.each([
    '{"method":"getinfo","params":[{"__proto__":1}]}',
    '{"method":"getinfo","params":[],"__proto__":{"method":"stop"}}',
    `{"method":"getinfo","params":${'['.repeat(90_000)}${']'.repeat(90_000)}}`,
    `{"id":${'{"a":'.repeat(90_000)}1${'}'.repeat(90_000)},"method":"getinfo"}`,
    '{"method":"getinfo","params":[1,]}',
    '{"method":"getinfo"} {"method":"getinfo"}',
  ])('%.60s is not accepted as JSON', async (body) => {
    expect(readReply(await node.send(body)).error).toEqual({ code: -32700, message: 'Parse error' });
  });

  it.each([
    ['{"method":"getblockcount","method":"getbestblockhash"}', 'string'],
    ['{"method":"getblockcount","params":null,"id":"\\ud800"}', 'number'],
    ['{"method":"getblockcount","params":[],"toString":1,"id":{"constructor":1}}', 'number'],
    ['{"method":"getblockcount","id":1e999}', 'number'],
  ])('%s is answered', async (body, type) => {
    expect(typeof readReply(await node.send(body)).result).toBe(type);
  });

  it('of all calls with bad parameters in one batch is answered call for call', async () => {
    const calls = METHODS.map(({ name, arity }) => ({
      method: name,
      params: Array(arity[1]).fill({ a: [null] }),
      id: name,
    }));
    const before = stateOf(node);
    const replies = JSON.parse(
      (await node.send(JSON.stringify(calls.filter(({ method }) => !NEEDLESS.has(method))))).body,
    );
    for (const { error, id } of replies) expect(error, id).toMatchObject({ code: expect.any(Number) });
    expect(node.logger.lines).toEqual([]);
    expect(stateOf(node)).toBe(before);
  });

  it('leaves a chain that is the sum of its blocks', async () => {
    await expectIntact(node);
  });
});

/** Methods without parameters. */
const NEEDLESS = new Set(METHODS.filter(({ arity }) => arity[1] === 0).map(({ name }) => name));
