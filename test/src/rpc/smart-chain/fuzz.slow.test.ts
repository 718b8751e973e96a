import fc from 'fast-check';
import { expect, it } from 'vitest';
import { METHODS } from '../../../../src/rpc/smart-chain/methods.ts';
import { encodeAddress } from '../../../../src/smartchain/encoding/address.ts';
import { DEFAULT_PARAMS } from '../../../../src/smartchain/params.ts';
import {
  type AttackedNode,
  attackedNode,
  expectIntact,
  type Reply,
  readReply,
  type Settled,
  settle,
} from '../../../support/attacked-node.ts';
import { draws } from '../../../support/draws.ts';
import { BAD_TEXTS, SURROGATES } from './bad-values.ts';

/** `SWAPFOLD_FUZZ=500000` for the long run: some minutes. */
const REQUESTS = Number(process.env['SWAPFOLD_FUZZ'] ?? draws({ change: 10_000, release: 20_000 }));

/** Requests after which the chain is looked at and another one begun, so that none grows without bound. */
const EPOCH = 1000;

/** A value of a parameter: the JSON of a draft, or something of the chain that the numbers choose when the call is made. */
type Draft =
  | { readonly from: 'json'; readonly json: string }
  | { readonly from: 'chain'; readonly kind: string; readonly which: number }
  | { readonly from: 'raw'; readonly which: number; readonly edits: readonly Edit[] };

type Edit = { readonly kind: 'flip' | 'cut' | 'put' | 'drop' | 'number'; readonly at: number; readonly byte: number };

const KINDS = [
  ...['txid', 'txid', 'token', 'address', 'address', 'hash', 'hash', 'pubkey', 'script', 'signature', 'wif', 'height'],
  ...['addresses', 'query', 'amounts', 'keys', 'inputs', 'bytes'],
];

const small = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -200, max: 200 }));
const amount = fc.tuple(fc.nat(3_000_000), fc.nat(10)).map(([units, scale]) => units / 10 ** scale);
const json: fc.Arbitrary<Draft> = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...BAD_TEXTS, ...SURROGATES) },
    { weight: 4, arbitrary: small.map(String) },
    { weight: 3, arbitrary: amount.map((value) => JSON.stringify(value.toFixed(9).replace(/0$/, ''))) },
    { weight: 1, arbitrary: amount.map(String) },
    { weight: 2, arbitrary: fc.constantFrom('true', 'false', 'null', '""') },
    { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }).map((text) => JSON.stringify(text)) },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => JSON.stringify(hexOf(bytes))) },
  )
  .map((text) => ({ from: 'json', json: text }));
const chain: fc.Arbitrary<Draft> = fc.record({
  from: fc.constant('chain' as const),
  kind: fc.constantFrom(...KINDS),
  which: fc.nat(1_000_000),
});
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('flip', 'flip', 'cut', 'put', 'drop', 'number'),
  at: fc.nat(1_000_000),
  byte: fc.nat(255),
});
const raw: fc.Arbitrary<Draft> = fc.record({
  from: fc.constant('raw' as const),
  which: fc.nat(1_000_000),
  edits: fc.array(edit, { maxLength: 4 }),
});
const draft = fc.oneof({ weight: 5, arbitrary: chain }, { weight: 4, arbitrary: json }, { weight: 1, arbitrary: raw });

type Request = { readonly method: string; readonly params: readonly Draft[] };

/** What the parameters of a method are like when they are good; for a method that is not named anything goes. */
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  createmultisig: ['little', 'keys'],
  createrawtransaction: ['inputs', 'amounts'],
  decodeccopret: ['script'],
  dumpprivkey: ['address'],
  estimatefee: ['little'],
  estimatepriority: ['little'],
  generate: ['little'],
  generatetoaddress: ['little', 'address'],
  getaddressbalance: ['query', 'truth'],
  getaddressutxos: ['query', 'truth'],
  getblock: ['hash', 'little'],
  getblockhash: ['height'],
  getblockheader: ['hash', 'truth'],
  getrawmempool: ['truth'],
  getrawtransaction: ['txid', 'little'],
  gettransaction: ['txid', 'truth'],
  gettxout: ['txid', 'little', 'truth'],
  importaddress: ['address', 'word', 'truth', 'truth'],
  importprivkey: ['wif', 'word', 'truth'],
  invalidateblock: ['hash'],
  listunspent: ['little', 'height', 'addresses'],
  reconsiderblock: ['hash'],
  sendmany: ['empty', 'amounts', 'little', 'word', 'addresses'],
  sendtoaddress: ['address', 'amount', 'word', 'word', 'truth'],
  signmessage: ['address', 'word'],
  signrawtransaction: ['bytes'],
  tokenaddress: ['pubkey'],
  tokenbalance: ['token', 'pubkey'],
  tokencreate: ['word', 'amount', 'word', 'script'],
  tokeninfo: ['token'],
  tokentransfer: ['token', 'pubkey', 'height'],
  txnotarizedconfirmed: ['txid'],
  validateaddress: ['address'],
  verifymessage: ['address', 'signature', 'word'],
  z_validateaddress: ['zaddress'],
};

