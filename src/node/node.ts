import { createNftProvider } from '../chains/evm/nft/provider.ts';
import { connectDaemon, type DaemonAccess, type DaemonClient } from '../chains/utxo/daemon/client.ts';
import type { ConnectionOptions, ElectrumConnection } from '../chains/utxo/electrum/connection.ts';
import { defaultTaskLimits } from '../events/enable-eth.ts';
import type { EnableTendermintDetails } from '../events/enable-tendermint.ts';
import type { EnableTendermintRequest } from '../events/enable-tendermint-request.ts';
import { KDF_NETWORK, type NetworkProfile } from '../htlc/network-profile.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { EvmActivator } from '../ports/evm-activator.ts';
import type { HardwareWallet } from '../ports/hardware-wallet.ts';
import type { Logger } from '../ports/logger.ts';
import type { NftProvider } from '../ports/nft-provider.ts';
import type { Orders } from '../ports/orders.ts';
import type { Peers } from '../ports/peers.ts';
import type { RemoteWallets } from '../ports/remote-wallet.ts';
import type { WalletSigner } from '../ports/signer.ts';
import type { JsonObject } from '../primitives/json.ts';
import type { Seconds } from '../primitives/time.ts';
import type { Metrics } from '../runtime/host/metrics.ts';
import { systemRandom } from '../runtime/host/random-system.ts';
import type { DrivableKind } from '../runtime/loop/drivable.ts';
import { swapKind } from '../runtime/loop/swap-kind.ts';
import type { Drained } from '../runtime/operate/drain.ts';
import type { Resumed } from '../runtime/operate/resume.ts';
import { createRuntime, type Runtime } from '../runtime/operate/supervisor.ts';
import { DEFAULT_RUNTIME_POLICY, type RuntimePolicy } from '../runtime/runtime-policy.ts';
import { watcherKind } from '../runtime/watcher/kind.ts';
import { enableCoin } from './activate-legacy.ts';
import { Activations } from './activations/activations.ts';
import type { Activation } from './activations/events.ts';
import type { ActiveCoin } from './active-coin.ts';
import { awaitedOn } from './awaited-coins.ts';
import { Births } from './births.ts';
import type { SignerOfPath } from './coin-keys.ts';
import { CoinTable } from './coin-table.ts';
import type { CoinsFile } from './coins-file.ts';
import type { Compatibility } from './compatibility.ts';
import { type Disabled, disableCoin } from './disable-coin.ts';
import { createEvmActivator } from './evm/activator.ts';
import { EvmHomes } from './evm/homes.ts';
import type { EvmParts } from './evm/parts.ts';
import { DeviceKeys } from './evm/wallets/account-keys.ts';
import type { WalletParts } from './evm/wallets/choose.ts';
import { ordersOf } from './node-orders.ts';
import type { NodeOrders } from './orders/orders.ts';
import { SharedCoins } from './qrc20/shared-coins.ts';
import { unreadMembers, walletOnlyReason } from './request-members.ts';
import { coinsNeeded } from './running-swaps.ts';
import type { AfterRestart } from './tasks/after-restart.ts';
import { createEthTasks, type EthTasks } from './tasks/eth-tasks.ts';
import { PlatformCoins } from './tasks/platform-coins.ts';
import type { CoinTasks } from './tasks/platform-tasks.ts';
import { TaskIds } from './tasks/task-ids.ts';
import { TendermintHomes } from './tendermint/homes.ts';
import { createTendermintTasks, enableAtOnce, type TendermintTasks } from './tendermint/tasks.ts';

export type { Compatibility };

