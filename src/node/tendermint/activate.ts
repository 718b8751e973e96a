import { requestWithheld } from '../../../machines/activation/task/errors.ts';
import type { EnableTendermintDetails } from '../../events/enable-tendermint.ts';
import type { EnableTendermintRequest } from '../../events/enable-tendermint-request.ts';
import { RemoteWalletError } from '../../hardware/remote/asking.ts';
import { tendermintRemoteAccount } from '../../hardware/remote/tendermint-account.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Awaitable } from '../../ports/event-log.ts';
import type { Logger } from '../../ports/logger.ts';
import type { RemoteWallets } from '../../ports/remote-wallet.ts';
import type { WalletSigner } from '../../ports/signer.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { type JsonValue, numberText } from '../../primitives/json.ts';
import { PackageMissingError } from '../../primitives/optional-package.ts';
import type { Seconds } from '../../primitives/time.ts';
import { ActivationFailure } from '../activation-failure.ts';
import type { Births } from '../births.ts';
import { keyPathOf, type SignerOfPath } from '../coin-keys.ts';
import type { CoinsFile } from '../coins-file.ts';
import type { Compatibility } from '../compatibility.ts';
import { loadSwaps } from '../swap-keys.ts';
import { type Activated, type Making, WorkEnded } from '../tasks/activation-worker.ts';
import type { PlatformCoins } from '../tasks/platform-coins.ts';
import { TaskFailure } from '../tasks/task-failure.ts';
import { tendermintAdapter } from './adapter-module.ts';
import { creationFailure, TendermintFailure } from './failure.ts';
import type { TendermintFamily } from './family.ts';
import type { KeyPlace, TendermintHomes } from './homes.ts';
import { watchingSigner } from './key-elsewhere.ts';
import { type OpenedTendermint, openTendermint } from './open.ts';
import { type CoinOfChain, orderOf, type TendermintOrder } from './order.ts';

export type TendermintActivating = {
  readonly coins: CoinsFile;
  readonly active: PlatformCoins;
  readonly births: Births;
  readonly homes: TendermintHomes;
  readonly signer: WalletSigner;
  readonly signerOfPath: SignerOfPath | undefined;
  /** Wallets elsewhere; null where the node knows of none. */
  readonly remote: RemoteWallets | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly poll: Seconds;
  readonly compatibility: Compatibility;
  /** Confirmations where neither the request nor the coins file says. */
  readonly usualConfirmations: number;
};

type Work = Making<TendermintFamily>;
type Asked = { readonly request: EnableTendermintRequest; readonly making: Work };

/**
 * Activates a coin of a Tendermint chain with assets (specification §4.10), either all or none, in the order of the real node: what can be told without
 * asking anyone, then the last block, then the balances.
 *
 * @throws TaskFailure; WorkEnded; what the log throws
 */
export async function activateTendermint(
  making: Work,
  activating: TendermintActivating,
): Promise<Activated<EnableTendermintDetails>> {
  const { resumes } = making.context;
  const asked = requestOf(making);
  const { coins, logger, compatibility, active } = activating;
  const held = asked.tokens_params.filter(({ ticker }) => !active.isGone(ticker, making.context));
  // What was in use in an earlier process: an asset that the coins file lacks now keeps the others of its chain from nothing.
  const there = resumes ? held.filter(({ ticker }) => coins.entryOf(ticker) !== undefined) : held;
  const lacking = held.filter((token) => !there.includes(token)).map(({ ticker }) => ticker);
  if (lacking.length > 0) logger.warn('the coins file lacks tokens that were in use', { tokens: lacking.join(', ') });
  const request = { ...asked, tokens_params: there };
  try {
    return await activated({ request, making }, activating);
  } catch (error) {
    const told = toldFailure(error, { ticker: request.ticker, compatibility });
    // What was in use in an earlier process waits for one that has what this one lacks: its nodes, its entry, its key, a package.
    throw resumes && told instanceof TaskFailure ? new TaskFailure(told.task, { passing: true }) : told;
  }
}

/**
 * A log holds members under the names and in the forms of a request. It may have taken the beginning of a task although it failed to say so: then this
 * process has no more than the log.
 *
 * @throws TaskFailure where that lacks something
 */
function requestOf({ session, context: { started } }: Work): EnableTendermintRequest {
  if (started === null) throw new WorkEnded();
  const whole = session.request?.reveal();
  if (whole === undefined && started.withheld.length > 0)
    throw new TaskFailure(requestWithheld(started.withheld, 'enable_tendermint'));
  return whole ?? started.params;
}

