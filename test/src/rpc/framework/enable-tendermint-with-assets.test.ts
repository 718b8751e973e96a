import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { tendermintAccount, tendermintAddress } from '../../../../src/htlc/tendermint-address.ts';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { coinsOf } from '../../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../../src/node/keys.ts';
import { type Compatibility, createNode } from '../../../../src/node/node.ts';
import { toldFailure } from '../../../../src/node/tendermint/activate.ts';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import type { JsonObject } from '../../../../src/primitives/json.ts';
import { PackageMissingError } from '../../../../src/primitives/optional-package.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { FRAMEWORK_API, withRpc } from '../../../../src/rpc/index.ts';
import { type ListeningNode, listenCometNode } from '../../../../src/testing/cometbft/server.ts';
import { ASSET, IRIS, TendermintTestChain } from '../../../support/tendermint/adapter-chain.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const PASSWORD = 'a password of the suite';
const LOCAL = { address: '127.0.0.1', local: true };
const WALLET = walletOfPassphrase(new Secret('a passphrase of the suite'));
const ADDRESS = tendermintAddress('iaa', tendermintAccount(WALLET.coins.key) ?? '');
const METHOD = 'enable_tendermint_with_assets';

const info = { decimals: 6, denom: 'unyan', account_prefix: 'iaa', chain_id: 'nyancat-9' };
const platform = (data: JsonObject, entry: JsonObject = {}): JsonObject => ({
  ...{ mm2: 1, avg_blocktime: 5, protocol: { type: 'TENDERMINT', protocol_data: { ...info, ...data } } },
  ...entry,
});
const asset = { platform: 'NYAN', decimals: ASSET.decimals, denom: ASSET.denom };
const coins = coinsOf(
  [
    { coin: 'NYAN', ...platform({}), required_confirmations: 2 },
    { coin: 'ATOM-IBC', mm2: 1, protocol: { type: 'TENDERMINTTOKEN', protocol_data: asset } },
    { coin: 'MANY', ...platform({ decimals: 19 }) },
    { coin: 'TIMELESS', ...platform({}, { avg_blocktime: null }) },
    { coin: 'SLOW', ...platform({}, { avg_blocktime: 256 }) },
    { coin: 'ELSEWHERE', ...platform({ chain_id: 'irishub-1' }) },
    { coin: 'BARE', mm2: 1, protocol: { type: 'TENDERMINT' } },
    { coin: 'ODD', mm2: 1, protocol: { type: 'TENDERMINTTOKEN', protocol_data: {} } },
    { coin: 'AWAY', mm2: 1, protocol: { type: 'TENDERMINTTOKEN', protocol_data: { ...asset, platform: 'OSMO' } } },
    { coin: 'SURE', mm2: 1, required_confirmations: 4, protocol: { type: 'TENDERMINTTOKEN', protocol_data: asset } },
    { coin: 'KMD', mm2: 1, protocol: { type: 'UTXO' } },
    { coin: 'STRANGE', mm2: 1, protocol: { type: 'SOLANA' } },
  ],
  'coins',
);

let listening: ListeningNode;

/** A node over a chain in this process, asked as by HTTP. */
function serve(compatibility: Compatibility = 'specification') {
  const made = createNode({
    ...{ coins, signer: WALLET, log: createMemoryLog(), clock: virtualClock(), compatibility },
    peers: createInProcessNetwork().peer('a1'.repeat(32)),
  });
  const node = withRpc(made, { password: new Secret(PASSWORD) });
  onTestFinished(async () => void (await node.close()));
  const send = async (request: JsonObject) => {
    const init = { method: 'POST', body: JSON.stringify({ userpass: PASSWORD, ...request }) };
    const response = await node.fetch(new Request('http://node/', init), LOCAL);
    return { http: response.status, body: (await response.json()) as JsonObject };
  };
  const enable = async (params: JsonObject) => {
    const asked = { ticker: 'NYAN', nodes: [{ url: listening.url }], tokens_params: [], ...params };
    const answer = await send({ method: METHOD, mmrpc: '2.0', params: asked });
    if (answer.http === 200)
      expect(FRAMEWORK_API[METHOD].v2.result.safeParse(answer.body['result']).error).toBeUndefined();
    return answer;
  };
  return { enable, send, node };
}

const refused = (error_type: string, http: number, more: JsonObject = {}) => ({ http, body: { error_type, ...more } });

