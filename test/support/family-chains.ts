import { addressText } from '../../src/chains/evm/address.ts';
import { accountOf as evmAccountOf } from '../../src/chains/evm/transaction.ts';
import { qtumAccount, qtumWalletAddress } from '../../src/htlc/index.ts';
import { tendermintAccount, tendermintAddress } from '../../src/htlc/tendermint-address.ts';
import { walletOfPassphrase } from '../../src/node/keys.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { Secret } from '../../src/primitives/secret.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { openElectrumServer } from '../../src/rpc/electrum/server.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { type CometChain, createCometChain } from '../../src/testing/cometbft/chain.ts';
import { createCometNode } from '../../src/testing/cometbft/node.ts';
import { listenCometNode } from '../../src/testing/cometbft/server.ts';
import { fencesOf } from '../docs/fences.ts';
import { CHAIN_ID, EvmTestChain } from './evm/adapter-chain.ts';
import { ETHER } from './evm/two-wallets.ts';
import { tokenOf } from './qtum/adapter-chain.ts';
import { QTUM_BLOCK_TIME, QTUM_MATURITY, QtumTestChain } from './qtum/chain.ts';
import { PASSWORD, passphraseOf, type ServedChain, type Serving, servedChain, until } from './serving.ts';

// A chain of every family behind what nodes of it answer on, for served nodes that do what the guide says.

const PAGE = 'docs/guides/run-a-trading-node.md';
export const FAMILY_TICKERS = ['ATOM-IBC_IRIS', 'DOC', 'ETH', 'IRIS', 'QTOK', 'QTUM', 'USDC-ERC20'] as const;
export type FamilyTicker = (typeof FAMILY_TICKERS)[number];
export const ASSET = 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2';
export const IRIS = { decimals: 6, denom: 'uiris', account_prefix: 'iaa', chain_id: 'irishub-1' };
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const WALLET = { pubtype: 120, p2shtype: 110, txfee: 400_000, mm2: 1, mature_confirmations: QTUM_MATURITY };
/** Of units of a token of 6 digits. */
const HAS = 7_654_321n;
/** Seconds from one block of Qtum to the next: a contract there is asked between two blocks. */
const QTUM_PACE = 4;
const now = () => Math.floor(Date.now() / 1000);

/** Whoever has the passphrase of a name. */
export type Holder = {
  readonly key: Uint8Array;
  readonly account: string;
  readonly evm: string;
  readonly addresses: Record<FamilyTicker, string>;
};

export async function holderOf(name: string): Promise<Holder> {
  const { key } = (await walletOfPassphrase(new Secret(passphraseOf(name)))).coins;
  const account = qtumAccount(key);
  const evm = evmAccountOf(key);
  const iris = tendermintAddress('iaa', tendermintAccount(key) ?? '');
  const qtum = qtumWalletAddress(account, { keyPrefix: WALLET.pubtype });
  const ether = addressText(evm);
  const addresses = { 'ATOM-IBC_IRIS': iris, IRIS: iris, ETH: ether, 'USDC-ERC20': ether, QTOK: qtum, QTUM: qtum };
  return { key, account, evm, addresses: { ...addresses, DOC: qtumWalletAddress(account, { keyPrefix: 60 }) } };
}

