import { CoinEntryError } from '../chains/entry-reader.ts';
import { createUtxoChain, type UtxoChain } from '../chains/utxo/adapter.ts';
import { addressScript, keyAddress } from '../chains/utxo/address.ts';
import { readUtxoEntry, type UtxoEntry } from '../chains/utxo/coin-entry.ts';
import type { DaemonAccess, DaemonClient } from '../chains/utxo/daemon/client.ts';
import type { OwnAddress } from '../chains/utxo/daemon/own-coins.ts';
import { createDaemonReader } from '../chains/utxo/daemon/reader.ts';
import { createElectrumReader } from '../chains/utxo/electrum/reader.ts';
import { type ElectrumServers, keepServers, type ServersOptions } from '../chains/utxo/electrum/servers.ts';
import type { UtxoReader } from '../chains/utxo/reader.ts';
import { ownScripts } from '../chains/utxo/sign-coins.ts';
import type { NetworkProfile } from '../htlc/network-profile.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { WalletSigner } from '../ports/signer.ts';
import { BackendSilent } from '../ports/silence.ts';
import type { JsonObject } from '../primitives/json.ts';
import type { Seconds } from '../primitives/time.ts';
import { ActivationFailure } from './activation-failure.ts';
import type { ActiveCoin } from './active-coin.ts';
import { type Births, FROM_THE_TIP } from './births.ts';
import type { SignerOfPath } from './coin-keys.ts';
import { daemonOf } from './daemon-conf.ts';
import type { ServersRequest } from './electrum-request.ts';
import { endingClock } from './ending-clock.ts';
import { keepMerging, type Merging } from './merging.ts';
import { type AddressStyle, protocolInfoOf, supportsProtocol } from './orders/protocol-info.ts';
import { qtumConversion } from './qrc20/convert.ts';
import type { SharedCoins } from './qrc20/shared-coins.ts';
import { loadSwaps } from './swap-keys.ts';
import { utxoWallet } from './utxo-wallet.ts';
import { voicesOf } from './voices.ts';

/** What a coin of outputs is activated with beside its entry. */
export type UtxoTerms = {
  /** Of the coin, or of all where there is no other. */
  readonly signer: WalletSigner;
  /** Where each coin has keys of its own. */
  readonly signerOfPath: SignerOfPath | undefined;
  readonly clock: Clock;
  readonly network: NetworkProfile;
  /** As the request says; null where the entry decides. */
  readonly requiredConfirmations: number | null;
  readonly requiresNotarization: boolean | null;
  /** Where neither says. */
  readonly usualConfirmations: number;
  /** Whether nobody may trade it, whatever the entry says. */
  readonly walletOnly: boolean;
  /** Depth from which a spend counts as final. */
  readonly finality: number;
  /** Between two looks for news. */
  readonly poll: Seconds;
  /** From which block on the swaps of the node need the chain. */
  readonly births: Births;
  /** How the coins of its address are made one; null where they are not. */
  readonly merging: Merging | null;
  /** How daemons are asked. */
  readonly connect: (access: DaemonAccess) => DaemonClient;
  /** How servers are connected to. @defaultValue over TCP or TLS */
  readonly connectServer: ServersOptions['connect'] | undefined;
  /** Told of servers that are not believed. @defaultValue nobody */
  readonly logger: Logger | undefined;
  /** Where coins of a chain are spent by its tokens too. */
  readonly sharedCoins: SharedCoins;
};

/**
 * A coin of outputs over its own daemon, which is asked for the balance before the coin counts as active.
 *
 * @throws ActivationFailure entryInvalid, daemonConf or daemonUnreachable
 */
export async function activateOverDaemon(entry: JsonObject, terms: UtxoTerms): Promise<ActiveCoin> {
  const read = entryOf(entry, terms);
  const { coin } = read;
  const client = terms.connect(await daemonOf(entry));
  const own = ownAddress(read, terms);
  const { decimals, medianBlocks } = coin;
  const reader = createDaemonReader({ client, birth: null, own, decimals, medianBlocks });
  await loadSwaps(coin.coin, { ...terms, byPath: terms.signerOfPath !== undefined });
  const active = activeCoin({ ...read, reader, own }, terms);
  const failure = await firstLook(active, { reader, own, over: 'daemon' }, terms);
  if (failure !== null) throw new ActivationFailure('daemonUnreachable', failure);
  return merged(active, terms);
}

/**
 * A coin of outputs over Electrum servers, which are asked for the balance before the coin counts as active. They are connected to one after
 * another; that the best one answers is enough.
 *
 * @throws ActivationFailure entryInvalid or serversUnreachable
 */
export async function activateOverServers(
  entry: JsonObject,
  { servers, minConnected, maxConnected, ...terms }: UtxoTerms & ServersRequest,
): Promise<ActiveCoin> {
  const read = entryOf(entry, terms);
  const { coin } = read;
  const kept = connectServers(coin.coin, { ...terms, servers, minConnected, maxConnected });
  const { decimals, medianBlocks } = coin;
  const reader = createElectrumReader({ backend: kept, decimals, medianBlocks, clock: terms.clock });
  const own = ownAddress(read, terms);
  const active = activeCoin({ ...read, reader, own }, terms);
  try {
    await loadSwaps(coin.coin, { ...terms, byPath: terms.signerOfPath !== undefined });
    const failure = await firstLook(active, { reader, own, over: 'servers' }, terms);
    if (failure !== null) throw new ActivationFailure('serversUnreachable', failure);
    const close = (): void => {
      active.close();
      kept.close();
    };
    return merged({ ...active, close }, terms);
  } catch (error) {
    kept.close();
    throw error;
  }
}