const names = fc.constantFrom(...METHODS.map(({ name }) => name));

function shaped(name: string): fc.Arbitrary<Request> {
  const shape = SHAPES[name] ?? [];
  const params = shape.map((kind) => {
    const good = fc.nat(1_000_000).map((which): Draft => ({ from: 'chain', kind, which }));
    return fc.oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: draft });
  });
  const least = METHODS.find((method) => method.name === name)?.arity[0] ?? 0;
  return fc
    .tuple(fc.tuple(...params), fc.integer({ min: Math.min(least, shape.length), max: shape.length }))
    .map(([all, count]) => ({ method: name, params: all.slice(0, count) }));
}

const request: fc.Arbitrary<Request> = fc.oneof(
  { weight: 10, arbitrary: fc.oneof(...METHODS.map(({ name }) => shaped(name))) },
  {
    weight: 2,
    arbitrary: fc.record({
      method: fc.constantFrom('sendrawtransaction', 'decoderawtransaction'),
      params: fc.tuple(raw),
    }),
  },
  { weight: 2, arbitrary: fc.record({ method: names, params: fc.array(draft, { maxLength: 6 }) }) },
);

/** What a sender of tokens does: the hex that one call answers goes into the next. */
const BUILDERS = new Set(['tokencreate', 'tokentransfer']);

const SCRIPT_ADDRESS = encodeAddress({ kind: 'script', hash: new Uint8Array(20) }, DEFAULT_PARAMS.prefixes);
const WORDS = ['hello', 'KITE', '', 'a longer text with é', '\u0000'];
const AMOUNTS = ['0.1', 1, '0.00000001', 2.5, '0.00001000', '1e-5', 1000, '900000'];

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function chosen<Item>(items: readonly Item[], which: number): Item | undefined {
  return items[which % Math.max(items.length, 1)];
}

/** What was seen of the chain: the fuel of the calls that find something. */
class Pool {
  readonly #node: AttackedNode;
  readonly #settled: Settled;

  constructor(node: AttackedNode, settled: Settled) {
    this.#node = node;
    this.#settled = settled;
  }

  json(value: Draft): string {
    if (value.from === 'json') return value.json;
    return JSON.stringify(value.from === 'raw' ? this.#raw(value) : (this.#ofChain(value.kind, value.which) ?? null));
  }

  #txids(): string[] {
    const { chain: held } = this.#node;
    return [...held.mempool().entries.keys(), ...held.tree.ledger.transactions.keys()];
  }