describe(METHOD, () => {
  beforeAll(async () => {
    const test = new TendermintTestChain(IRIS);
    test.chain.fund(ADDRESS, [
      { denom: IRIS.denom, amount: 7_620_000n },
      { denom: ASSET.denom, amount: 5n },
    ]);
    listening = await listenCometNode(test.node().own, { sockets: false });
  });
  afterAll(() => listening?.close());

  it('activates a coin with assets, and returns their balances', async () => {
    const { enable, send } = serve();
    const { http, body } = await enable({ tokens_params: [{ ticker: 'ATOM-IBC' }] });
    expect([http, body['result']]).toEqual([
      200,
      {
        ...{ ticker: 'NYAN', address: ADDRESS, current_block: 3001, balance: { spendable: '7.62', unspendable: '0' } },
        tokens_balances: { 'ATOM-IBC': { spendable: '0.0005', unspendable: '0' } },
      },
    ]);
    expect((await send({ method: 'get_enabled_coins' })).body['result']).toEqual([
      { ticker: 'NYAN', address: ADDRESS },
      { ticker: 'ATOM-IBC', address: ADDRESS },
    ]);
    expect((await send({ method: 'my_balance', coin: 'ATOM-IBC' })).body).toMatchObject({ balance: '0.0005' });
    expect(await enable({})).toMatchObject(
      refused('PlatformIsAlreadyActivated', 400, { error: 'NYAN', error_data: 'NYAN' }),
    );
    const out = await send({ method: 'disable_coin', coin: 'NYAN', force_disable: true });
    expect(out.body).toMatchObject({ result: { coin: 'NYAN', passivized: false } });
    expect((await enable({})).http).toBe(200);
  });

  it('lets one of two at the same time have the coin, and informs the other once it is active', async () => {
    for (const mode of ['specification', 'kdf'] as const) {
      const { enable } = serve(mode);
      const both = await Promise.all([enable({}), enable({})]);
      const [late] = both.filter(({ http }) => http !== 200);
      expect([both.map(({ http }) => http).sort(), late?.body['error']]).toEqual([[200, 400], 'NYAN']);
      expect(late).toMatchObject(refused('PlatformIsAlreadyActivated', 400, { error_data: 'NYAN' }));
    }
  });

  it('names only the assets if nobody wants balances', async () => {
    const { enable } = serve();
    const { body } = await enable({ get_balances: false, tokens_params: [{ ticker: 'ATOM-IBC' }] });
    expect(body['result']).toEqual({
      ...{ ticker: 'NYAN', address: ADDRESS, current_block: 3001, tokens_tickers: ['ATOM-IBC'] },
    });
  });

  it('withdraws to addresses of the chain', async () => {
    const { enable, send } = serve();
    await enable({});
    const withdraw = (to: string) =>
      send({ method: 'withdraw', mmrpc: '2.0', params: { coin: 'NYAN', to, amount: '1.5' } });
    const to = tendermintAddress('iaa', '11'.repeat(20));
    const { body } = await withdraw(to);
    expect(body['result']).toMatchObject({ total_amount: '1.53125', to: [to], coin: 'NYAN' });
    expect(await withdraw(tendermintAddress('nuc', '11'.repeat(20)))).toMatchObject(refused('InvalidAddress', 400));
  });

  describe('is refused for each fault of its coins file, in both modes', () =>
    it.each<[string, JsonObject, ReturnType<typeof refused>]>([
      [
        'PlatformConfigIsNotFound',
        { ticker: 'NONE' },
        refused('PlatformConfigIsNotFound', 400, { error_data: 'NONE' }),
      ],
      [
        'CoinProtocolParseError',
        { ticker: 'BARE' },
        refused('CoinProtocolParseError', 500, {
          error_data: { ticker: 'BARE', error: 'missing field `protocol_data`' },
        }),
      ],
      [
        'UnexpectedPlatformProtocol',
        { ticker: 'KMD' },
        refused('UnexpectedPlatformProtocol', 400, {
          error: 'Unexpected platform protocol {"type":"UTXO"} for KMD',
          error_data: { ticker: 'KMD', protocol: { type: 'UTXO' } },
        }),
      ],
      [
        'TokenConfigIsNotFound',
        { tokens_params: [{ ticker: 'NONE' }] },
        refused('TokenConfigIsNotFound', 400, { error_data: 'NONE' }),
      ],
      ['TokenProtocolParseError', { tokens_params: [{ ticker: 'STRANGE' }] }, refused('TokenProtocolParseError', 500)],
      [
        'UnexpectedTokenProtocol',
        { tokens_params: [{ ticker: 'KMD' }] },
        refused('UnexpectedTokenProtocol', 400, {
          error: 'Unexpected token protocol {"type":"UTXO"} for KMD',
          error_data: { ticker: 'KMD', protocol: { type: 'UTXO' } },
        }),
      ],
      [
        'PlatformCoinCreationError: too many decimals',
        { ticker: 'MANY' },
        refused('PlatformCoinCreationError', 500, {
          error_data: {
            ticker: 'MANY',
            error: "'decimals' value is too high; it must be 18 or lower but the current value is 19",
          },
        }),
      ],
      ['PlatformCoinCreationError: no block time', { ticker: 'TIMELESS' }, refused('PlatformCoinCreationError', 500)],
      [
        'PlatformCoinCreationError: a block time that nobody has',
        { ticker: 'SLOW' },
        refused('PlatformCoinCreationError', 500),
      ],
      [
        'PlatformCoinCreationError: no nodes',
        { nodes: [] },
        refused('PlatformCoinCreationError', 500, {
          error_data: { ticker: 'NYAN', error: expect.stringMatching(/^EmptyRpcUrls\b/) },
        }),
      ],
      [
        'PlatformCoinCreationError: what is no address',
        { nodes: [{ url: 'nobody' }] },
        refused('PlatformCoinCreationError', 500),
      ],
    ])('%s', async (_, params, expected) => {
      for (const compatibility of ['specification', 'kdf'] as const) {
        const { enable, node } = serve(compatibility);
        expect(await enable(params)).toMatchObject(expected);
        expect(node.coins.active()).toEqual([]);
      }
    }));

  it('reports silent nodes, or nodes of another chain, as Transport; in the real node as a failed coin creation', async () => {
    for (const params of [{ nodes: [{ url: 'http://127.0.0.1:1' }] }, { ticker: 'ELSEWHERE' }]) {
      expect(await serve().enable(params)).toMatchObject(refused('Transport', 502));
      expect(await serve('kdf').enable(params)).toMatchObject(
        refused('PlatformCoinCreationError', 500, {
          error_data: { error: 'All the current rpc nodes are unavailable.' },
        }),
      );
    }
  });

  it('signs only with its own key', async () => {
    const elsewhere = { activation_params: { type: 'WalletConnect', params: { session_topic: 'a topic' } } };
    for (const mode of ['specification', 'kdf'] as const)
      expect(await serve(mode).enable(elsewhere)).toMatchObject(refused('PlatformCoinCreationError', 500));
    expect(await serve().enable({ priv_key_policy: 'Trezor' })).toMatchObject(refused('PrivKeyNotAllowed', 500));
    expect((await serve('kdf').enable({ priv_key_policy: 'Trezor' })).http).toBe(200);
    expect((await serve().enable({ priv_key_policy: 'ContextPrivKey' })).http).toBe(200);
  });

  it('has three confirmations if neither request nor coins file sets them, and at least one', async () => {
    const confirmations = async (params: JsonObject, mode: Compatibility = 'specification') => {
      const { enable, node } = serve(mode);
      await enable({ tokens_params: [{ ticker: 'ATOM-IBC' }], ...params });
      return node.coins.active().map(({ requiredConfirmations }) => requiredConfirmations);
    };
    const both = (more: JsonObject) => [
      { ticker: 'ATOM-IBC', ...more },
      { ticker: 'SURE', ...more },
    ];
    expect(await confirmations({})).toEqual([2, 2]);
    expect(await confirmations({ tokens_params: both({}), required_confirmations: 5 })).toEqual([5, 5, 4]);
    expect(await confirmations({ tokens_params: both({ required_confirmations: 6 }) })).toEqual([2, 6, 6]);
    expect(await confirmations({ tokens_params: both({ required_confirmations: 0 }) })).toEqual([2, 1, 1]);
    expect(await confirmations({ tokens_params: both({ required_confirmations: 6 }) }, 'kdf')).toEqual([2, 1, 4]);
    expect(await confirmations({ tokens_params: both({ required_confirmations: 'many' }) }, 'kdf')).toEqual([2, 1, 4]);
    expect(await confirmations({ required_confirmations: 5 })).toEqual([5, 5]);
    expect(await confirmations({ required_confirmations: 0 })).toEqual([1, 1]);
    expect(await confirmations({ required_confirmations: 5 }, 'kdf')).toEqual([2, 1]);
  });

  it('activates by one node of two that answers, which alone moves no coins', async () => {
    const { enable, node } = serve();
    expect((await enable({ nodes: [{ url: 'http://127.0.0.1:1' }, { url: listening.url }] })).http).toBe(200);
    expect(await node.coins.get('NYAN')?.chain.quote()).toMatchObject({ ok: false, fault: { kind: 'unavailable' } });
  });

  it.each<[Compatibility, string]>([
    ['specification', 'EmptyRpcUrls: nodes is empty, but needs at least one node with its url'],
    ['kdf', 'EmptyRpcUrls'],
  ])('says in the mode %s that there are no nodes', async (mode, error) => {
    expect((await serve(mode).enable({ nodes: [] })).body['error_data']).toEqual({ ticker: 'NYAN', error });
  });

  it('shows no password of an invalid address', async () => {
    const { body } = await serve().enable({ nodes: [{ url: 'http://user:hunter2@[?key=hunter2' }] });
    expect(body['error']).toContain('Url http://[ is invalid, got error');
    expect(JSON.stringify(body)).not.toContain('hunter2');
    const key = '0123456789abcdef0123456789abcdef';
    for (const url of [
      `htps://node.example/v3/${key}`,
      'ftp://user:hunter2/more@node.example',
      `node.example/${key}`,
    ]) {
      const { http, body: told } = await serve('kdf').enable({ nodes: [{ url }] });
      expect([http, told['error']]).toEqual([500, expect.stringContaining('node.example')]);
      for (const secret of [key, 'hunter2', 'user']) expect(JSON.stringify(told)).not.toContain(secret);
    }
  });

  it('reads the path of an address as other activations do', async () => {
    const wrong = [5, 'm/44', { chain: 'Foo' }, { account_id: -1, chain: 'External', address_id: 0 }];
    for (const path_to_address of wrong)
      for (const mode of ['specification', 'kdf'] as const)
        expect(await serve(mode).enable({ path_to_address })).toMatchObject(refused('InvalidRequest', 400));
    const part = { path_to_address: { address_id: 1 } };
    expect((await serve().enable(part)).http).toBe(200);
    const error_data = 'missing field `account_id`';
    expect(await serve('kdf').enable(part)).toMatchObject(refused('InvalidRequest', 400, { error_data }));
  });

  it('reports a missing package by the error name of the mode', () => {
    const missing = new PackageMissingError('cosmjs-types');
    const told = (compatibility: Compatibility) => toldFailure(missing, { ticker: 'NYAN', compatibility });
    expect(told('specification')).toMatchObject({ task: { error_type: 'InternalError', error: missing.message } });
    expect(told('kdf')).toMatchObject({ task: { error_type: 'Internal', error: missing.message } });
  });

  it('accepts no asset of another platform', async () => {
    for (const mode of ['specification', 'kdf'] as const) {
      const { enable, node } = serve(mode);
      const protocol = { type: 'TENDERMINTTOKEN', protocol_data: { ...asset, platform: 'OSMO' } };
      expect(await enable({ tokens_params: [{ ticker: 'AWAY' }] })).toMatchObject(
        refused('UnexpectedTokenProtocol', 400, { error_data: { ticker: 'AWAY', protocol } }),
      );
      expect(node.coins.active()).toEqual([]);
    }
  });

  it('accepts 0 and 1 for mm2, where 0 is for the wallet only, and its own key in either form', async () => {
    const walletOnly = async (params: JsonObject) => {
      const { enable, node } = serve();
      expect((await enable(params)).http).toBe(200);
      return node.coins.get('NYAN')?.walletOnly;
    };
    expect(await walletOnly({ mm2: 0 })).toBe(true);
    expect(await walletOnly({ mm2: 1, priv_key_policy: { type: 'ContextPrivKey' } })).toBe(false);
    for (const mm2 of [2, -1, '1']) expect(await serve().enable({ mm2 })).toMatchObject(refused('InvalidRequest', 400));
    expect((await serve('kdf').enable({ mm2: 7 })).http).toBe(200);
    const other = { priv_key_policy: { type: 'Trezor' } };
    expect(await serve().enable(other)).toMatchObject(refused('PrivKeyNotAllowed', 500));
  });

  it('accepts tx_history and requires_notarization without effect', async () => {
    const answers: JsonObject[] = [];
    for (const params of [{}, { tx_history: true, requires_notarization: true }]) {
      const { enable, node } = serve();
      answers.push((await enable(params)).body['result'] as JsonObject);
      expect(node.coins.get('NYAN')?.requiresNotarization).toBe(false);
    }
    expect(answers[1]).toEqual(answers[0]);
    for (const name of ['tx_history', 'requires_notarization'])
      expect(await serve().enable({ [name]: 'yes' })).toMatchObject(refused('InvalidRequest', 400));
  });

  it('says what is wrong with the request', async () => {
    const { enable } = serve();
    expect(await enable({ tokens_params: 'none' })).toMatchObject(refused('InvalidRequest', 400));
    expect(await enable({ ticker: 7 })).toMatchObject(refused('InvalidRequest', 400));
    expect(await enable({ nodes: [{}] })).toMatchObject(refused('InvalidRequest', 400));
    const twice = { tokens_params: [{ ticker: 'ATOM-IBC' }, { ticker: 'ATOM-IBC' }] };
    expect(await enable(twice)).toMatchObject(refused('PlatformCoinCreationError', 500));
  });
});