async function activated(
  { request, making }: Asked,
  activating: TendermintActivating,
): Promise<Activated<EnableTendermintDetails>> {
  const { active, compatibility } = activating;
  const { ticker } = request;
  const order = orderOf({
    ...{ params: request, coins: activating.coins, compatibility, passive: making.passive },
    isKept: (asset) => active.kept(asset.ticker, { platform: ticker, contract: asset.denom }) !== undefined,
  });
  const all = [order.platform, ...order.assets];
  const twice = all.find((coin, place) => all.findIndex((other) => other.ticker === coin.ticker) < place);
  if (twice !== undefined) throw creationFailure(ticker, `the request names ${twice.ticker} twice`);
  const added = (order.passive ? order.assets : all).filter(({ kept }) => !kept);
  const place = active.reserve(
    ticker,
    added.map((coin) => coin.ticker),
  );
  const { signal } = making.run;
  let opened: OpenedTendermint | null = null;
  const letGo = (): void => {
    for (const coin of opened?.coins ?? []) coin.close();
    opened?.leave();
  };
  try {
    opened = await open({ request, making }, { order, added, activating });
    // Ending the work ends its open questions to nodes.
    signal.addEventListener('abort', letGo, { once: true });
    if (signal.aborted) throw new WorkEnded();
    requireOneAccount(ticker, opened.address, active);
    const details = await lookAt(opened, { order, request, making, compatibility });
    const { coins } = opened;
    const close = (): void => {
      for (const coin of coins) coin.close();
      place?.release();
    };
    const contracts = Object.fromEntries(order.assets.map((asset) => [asset.ticker, asset.denom]));
    return { platform: { coins, close, tokens: order.assets.map((asset) => asset.ticker), contracts }, details };
  } catch (error) {
    letGo();
    place?.release();
    throw error;
  } finally {
    signal.removeEventListener('abort', letGo);
    opened?.leave();
  }
}

/** Fees of assets are paid from the account of their chain's own coin. @throws TendermintFailure for another account than that of what is active */
function requireOneAccount(ticker: string, address: string, active: PlatformCoins): void {
  const other = active.together(ticker).find((coin) => coin.address !== address);
  if (other === undefined) return;
  const text = `${other.ticker} is active for the account ${other.address}, but this is ${address}; disable ${other.ticker} first`;
  throw creationFailure(ticker, text);
}

type Opening = {
  readonly order: TendermintOrder;
  readonly added: readonly CoinOfChain[];
  readonly activating: TendermintActivating;
};

async function open({ request, making }: Asked, { order, added, activating }: Opening): Promise<OpenedTendermint> {
  const { births, clock, poll, homes } = activating;
  const adapter = await tendermintAdapter();
  const { signer, keyPlace, byPath } = await keyOf({ request, making }, { order, added, activating });
  const signs = keyPlace !== 'watched';
  for (const { ticker } of added) await loadSwaps(ticker, { births, signer, byPath, signs });
  if (making.run.signal.aborted) throw new WorkEnded();
  return openTendermint(
    {
      ...{ clock, poll, adapter, homes, signer, keyPlace },
      confirmationsOf: (coin) => requiredConfirmations(coin, { platform: order.platform, activating }),
      isWalletOnly: (coin) => isForWallet(coin, { request, compatibility: activating.compatibility }),
    },
    order,
  );
}

type Key = { readonly signer: WalletSigner; readonly keyPlace: KeyPlace; readonly byPath: boolean };

async function keyOf(
  { request, making }: Asked,
  { order: { owner, platform, chainId, prefix }, activating }: Opening,
): Promise<Key> {
  const { signerOfPath, remote, clock } = activating;
  const { signal } = making.run;
  if (owner.kind === 'watched') return { signer: watchingSigner(owner.key), keyPlace: 'watched', byPath: false };
  if (owner.kind === 'session') {
    const session = remote === null ? null : await orEnded(remote.session(owner.topic), signal);
    const signer = await tendermintRemoteAccount({ session, chainId, prefix, clock, signal });
    return { signer: { coins: signer, ofSwap: () => signer }, keyPlace: 'remote', byPath: true };
  }
  if (signerOfPath === undefined) return { signer: activating.signer, keyPlace: 'here', byPath: false };
  const { path_to_address: path = null } = request;
  const keyPath = keyPathOf(platform.entry, { path_to_address: path as JsonValue });
  return { signer: await orEnded(signerOfPath(keyPath), signal), keyPlace: 'here', byPath: true };
}