export type FamilyChains = {
  readonly doc: ServedChain;
  readonly evm: EvmTestChain;
  readonly comet: CometChain;
  readonly qtum: QtumTestChain;
  readonly tokens: Readonly<Record<'evm' | 'qtum', string>>;
  /** Of a coins file. */
  readonly entries: readonly JsonObject[];
  /** The requests of the guide that activate all coins, but for what names another host, a contract on it, and the password. */
  readonly requests: readonly JsonObject[];
  /** Gives some of each coin but DOC, which is mined for one alone. */
  readonly give: (holder: Holder) => Promise<void>;
  /** Activates all coins of a node by one batch. */
  readonly activate: (node: Serving) => Promise<void>;
  /** Sends what a node is asked as it is. */
  readonly post: (node: Serving, body: object) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

export type FamilyOptions = {
  /** For whom DOC is mined. */
  readonly miner: string;
  /** Arguments of anvil. @defaultValue none */
  readonly anvil?: readonly string[];
  /** Members of the request that activates ether. @defaultValue those of the guide */
  readonly ether?: JsonObject;
};

/** Starts a chain of each family; what mines by request does so each second. */
export async function familyChains(
  folder: string,
  { miner, anvil = [], ether = {} }: FamilyOptions,
): Promise<FamilyChains> {
  const doc = await servedChain(folder, { coin: 'DOC', passphrase: passphraseOf(miner), mineEveryMs: 500 });
  const evm = await EvmTestChain.start([...anvil]);
  await evm.mineAt(now());
  const erc20 = await evm.token({ decimals: 6 });
  const rules = { chainId: IRIS.chain_id, prefix: 'iaa', module: 'irismod', feeDenom: IRIS.denom } as const;
  const startTime = (now() - 60) as UnixSeconds;
  const comet = createCometChain({ ...rules, gasPrice: '0.2' as DecimalText, startTime, blockTime: 1 });
  const iris = await listenCometNode(createCometNode(comet), { sockets: false });
  const qtum = await QtumTestChain.start(now() - 60 * QTUM_BLOCK_TIME);
  const qrc20 = (await tokenOf(qtum, {})).token;
  /** A block of each chain that does not mine by itself, with the time of the host. */
  const mine = async (): Promise<void> => {
    comet.mine();
    // Each block there is a second later than the one before, and those of payments more: it waits for the host.
    if (evm.now < now()) await evm.mineAt(now());
    if (now() - qtum.now < QTUM_PACE) return;
    qtum.now = now() - QTUM_BLOCK_TIME;
    await qtum.mine();
  };
  await mine();
  const mining = setInterval(() => void mine(), 1000);
  const server = await openElectrumServer({
    ...{ client: qtum.client, clock: systemClock(), logger: QUIET, software: 'a test', tcp: 0 },
  });
  const ours: Readonly<Record<string, string>> = {
    'https://node.ethereum.example': evm.url,
    'https://node.iris.example': iris.url,
    'server.qtum.example:50001': `127.0.0.1:${server.tcpPort}`,
    '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80': addressText(evm.contract),
    '0x2f754733acd6d753731c00fee32cb484551cc15d': `0x${qtum.swapContract}`,
    'change me': PASSWORD,
  };
  const { text = '[]' } = fencesOf(PAGE).find((fence) => fence.text.includes('"task::enable_eth::init"')) ?? {};
  const guide = JSON.parse(
    Object.entries(ours).reduce((said, [theirs, own]) => said.replaceAll(theirs, own), text),
  ) as readonly JsonObject[];
  const requests = guide.map((request) =>
    request['method'] === 'task::enable_eth::init'
      ? { ...request, params: { ...(request['params'] as JsonObject), ...ether } }
      : request,
  );
  const tokens = { evm: erc20, qtum: qrc20 };
  return {
    ...{ doc, evm, comet, qtum, tokens, requests, post },
    entries: [doc.entry, ...entriesOf(tokens)],
    async give(holder) {
      await evm.mint(erc20, holder.evm, HAS);
      await evm.give(holder.evm, 3n * ETHER);
      comet.fund(
        holder.addresses.IRIS,
        [IRIS.denom, ASSET].map((denom) => ({ denom, amount: HAS })),
      );
      await qtum.fund(holder.key, { count: 3, value: 250_000_000n });
      await qtum.machine.apart(() => qtum.machine.evm.mint(qrc20, holder.account, HAS));
      await mine();
      // A chain whose clock is ahead of the host's takes time from a short swap.
      await until(async () => (evm.now <= now() ? true : null));
    },
    activate: (node) => activate(node, requests),
    async close() {
      clearInterval(mining);
      await server.close();
      await qtum.close();
      await iris.close();
      evm.stop();
      await doc.close();
    },
  };
}

function entriesOf(contracts: Readonly<Record<'evm' | 'qtum', string>>): readonly JsonObject[] {
  const token = (type: string, protocol_data: JsonObject) => ({ protocol: { type, protocol_data } });
  const ofIris = { platform: 'IRIS', decimals: 6, denom: ASSET };
  const usdc = { platform: 'ETH', contract_address: addressText(contracts.evm) };
  return [
    { coin: 'ETH', mm2: 1, ...token('ETH', { chain_id: CHAIN_ID }) },
    { coin: 'USDC-ERC20', mm2: 1, ...token('ERC20', usdc) },
    { coin: 'IRIS', mm2: 1, avg_blocktime: 1, ...token('TENDERMINT', IRIS) },
    { coin: 'ATOM-IBC_IRIS', mm2: 1, ...token('TENDERMINTTOKEN', ofIris) },
    { coin: 'QTUM', ...WALLET, dust: 72_800, required_confirmations: 1, protocol: { type: 'QTUM' } },
    { coin: 'QTOK', ...WALLET, ...token('QRC20', { platform: 'QTUM', contract_address: `0x${contracts.qtum}` }) },
  ];
}

async function post({ row }: Serving, body: object): Promise<unknown> {
  const { url } = row as { readonly url: string };
  return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json();
}

type Answer = { readonly result?: JsonObject | string; readonly error_type?: string };

/** Coins that came back by themselves are there already. */
async function activate(node: Serving, requests: readonly JsonObject[]): Promise<void> {
  const again = (node.row['again'] ?? []) as readonly string[];
  await until(async () => {
    const { result } = await node.call({ method: 'get_enabled_coins' });
    const enabled = (result as readonly { readonly ticker: string }[]).map(({ ticker }) => ticker);
    return again.every((ticker) => enabled.includes(ticker)) ? true : null;
  });
  const answers = (await post(node, requests)) as readonly Answer[];
  const [plain, task, assets, platform, token] = answers;
  const isGood = [plain, platform, token].every((answer) => answer?.result === 'success');
  const isThere = (answer: Answer | undefined): boolean => answer?.error_type === 'PlatformIsAlreadyActivated';
  if (!isGood || (assets?.result === undefined && !isThere(assets))) {
    throw new Error(`not all was activated: ${JSON.stringify(answers)}`);
  }
  if (isThere(task)) return;
  const { task_id = null } = (task?.result ?? {}) as JsonObject;
  const params = { task_id, forget_if_finished: false };
  const told = await until(async () => {
    const { result } = await node.call({ mmrpc: '2.0', method: 'task::enable_eth::status', params });
    const { status, details } = result as { readonly status: string; readonly details?: unknown };
    return status === 'InProgress' ? null : { status, details: JSON.stringify(details) };
  });
  const isOk = told.status === 'Ok' || told.details.includes('PlatformIsAlreadyActivated');
  if (!isOk) throw new Error(`ETH was not activated: ${told.details}`);
}