export type NodeOptions = {
  readonly coins: CoinsFile;
  /** Of the node itself, by whose key others know it, and of its coins where {@link NodeOptions.signerOfPath} is absent. */
  readonly signer: WalletSigner;
  /** Keys of coins by their derivation path: each coin has one of its own then. @defaultValue all have that of `signer` */
  readonly signerOfPath?: SignerOfPath;
  /** The extended public key of an account, by its path, where coins have keys of their own. @defaultValue coins of EVM chains have the one address of their path */
  readonly xpubAt?: (path: string) => string;
  /** A hardware wallet, for requests that need it. @defaultValue there is none */
  readonly device?: NodeDevice;
  /** Wallets elsewhere, for requests that name a session with one. @defaultValue there is no session */
  readonly remoteWallets?: RemoteWallets;
  /** Holds the swaps; the node alone writes to it, and closes it. */
  readonly log: EventLog;
  /** How other nodes are spoken to. */
  readonly peers: Peers;
  /** How other nodes are found to swap with. @defaultValue none is */
  readonly orders?: Orders;
  readonly clock: Clock;
  /** Source of makers' secrets. @defaultValue that of the platform */
  readonly random?: Random;
  /** @defaultValue nobody is told */
  readonly logger?: Logger;
  /** @defaultValue nothing is counted */
  readonly metrics?: Metrics;
  /** Texts that are never shown. @defaultValue none */
  readonly hide?: readonly string[];
  /** Timings and bounds of swaps, where they are not the usual ones. */
  readonly policy?: Partial<RuntimePolicy>;
  /** Which streams are driven, and how. @defaultValue both roles' swaps */
  readonly kinds?: readonly DrivableKind[];
  /** Whether it claims and refunds for takers of other nodes who are away, beside the usual kinds. @defaultValue false */
  readonly watches?: boolean;
  /** As a watcher, whether it acts too where a payment's reward does not pay for the gas of its call. @defaultValue false */
  readonly watchesUnpaid?: boolean;
  /** Whether watchers learn of the own swaps, if both coins permit it, and are paid by what a payment promises. @defaultValue true */
  readonly useWatchers?: boolean;
  /** @defaultValue the network of KDF */
  readonly network?: NetworkProfile;
  /** @defaultValue 'specification' */
  readonly compatibility?: Compatibility;
  /**
   * Whether coins of accounts are activated with the contracts of the second trading protocol, which requests must name then. Swaps are made by the
   * first protocol either way. @defaultValue false
   */
  readonly tradingProtoV2?: boolean;
  /** Depth from which a spend counts as final. @defaultValue 3 */
  readonly finality?: number;
  /** Between two looks for news of a chain. @defaultValue 10 */
  readonly poll?: Seconds;
  /** How the daemons of coins are asked. @defaultValue by JSON-RPC over HTTP */
  readonly connect?: (access: DaemonAccess) => DaemonClient;
  /** How Electrum servers are connected to. @defaultValue over TCP or TLS */
  readonly connectServer?: (options: ConnectionOptions) => Promise<ElectrumConnection>;
  /** The provider of collectibles. @defaultValue the provider that a request names, over HTTP */
  readonly nfts?: NftProvider;
  /** How coins of EVM chains are activated. @defaultValue over their nodes, by viem, which is loaded when it is first needed */
  readonly evm?: EvmActivator;
};

export type NodeDevice = {
  readonly wallet: HardwareWallet;
  /** Only this device under this passphrase will do: 40 hex digits. @defaultValue whichever is plugged in first */
  readonly key?: string;
};

/** What the rooms of a node share. */
export type NodeParts = {
  readonly coins: CoinTable;
  readonly coinsFile: CoinsFile;
  readonly runtime: Runtime;
  readonly orders: NodeOrders;
  /** Tasks that activate coins of EVM chains, and the coins that are active by them. */
  readonly ethTasks: EthTasks;
  /** The same of Tendermint chains. */
  readonly tendermintTasks: TendermintTasks;
  /** What coins of EVM chains are opened with, whatever asks for them. */
  readonly evm: EvmParts;
  readonly births: Births;
  readonly log: EventLog;
  readonly peers: Peers;
  readonly signer: WalletSigner;
  readonly clock: Clock;
  readonly network: NetworkProfile;
  readonly compatibility: Compatibility;
};

/**
 * A trading node: its coins, its orders and its swaps.
 *
 * - J6: no coin is active before the unfinished swaps of the log are loaded, and what they have signed is reserved before anything else spends
 *   from the coin's wallet.
 * - J7: a coin that swaps use is not taken out.
 */