/** A node that does not answer, and ignores the end, does not hold up ended work. @throws WorkEnded */
function orEnded<T>(asked: Awaitable<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new WorkEnded());
    signal.addEventListener('abort', ended, { once: true });
    if (signal.aborted) ended();
    Promise.resolve(asked)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', ended));
  });
}

type Confirming = { readonly platform: CoinOfChain; readonly activating: TendermintActivating };

/**
 * By the request, else the coins file, else the platform; at least one: a payment of the other side that is in no block yet has no end of its lock. The
 * real node looks at no request, and at no platform.
 */
function requiredConfirmations(coin: CoinOfChain, { platform, activating }: Confirming): number {
  const { usualConfirmations: usual, compatibility } = activating;
  const ofPlatform = compatibility === 'kdf' ? null : saidOf(platform);
  return Math.max(1, saidOf(coin) ?? ofPlatform ?? usual);
}

function saidOf({ entry, asked }: CoinOfChain): number | null {
  if (asked !== null) return Number(asked);
  const configured = Number(numberText(entry['required_confirmations'] ?? null) ?? Number.NaN);
  return Number.isSafeInteger(configured) ? configured : null;
}

type ForWallet = { readonly request: EnableTendermintRequest; readonly compatibility: Compatibility };

function isForWallet({ entry }: CoinOfChain, { request, compatibility }: ForWallet): boolean {
  if (entry['wallet_only'] === true) return true;
  const mm2 = request.mm2 ?? entry['mm2'] ?? null;
  return compatibility === 'specification' && mm2 !== null && String(mm2) === '0';
}

type Looking = Asked & { readonly order: TendermintOrder; readonly compatibility: Compatibility };

/** The real node tells no steps. */
async function lookAt(
  { address, block, balances }: OpenedTendermint,
  { order, request, making, compatibility }: Looking,
): Promise<EnableTendermintDetails> {
  const { ticker } = order.platform;
  const tell = async (type: 'RequestingWalletBalance' | 'Finishing'): Promise<void> => {
    if (compatibility === 'kdf') return;
    if (!(await making.run.report((at) => ({ type, at, data: null })))) throw new WorkEnded();
  };
  const silent = (error: unknown): never => {
    throw error instanceof BackendSilent ? silence(ticker, error.message, compatibility) : error;
  };
  const head = { ticker, address, current_block: await block().catch(silent) };
  if (request.get_balances === false) {
    await tell('Finishing');
    return { ...head, tokens_tickers: order.assets.map((asset) => asset.ticker) };
  }
  await tell('RequestingWalletBalance');
  const { [ticker]: own, ...tokens } = await balances().catch(silent);
  await tell('Finishing');
  return { ...head, ...(own === undefined ? {} : { balance: { ...own } }), tokens_balances: copied(tokens) };
}

function copied<T extends object>(members: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, { ...member }]));
}

/** The specification has a name of its own for it; the real node tells it as a coin that was not made. */
function silence(ticker: string, why: string, compatibility: Compatibility): TendermintFailure {
  const text = 'All the current rpc nodes are unavailable.';
  const passing = { passing: true };
  if (compatibility === 'kdf') return creationFailure(ticker, text, passing);
  return new TendermintFailure('Transport', `${text} ${why}`, passing);
}

type Telling = { readonly ticker: string; readonly compatibility: Compatibility };

/** What to report about a failure; anything that did not come from outside unchanged. */
export function toldFailure(error: unknown, { ticker, compatibility }: Telling): unknown {
  if (error instanceof RemoteWalletError)
    return creationFailure(ticker, `Unable to fetch account for chain: ${error.message}`);
  if (error instanceof ActivationFailure) {
    // Another activation of it may fail.
    const how = { passing: error.kind === 'alreadyActive' || error.kind === 'underWay' };
    if (how.passing && error.message.startsWith(`Coin ${ticker} `)) {
      const told = new TendermintFailure('PlatformIsAlreadyActivated', ticker, how);
      const isNamed = error.kind === 'underWay' && compatibility !== 'kdf';
      return isNamed ? new TaskFailure({ ...told.task, error: error.message }, how) : told;
    }
    return creationFailure(ticker, error.message, how);
  }
  if (!(error instanceof PackageMissingError)) return error;
  return new TendermintFailure(compatibility === 'kdf' ? 'Internal' : 'InternalError', error.message);
}
