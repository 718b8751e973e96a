import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressText } from '../../src/chains/evm/address.ts';
import { accountOf as evmAccountOf } from '../../src/chains/evm/transaction.ts';
import { qtumAccount, qtumWalletAddress } from '../../src/htlc/index.ts';
import { tendermintAccount, tendermintAddress } from '../../src/htlc/tendermint-address.ts';
import { walletOfPassphrase } from '../../src/node/keys.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import { bytesToHex } from '../../src/primitives/hex.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { Secret } from '../../src/primitives/secret.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { type ElectrumServer, openElectrumServer } from '../../src/rpc/electrum/server.ts';
import { systemClock } from '../../src/runtime/clock-system.ts';
import type { Block } from '../../src/smartchain/chain/block.ts';
import { type CometChain, createCometChain } from '../../src/testing/cometbft/chain.ts';
import { createCometNode } from '../../src/testing/cometbft/node.ts';
import { type ListeningNode, listenCometNode } from '../../src/testing/cometbft/server.ts';
import { balanceOf } from '../../src/testing/cometbft/state.ts';
import { fencesOf } from '../docs/fences.ts';
import { CHAIN_ID, EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { ETHER } from '../support/evm/two-wallets.ts';
import { describeWith } from '../support/optional-part.ts';
import { tokenOf } from '../support/qtum/adapter-chain.ts';
import { QTUM_BLOCK_TIME, QTUM_MATURITY, QtumTestChain } from '../support/qtum/chain.ts';
import {
  PASSWORD,
  passphraseOf,
  type ServedChain,
  type Serving,
  servedChain,
  serving,
  servingFolder,
  until,
} from '../support/serving.ts';

const PAGE = 'docs/guides/run-a-trading-node.md';
const TICKERS = ['ATOM-IBC_IRIS', 'DOC', 'ETH', 'IRIS', 'QTOK', 'QTUM', 'USDC-ERC20'] as const;
type Ticker = (typeof TICKERS)[number];
const ASSET = 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2';
const IRIS = { decimals: 6, denom: 'uiris', account_prefix: 'iaa', chain_id: 'irishub-1' };
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const WALLET = { pubtype: 120, p2shtype: 110, txfee: 400_000, mm2: 1, mature_confirmations: QTUM_MATURITY };
/** Of units of a token of 6 digits. */
const HAS = 7_654_321n;
const now = () => Math.floor(Date.now() / 1000);

type Holder = {
  readonly key: Uint8Array;
  readonly account: string;
  readonly evm: string;
  readonly addresses: Record<Ticker, string>;
};

async function holderOf(name: string): Promise<Holder> {
  const { key } = (await walletOfPassphrase(new Secret(passphraseOf(name)))).coins;
  const account = qtumAccount(key);
  const evm = evmAccountOf(key);
  const iris = tendermintAddress('iaa', tendermintAccount(key) ?? '');
  const qtum = qtumWalletAddress(account, { keyPrefix: WALLET.pubtype });
  const ether = addressText(evm);
  const addresses = { 'ATOM-IBC_IRIS': iris, IRIS: iris, ETH: ether, 'USDC-ERC20': ether, QTOK: qtum, QTUM: qtum };
  return { key, account, evm, addresses: { ...addresses, DOC: qtumWalletAddress(account, { keyPrefix: 60 }) } };
}

describeWith(ANVIL, 'swapfold serve with a coin of every family, over HTTP alone', () => {
  const folder = servingFolder();
  let owner: Holder;
  let payee: Holder;
  let doc: ServedChain;
  let evm: EvmTestChain;
  let comet: CometChain;
  let iris: ListeningNode;
  let qtum: QtumTestChain;
  let server: ElectrumServer;
  let tokens: Readonly<Record<'evm' | 'qtum', string>>;
  let node: Serving;
  let mining: NodeJS.Timeout;

  beforeAll(async () => {
    [owner, payee] = [await holderOf('owner'), await holderOf('payee')];
    doc = await servedChain(folder, { coin: 'DOC', passphrase: passphraseOf('owner'), mineEveryMs: 500 });
    evm = await EvmTestChain.start();
    await evm.mineAt(now());
    const erc20 = await evm.token({ decimals: 6 });
    await evm.mint(erc20, owner.evm, HAS);
    await evm.give(owner.evm, 3n * ETHER);
    const rules = { chainId: IRIS.chain_id, prefix: 'iaa', module: 'irismod', feeDenom: IRIS.denom } as const;
    const startTime = (now() - 60) as UnixSeconds;
    comet = createCometChain({ ...rules, gasPrice: '0.2' as DecimalText, startTime, blockTime: 1 });
    const coins = [IRIS.denom, ASSET].map((denom) => ({ denom, amount: HAS }));
    comet.fund(owner.addresses.IRIS, coins);
    iris = await listenCometNode(createCometNode(comet), { sockets: false });
    qtum = await QtumTestChain.start(now() - 60 * QTUM_BLOCK_TIME);
    const qrc20 = (await tokenOf(qtum, {})).token;
    await qtum.fund(owner.key, { count: 3, value: 250_000_000n });
    await qtum.machine.apart(() => qtum.machine.evm.mint(qrc20, owner.account, HAS));
    await mine();
    mining = setInterval(() => void mine(), 1000);
    const software = { clock: systemClock(), logger: QUIET, software: 'a test', tcp: 0 };
    server = await openElectrumServer({ client: qtum.client, ...software });
    tokens = { evm: erc20, qtum: qrc20 };
    node = await start();
  }, 120_000);
  afterAll(async () => {
    clearInterval(mining);
    await node?.kill();
    await server?.close();
    await qtum?.close();
    await iris?.close();
    evm?.stop();
    await doc?.close();
  });

  /** A block of each chain that does not mine by itself, with the time of the host. */
  async function mine(): Promise<void> {
    comet.mine();
    qtum.now = now() - QTUM_BLOCK_TIME;
    await Promise.all([qtum.mine(), evm.mineAt(now())]);
  }

  const start = () => serving(folder, { name: 'owner', coins: entries(), config: { disable_p2p: true } });

  function entries(): readonly JsonObject[] {
    const token = (type: string, protocol_data: JsonObject) => ({ protocol: { type, protocol_data } });
    const ofIris = { platform: 'IRIS', decimals: 6, denom: ASSET };
    return [
      doc.entry,
      { coin: 'ETH', mm2: 1, ...token('ETH', { chain_id: CHAIN_ID }) },
      { coin: 'USDC-ERC20', mm2: 1, ...token('ERC20', { platform: 'ETH', contract_address: addressText(tokens.evm) }) },
      { coin: 'IRIS', mm2: 1, avg_blocktime: 1, ...token('TENDERMINT', IRIS) },
      { coin: 'ATOM-IBC_IRIS', mm2: 1, ...token('TENDERMINTTOKEN', ofIris) },
      { coin: 'QTUM', ...WALLET, dust: 72_800, required_confirmations: 1, protocol: { type: 'QTUM' } },
      { coin: 'QTOK', ...WALLET, ...token('QRC20', { platform: 'QTUM', contract_address: `0x${tokens.qtum}` }) },
    ];
  }

  /** The requests of the guide, but for what names another host, a contract on it, and the password. */
  function requests(): readonly JsonObject[] {
    const ours: Readonly<Record<string, string>> = {
      'https://node.ethereum.example': evm.url,
      'https://node.iris.example': iris.url,
      'server.qtum.example:50001': `127.0.0.1:${server.tcpPort}`,
      '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80': addressText(evm.contract),
      '0x2f754733acd6d753731c00fee32cb484551cc15d': `0x${qtum.swapContract}`,
      'change me': PASSWORD,
    };
    const { text = '[]' } = fencesOf(PAGE).find((fence) => fence.text.includes('"task::enable_eth::init"')) ?? {};
    return JSON.parse(Object.entries(ours).reduce((said, [theirs, own]) => said.replaceAll(theirs, own), text));
  }

  const post = async (body: object): Promise<unknown> => {
    const { url } = node.row as { readonly url: string };
    return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json();
  };

  async function activate(): Promise<void> {
    const answers = (await post(requests())) as readonly (JsonObject & { readonly result?: JsonObject })[];
    const [plain, task, assets, platform, token] = answers;
    for (const [place, answer] of [plain, platform, token].entries())
      expect(answer, String(place)).toMatchObject({ result: 'success' });
    expect(assets).toMatchObject({ result: { ticker: 'IRIS', address: owner.addresses.IRIS } });
    const params = { task_id: task?.result?.['task_id'], forget_if_finished: false };
    const told = await until(async () => {
      const { result } = await node.call({ mmrpc: '2.0', method: 'task::enable_eth::status', params });
      const { status } = result as { readonly status: string };
      return status === 'InProgress' ? null : (result as JsonObject);
    });
    expect(told).toMatchObject({ status: 'Ok' });
  }

  const enabled = async () => {
    const { result } = await node.call({ method: 'get_enabled_coins' });
    return (result as readonly { readonly ticker: string }[]).map(({ ticker }) => ticker).sort();
  };

  it('activates all by one batch of the requests of the guide, and tells what each has', async () => {
    await activate();
    expect(await enabled()).toEqual(TICKERS);
    const six = '7.654321';
    const had = { ETH: '3', 'USDC-ERC20': six, IRIS: six, 'ATOM-IBC_IRIS': six, QTUM: '7.5', QTOK: six };
    for (const [coin, balance] of Object.entries(had))
      expect(await node.call({ method: 'my_balance', coin })).toMatchObject({
        ...{ coin, balance, unspendable_balance: '0', address: owner.addresses[coin as Ticker] },
      });
    // Its chain mines for the owner.
    const { balance } = await node.call({ method: 'my_balance', coin: 'DOC' });
    expect(Number(balance)).toBeGreaterThan(0);
  }, 60_000);

  /** Base units that outputs of blocks pay to an account. */
  const paidTo = (blocks: readonly Block[], account: string): bigint =>
    blocks
      .flatMap(({ transactions }) => transactions)
      .flatMap(({ transaction }) => transaction.outputs)
      .filter(({ script }) => bytesToHex(script) === `76a914${account}88ac`)
      .reduce((sum, { value }) => sum + value, 0n);
  const irisOf = (denom: string): bigint => balanceOf(comet.tip().state, payee.addresses.IRIS, denom);

  /** What the other one has of each, in base units. */
  const books = async (): Promise<Readonly<Record<Ticker, bigint>>> => ({
    'ATOM-IBC_IRIS': irisOf(ASSET),
    DOC: paidTo(doc.blocks(), payee.account),
    ETH: await evm.balance(payee.evm),
    IRIS: irisOf(IRIS.denom),
    QTOK: await qtum.machine.evm.tokensOf(tokens.qtum, payee.account),
    QTUM: paidTo(qtum.blocks, payee.account),
    'USDC-ERC20': await evm.tokensOf(tokens.evm, payee.evm),
  });

  it('withdraws from each to somebody else, who has it by the books of the chain', async () => {
    for (const [place, coin] of TICKERS.entries()) {
      const amount = `1.2${place}`;
      const made = await node.call({ method: 'withdraw', coin, to: payee.addresses[coin], amount });
      expect(made, coin).toMatchObject({ total_amount: expect.any(String) });
      const { tx_hex } = made;
      expect(await node.call({ method: 'send_raw_transaction', coin, tx_hex })).toHaveProperty('tx_hash');
    }
    const paid = await until(async () => {
      const found = await books();
      return Object.values(found).every((units) => units > 0n) ? found : null;
    });
    expect(paid).toEqual({
      'ATOM-IBC_IRIS': 1_200_000n,
      DOC: 121_000_000n,
      ETH: (ETHER * 122n) / 100n,
      IRIS: 1_230_000n,
      QTOK: 1_240_000n,
      QTUM: 125_000_000n,
      'USDC-ERC20': 1_260_000n,
    });
  }, 60_000);

  it('says after a restart what comes back by itself, and the rest comes back by the same requests', async () => {
    expect(await node.stop()).toBe(0);
    node = await start();
    const again = ['ETH', 'USDC-ERC20', 'IRIS', 'ATOM-IBC_IRIS'];
    expect(node.row).toMatchObject({ again, before: ['DOC', 'QTUM', 'QTOK'], lost: [] });
    await until(async () => ((await enabled()).length >= again.length ? true : null));
    expect(await enabled()).toEqual([...again].sort());
    const there = { error_type: 'PlatformIsAlreadyActivated' };
    const success = { result: 'success' };
    expect(await post(requests())).toMatchObject([success, there, there, success, success]);
    expect(await enabled()).toEqual(TICKERS);
  }, 60_000);

  it('takes orders between all of them', async () => {
    for (const [place, base] of TICKERS.entries()) {
      const rel = TICKERS[(place + 1) % TICKERS.length];
      const order = { method: 'setprice', base, rel, price: '2', volume: '0.5' };
      expect(await node.call(order), base).toMatchObject({ result: { base, rel } });
    }
    const { result } = await node.call({ method: 'my_orders' });
    expect(Object.keys((result as { readonly maker_orders: object }).maker_orders).length).toBe(TICKERS.length);
  }, 60_000);
});