export type TradingNode = NodeParts & {
  /**
   * Loads the unfinished swaps, which go on as their coins are activated. Whatever needs it calls it first; repeated calls give the same answer.
   *
   * @throws RuntimeError LOG_UNAVAILABLE, RUNTIME_DRAINING
   */
  readonly start: () => Promise<Resumed>;
  /** Activates a coin over its own daemon, or over the nodes of its EVM chain, by a legacy request (specification §4.5). @throws ActivationFailure */
  readonly enable: (request: JsonObject) => Promise<ActiveCoin>;
  /** The same over Electrum servers (specification §4.4). @throws ActivationFailure */
  readonly electrum: (request: JsonObject) => Promise<ActiveCoin>;
  /** Activates a coin of a Tendermint chain with assets (specification §4.10), all or none. @throws TaskFailure */
  readonly enableTendermint: (params: EnableTendermintRequest) => Promise<EnableTendermintDetails>;
  /**
   * Takes a coin out with its orders; undefined when it is not active. One with active tokens becomes passive, unless it is forced out with them.
   *
   * @throws CoinInUse while a swap with it, or with one of its tokens, runs
   */
  readonly disable: (ticker: string, options?: { readonly force?: boolean }) => Promise<Disabled | undefined>;
  /** Tickers that unfinished swaps wait for, in alphabetical order. */
  readonly coinsNeeded: () => Promise<readonly string[]>;
  /** What was active when the node was last ended and has not been activated since. Known once the node was started. */
  readonly activeBefore: () => readonly Activation[];
  /** What becomes of the coins that tasks had in use when the node was last ended. Known once the node was started. */
  readonly afterRestart: () => AfterRestart;
  /** Lets what is in progress end, at most 30 s, then closes the log and lets go of all coins. Repeated calls give the same answer. */
  readonly close: () => Promise<Drained>;
};

/** Both roles' swaps, and those of others. */
function watching(unpaid: boolean): readonly DrivableKind[] {
  return [swapKind('taker'), swapKind('maker'), watcherKind({ unpaid })];
}

/** Confirmations of a payment where neither request nor coins file says (specification §4.4; the real node has 1). */
const USUAL_CONFIRMATIONS: Readonly<Record<Compatibility, number>> = { specification: 3, kdf: 1 };
const FINALITY = 3;
const POLL = 10;

/**
 * Wires a node. Nothing is read or asked before {@link TradingNode.start}, or whatever comes first.
 *
 * @example
 * ```ts
 * import { millisOf, Secret } from 'swapfold';
 * import { bytesToHex } from 'swapfold/htlc';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { coinsOf, createNode, walletOfPassphrase } from 'swapfold/node';
 * import { createInProcessNetwork } from 'swapfold/peers/in-process';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const signer = walletOfPassphrase(new Secret('a phrase that no one else knows'));
 * const peers = createInProcessNetwork().peer(bytesToHex(signer.coins.key.subarray(1)));
 * const coins = coinsOf([{ coin: 'KMD', protocol: { type: 'UTXO' } }], 'these coins');
 * const node = createNode({ coins, signer, log: createMemoryLog(), peers, clock });
 * (await node.start()).resumed; // → 0
 * node.coins.active(); // → []
 * await node.enable({ coin: 'LTC', mm2: 1 }); // throws ActivationFailure
 * await node.close();
 * ```
 */
export function createNode(options: NodeOptions): TradingNode {
  const activations = activationsOf(options);
  const parts = partsOf(options, activations);
  const { coins, runtime, orders, tendermintTasks } = parts;
  const families = [parts.ethTasks, tendermintTasks];
  const activate = activation(options, parts, { activations, ready: () => start() });
  let opened: Promise<void> | null = null;
  let closed: Promise<Drained> | null = null;

  const shutDown = async (): Promise<Drained> => {
    activations.close();
    // Swaps are left in order whatever an order or a task does.
    const swaps = orders.close().then(
      () => runtime.drain(),
      async (error: unknown) => {
        await runtime.drain();
        throw error;
      },
    );
    const [drained] = await Promise.allSettled([swaps, ...families.map((tasks) => tasks.close())]);
    coins.close();
    for (const { active } of families) active.finish();
    if (drained.status === 'rejected') throw drained.reason;
    return drained.value;
  };
  const start = async (): Promise<Resumed> => {
    const resumed = await runtime.resumeAll();
    opened ??= activations
      .open()
      .then(() => orders.open())
      .then(() => openAll(families));
    try {
      await opened;
    } catch (error) {
      opened = null;
      throw error;
    }
    return resumed;
  };
  return {
    ...parts,
    start,
    enable: (request) => activate('enable', request),
    electrum: (request) => activate('electrum', request),
    enableTendermint: async (params) => {
      await start();
      return enableAtOnce(tendermintTasks, { params, compatibility: parts.compatibility });
    },
    disable: (ticker, { force = false } = {}) =>
      disableCoin({ coins, runtime, orders, families, activations }, { ticker, force }),
    activeBefore: () => activations.before(),
    afterRestart: () => lostNotBefore(families, activations.before()),
    coinsNeeded: () => coinsNeeded(runtime, (ticker) => coins.get(ticker) !== undefined),
    close() {
      closed ??= shutDown();
      return closed;
    },
  };
}