  #addresses(): string[] {
    const { ring } = this.#node.wallet;
    return [
      ...[...ring.keys.values()].map(({ address }) => address),
      SCRIPT_ADDRESS,
      'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2',
    ];
  }

  #ofChain(kind: string, which: number): unknown {
    const { token, nft, pubkey, ownKey, signature, wif } = this.#settled;
    const { tree } = this.#node.chain;
    const addresses = this.#addresses();
    const address = chosen(addresses, which) ?? '';
    const keys = [...this.#node.wallet.ring.keys.values()].map(({ publicKey }) => hexOf(publicKey));
    const values: Readonly<Record<string, () => unknown>> = {
      txid: () => chosen(this.#txids(), which),
      token: () => chosen([token, nft, ...this.#tokens()], which),
      address: () => address,
      hash: () => chosen([...tree.nodes.keys()].slice(-6), which),
      pubkey: () => chosen([pubkey, ownKey, ...keys, `02${'dead'.repeat(16)}`], which),
      script: () => chosen(this.#scripts(), which),
      signature: () => signature,
      wif: () => wif,
      height: () => which % (tree.ledger.blocks.length + 1),
      addresses: () => addresses.slice(which % 3, 1 + (which % 5)),
      query: () => ({ addresses: addresses.slice(which % 3), chainInfo: which % 2 === 0 }),
      amounts: () => ({ [address]: (which % 1000) / 100, [addresses[0] ?? '']: '0.01' }),
      keys: () => keys.slice(0, 1 + (which % 17)),
      little: () => which % 4,
      truth: () => which % 2 === 0,
      inputs: () => [{ txid: chosen(this.#txids(), which), vout: which % 3 }],
      bytes: () => this.#raw({ which, edits: [] }),
      empty: () => '',
      word: () => WORDS[which % WORDS.length],
      amount: () => AMOUNTS[which % AMOUNTS.length],
      zaddress: () => 'zcGWZqd3gKVdiAzPHcTdJqDmVHnHNyhVjVwkfoaQLEhBgHzBjcXTrzRQvrcq3yLbsL9yQMJ2yk3JbgBvTgB6YKRCzAzXhUM',
    };
    return values[kind]?.();
  }

  #tokens(): string[] {
    const { transactions } = this.#node.chain.tree.ledger;
    return [...transactions.values()].flatMap(({ txid, token }) => (token?.kind === 'create' ? [txid] : []));
  }

  #transactions() {
    const { chain: held } = this.#node;
    return [...held.mempool().entries.values(), ...held.tree.ledger.transactions.values()];
  }

  #scripts(): string[] {
    return this.#transactions().flatMap(({ transaction }) => transaction.outputs.map(({ script }) => hexOf(script)));
  }

  #raw({ which, edits }: Pick<Extract<Draft, { from: 'raw' }>, 'which' | 'edits'>): string {
    const { transfer } = this.#settled;
    const held = this.#transactions().map(({ bytes }) => bytes);
    const bytes = chosen([Buffer.from(transfer, 'hex'), ...held], which) ?? new Uint8Array(0);
    return hexOf(edits.reduce(edited, [...bytes]) as unknown as Uint8Array);
  }
}

function edited(bytes: number[], { kind, at: place, byte }: Edit): number[] {
  const at = place % (bytes.length + 1);
  if (kind === 'cut') return bytes.slice(0, at);
  if (kind === 'put') return [...bytes.slice(0, at), byte, ...bytes.slice(at)];
  if (kind === 'drop') return [...bytes.slice(0, at), ...bytes.slice(at + 1)];
  if (kind === 'number') return [...bytes.slice(0, at), 0xff, 0xff, 0xff, 0x7f, ...bytes.slice(at + 4)];
  return bytes.map((each, index) => (index === at ? each ^ (byte || 1) : each));
}

it('W1, W2: a node answers every request, and its chain stays the sum of its blocks', async () => {
  const told = new Map<string, Set<string>>();
  const counts = { results: 0, errors: 0, failures: 0, sent: 0, blocks: 0 };
  let slowest = { ms: 0, body: '' };
  for (let done = 0; done < REQUESTS; done += EPOCH) {
    const node = await attackedNode({ compatibility: done % (2 * EPOCH) === 0 ? 'specification' : 'node' });
    const pool = new Pool(node, await settle(node));
    const requests = fc.sample(request, { seed: done, numRuns: Math.min(EPOCH, REQUESTS - done) });
    for (const [index, { method, params }] of requests.entries()) {
      const given = params.map((each) => pool.json(each));
      const body = `{"method":"${method}","params":[${bounded(method, given).join(',')}],"id":${index}}`;
      const from = performance.now();
      const answer = await node.send(body);
      const ms = performance.now() - from;
      if (ms > slowest.ms) slowest = { ms, body: body.slice(0, 300) };
      if (node.logger.lines.length > 0)
        throw new Error(`seed ${done}: ${body.slice(0, 3000)}: ${JSON.stringify(node.logger.lines)}`);
      const reply = readReply(answer);
      count(counts, method, reply);
      told.set(method, (told.get(method) ?? new Set()).add(kindOf(reply)));
      const { hex } = (reply.result ?? {}) as { readonly hex?: string };
      if (BUILDERS.has(method) && hex !== undefined)
        count(counts, 'sendtoken', await node.call('sendrawtransaction', [hex]));
    }
    counts.blocks += node.chain.tree.nodes.size;
    await expectIntact(node);
  }
  // The fuzzing is worth something only where it reaches behind the first checks.
  const shallow = METHODS.filter(({ name }) => told.get(name)?.has('result') !== true).map(({ name }) => name);
  expect(shallow).toEqual([]);
  expect(counts.sent).toBeGreaterThan(REQUESTS / 1000);
  if (process.env['SWAPFOLD_FUZZ'] !== undefined) process.stdout.write(`${JSON.stringify({ ...counts, slowest })}\n`);
});

/** Mining costs time and shows nothing by being long. */
function bounded(method: string, params: readonly string[]): readonly string[] {
  const [first, ...rest] = params;
  return method.startsWith('generate') && Number(first) > 3 ? [String(Number(first) % 4), ...rest] : params;
}

function kindOf({ result, error }: Reply): string {
  if (error !== null) return `error ${error.code}`;
  return (result as { result?: unknown } | null)?.result === 'error' ? 'failure' : 'result';
}

function count(
  counts: { results: number; errors: number; failures: number; sent: number },
  method: string,
  reply: Reply,
) {
  const kind = kindOf(reply);
  if (kind === 'result') counts.results++;
  else if (kind === 'failure') counts.failures++;
  else counts.errors++;
  if (kind === 'result' && method.startsWith('send')) counts.sent++;
}