/** Connections to the servers of a coin. */
export function connectServers(
  coin: string,
  given: Pick<UtxoTerms, 'clock' | 'logger' | 'connectServer'> & ServersRequest,
): ElectrumServers {
  const { clock, logger, connectServer, servers, minConnected, maxConnected } = given;
  const onAlarm = ({ url, why }: { readonly url: string; readonly why: string }): void =>
    logger?.warn('an Electrum server is not believed', { coin, server: url, reason: why });
  const reached = connectServer === undefined ? {} : { connect: connectServer };
  const voices = voicesOf(servers.map(({ url }) => url));
  const voiceOf = (url: string): string => voices[servers.findIndex((server) => server.url === url)] ?? url;
  const counts = { minConnected, maxConnected };
  return keepServers({ servers, ...counts, clock, client: CLIENT, voiceOf, onAlarm, ...reached });
}

/** The same coin, whose outputs are made one for as long as it is active. */
function merged(active: ActiveUtxo, { merging, clock, logger }: UtxoTerms): ActiveCoin {
  if (merging === null) return active;
  const end = keepMerging(merging, { coin: active.ticker, chain: active.chain, clock, logger });
  return {
    ...active,
    close() {
      end();
      active.close();
    },
  };
}

type FirstLook = Pick<Connected, 'reader' | 'own'> & { readonly over: 'daemon' | 'servers' };

/**
 * Reads what the swaps of the log need of the past, then asks for the balance. Null when both came, else why not.
 *
 * Anyone can make the history of an address too long for servers to tell it. That keeps no coin inactive that a swap of the log needs: what is
 * locked can be claimed and refunded without it.
 */
export async function firstLook(
  { ticker, balances }: ActiveCoin,
  { reader, own, over }: FirstLook,
  { births }: UtxoTerms,
): Promise<string | null> {
  try {
    await reader.sync();
    for (const script of own.scripts) {
      let isWhole = await reader.follow(script, births.of(ticker));
      // Of a daemon some blocks at a time: each call that does not throw has read some.
      while (!isWhole && over === 'daemon') isWhole = await reader.follow(script, births.of(ticker));
      if (!isWhole) return births.of(ticker) === FROM_THE_TIP ? UNTOLD : null;
    }
  } catch (error) {
    if (!(error instanceof BackendSilent)) throw error;
    return error.message;
  }
  const found = await balances();
  return found.ok ? null : found.fault.message;
}

const UNTOLD =
  'no server tells the history of the own address, because it is too large: use another server, or another address';

/** The name given to servers. */
const CLIENT = 'swapfold';

function entryOf(entry: JsonObject, { finality, network }: UtxoTerms): UtxoEntry {
  try {
    return readUtxoEntry(entry, { finality, scheme: network.scriptScheme });
  } catch (error) {
    if (!(error instanceof CoinEntryError)) throw error;
    const facts = Object.entries(error.facts).map(([name, value]) => `${name}: ${String(value)}`);
    throw new ActivationFailure('entryInvalid', `${error.shortMessage} ${facts.join(', ')}`);
  }
}

function ownAddress({ coin, form }: UtxoEntry, { signer }: UtxoTerms): OwnAddress {
  const { key } = signer.coins;
  return {
    address: keyAddress(key, { form, kind: coin.address }),
    ...(form.cash === undefined ? {} : { older: olderAddress(key, form) }),
    scripts: ownScripts(coin, key),
  };
}

/** With what only a coin of outputs can do. */
type ActiveUtxo = ActiveCoin & { readonly chain: UtxoChain };

type Connected = UtxoEntry & { readonly reader: UtxoReader; readonly own: OwnAddress };

function activeCoin({ coin, form, reader, own, ...entry }: Connected, terms: UtxoTerms): ActiveUtxo {
  const { signer, clock, network, poll, births, usualConfirmations } = terms;
  const birth = (): number => births.of(coin.coin);
  const waits = endingClock(clock);
  const protocolInfo = protocolInfoOf({ address: coin.address, cash: cashOf(form) });
  // Qtum's: its tokens pay for their calls with the same coins.
  const isShared = coin.stakes === true;
  const shared = isShared ? terms.sharedCoins.join({ platform: coin.coin, key: signer.coins.key, token: null }) : null;
  const chain = createUtxoChain({
    ...{ coin, reader, signer, clock: waits, network, poll, birth },
    ...(shared === null ? {} : { reservations: shared.reservations }),
  });
  return {
    ticker: coin.coin,
    address: own.address,
    chain,
    platform: null,
    tellsHeld: false,
    requiredConfirmations: terms.requiredConfirmations ?? entry.requiredConfirmations ?? usualConfirmations,
    requiresNotarization: terms.requiresNotarization ?? entry.requiresNotarization,
    walletOnly: terms.walletOnly || entry.walletOnly,
    matureConfirmations: coin.maturity,
    protocolInfo,
    supports: (info) => supportsProtocol(protocolInfo, info),
    wallet: utxoWallet({ ticker: coin.coin, chain, scriptOf: (address) => addressScript(address, form) }),
    ...(isShared ? { convert: qtumConversion({ keyPrefix: form.keyPrefix.at(-1) ?? 0, bech32: form.bech32 }) } : {}),
    balances: () => chain.balances(),
    close() {
      waits.end();
      shared?.leave();
    },
  };
}

function cashOf({ cash, keyPrefix, scriptPrefix }: UtxoEntry['form']): AddressStyle['cash'] {
  if (cash === undefined) return null;
  return { network: cash, keyPrefix: keyPrefix.at(-1) ?? 0, scriptPrefix: scriptPrefix.at(-1) ?? 0 };
}

function olderAddress(key: Uint8Array, { cash: _, ...form }: UtxoEntry['form']): string {
  return keyAddress(key, { form, kind: 'p2pkh' });
}