/** What was active later by a request of another kind is told as that. */
function lostNotBefore(families: readonly CoinTasks[], before: readonly Activation[]): AfterRestart {
  const all = families.map((tasks) => tasks.afterRestart());
  const lost = all.flatMap((each) => each.lost).filter(({ ticker }) => !before.some(({ coin }) => coin === ticker));
  return { again: all.flatMap(({ again }) => again), lost };
}

/** One after another, so that each knows the ids of those before. */
async function openAll(families: readonly CoinTasks[]): Promise<void> {
  for (const tasks of families) await tasks.open();
}

function activationsOf({ log, clock, random = systemRandom, logger = QUIET, hide = [] }: NodeOptions): Activations {
  return new Activations({ log, clock, random, logger, hide });
}

const QUIET: Logger = { info() {}, warn() {}, error() {} };

function partsOf(options: NodeOptions, activations: Activations): NodeParts {
  const { log, peers, signer, clock, network = KDF_NETWORK, compatibility = 'specification', policy } = options;
  const { random, logger, metrics, hide, useWatchers, watches = false, watchesUnpaid = false } = options;
  const kinds = options.kinds ?? (watches ? watching(watchesUnpaid) : undefined);
  const given = { random, logger, metrics, hide, policy, kinds };
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const runtime = createRuntime({ log, peers, clock, network, chains: [], ...named });
  const guardFor = policy?.guardFor ?? DEFAULT_RUNTIME_POLICY.guardFor;
  const births = new Births({ log, now: () => clock.now(), guardFor });
  const coins = new CoinTable({
    compatibility,
    onActive: (coin) => runtime.addChain(activations.tapped(coin)),
    onGone: ({ ticker }) => runtime.removeChain(ticker),
  });
  const shared = { coins, runtime, log, signer, clock, network };
  const paymentLocktime = policy?.paymentLocktime;
  const orders = ordersOf({ ...shared, random, logger, orders: options.orders, paymentLocktime, useWatchers });
  const isActive = (ticker: string): boolean => coins.get(ticker) !== undefined;
  const awaiting = { runtime, coins: options.coins, isActive };
  const evm = { ...evmPartsOf(options, births), awaitedOn: (chainId: number) => awaitedOn(chainId, awaiting) };
  const ids = new TaskIds();
  const ethTasks = ethTasksOf(options, { table: coins, ids, activator: evmActivatorOf(options, evm) });
  const tendermintTasks = tendermintTasksOf(options, { table: coins, ids, births });
  const tasks = { ethTasks, tendermintTasks };
  return { ...shared, coinsFile: options.coins, orders, ...tasks, evm, births, peers, compatibility };
}

type EvmWay = { readonly table: CoinTable; readonly ids: TaskIds; readonly activator: EvmActivator };

function ethTasksOf(options: NodeOptions, { table, ids, activator }: EvmWay): EthTasks {
  const { coins, log, clock, logger = QUIET, hide = [], compatibility = 'specification' } = options;
  const active = new PlatformCoins(table);
  return createEthTasks({
    ...{ coins, active, ids, log, clock, logger, hide, compatibility, tradingProtoV2: options.tradingProtoV2 === true },
    activator: options.evm ?? activator,
  });
}

type TendermintWay = Pick<EvmWay, 'table' | 'ids'> & { readonly births: Births };

function tendermintTasksOf(options: NodeOptions, { table, ids, births }: TendermintWay): TendermintTasks {
  const { coins, log, clock, signer, signerOfPath, logger = QUIET, hide = [], poll = POLL } = options;
  const { compatibility = 'specification', remoteWallets: remote = null } = options;
  return createTendermintTasks({
    ...{ coins, log, clock, logger, hide, poll, compatibility, ids, births, signer, signerOfPath, remote },
    ...{ active: new PlatformCoins(table), homes: new TendermintHomes(clock, logger) },
    usualConfirmations: USUAL_CONFIRMATIONS[compatibility],
  });
}

function evmPartsOf(options: NodeOptions, births: Births): EvmParts {
  const { clock, random = systemRandom, logger = QUIET, finality = FINALITY, poll = POLL } = options;
  return { ...{ clock, random, logger, finality, poll, births }, homes: new EvmHomes(clock, logger) };
}

function evmActivatorOf(options: NodeOptions, parts: EvmParts): EvmActivator {
  const { compatibility = 'specification' } = options;
  return createEvmActivator({
    ...parts,
    ...walletParts(options, compatibility),
    nfts: options.nfts ?? createNftProvider(),
    usualConfirmations: USUAL_CONFIRMATIONS[compatibility],
  });
}

function walletParts(options: NodeOptions, compatibility: Compatibility): WalletParts {
  const { signer, signerOfPath, xpubAt, device, remoteWallets = null, log, clock, random = systemRandom } = options;
  const paths = signerOfPath === undefined ? null : { signerOf: signerOfPath, xpubAt: xpubAt ?? null };
  // The real node's method never waits for a device to be plugged in.
  const waitMs = compatibility === 'kdf' ? 0 : defaultTaskLimits.device_connect * 1000;
  const keys = device === undefined ? null : new DeviceKeys({ device: device.wallet, key: device.key, waitMs });
  return { ...{ signer, paths, log, clock, random, compatibility }, device: keys, remote: remoteWallets };
}

type Activate = (method: 'enable' | 'electrum', request: JsonObject) => Promise<ActiveCoin>;

type Ready = { readonly activations: Activations; readonly ready: () => Promise<unknown> };

function activation(options: NodeOptions, parts: NodeParts, { activations, ready }: Ready): Activate {
  const { finality = FINALITY, poll = POLL, connect = connectDaemon, connectServer, logger } = options;
  const sharedCoins = new SharedCoins();
  const { coins: table, births, evm, signer, clock, network, compatibility } = parts;
  const terms = {
    signer,
    clock,
    network,
    finality,
    poll,
    births,
    evm,
    compatibility,
    connect,
    connectServer,
    logger,
    sharedCoins,
  };
  const { signerOfPath, tradingProtoV2 = false } = options;
  const usualConfirmations = USUAL_CONFIRMATIONS[compatibility];
  const heedsMm2 = compatibility === 'specification';
  return async (method, request) => {
    await ready();
    const record: Activations['run'] = (asked, create) => activations.run(asked, create);
    tellUnread(request, { compatibility, logger });
    const coin = await enableCoin({
      ...{ coins: options.coins, table, record, usualConfirmations, heedsMm2, request, method },
      terms: { ...terms, signerOfPath, tradingProtoV2 },
    });
    if (coin.walletOnly) {
      const reason = walletOnlyReason({ request, entry: options.coins.entryOf(coin.ticker) ?? {} });
      logger?.warn('a coin is active for its wallet only, not for swaps', { coin: coin.ticker, reason });
    }
    return coin;
  };
}

type Telling = { readonly compatibility: Compatibility; readonly logger: Logger | undefined };

/** Nothing else would reveal a misspelt optional member. The real node says nothing. */
function tellUnread(request: JsonObject, { compatibility, logger }: Telling): void {
  const unread = compatibility === 'kdf' ? [] : unreadMembers(request);
  const coin = String(request['coin']).slice(0, 40);
  if (unread.length > 0) logger?.warn('members of an activation were ignored', { coin, members: unread.join(', ') });
}
