import { createUtxoChain } from '../chains/utxo/adapter.ts';
import { keyAddress } from '../chains/utxo/address.ts';
import type { UtxoCoin } from '../chains/utxo/coin.ts';
import { CoinEntryError, readUtxoEntry, type UtxoEntry } from '../chains/utxo/coin-entry.ts';
import { connectDaemon } from '../chains/utxo/daemon/client.ts';
import type { OwnAddress } from '../chains/utxo/daemon/own-coins.ts';
import { createDaemonReader } from '../chains/utxo/daemon/reader.ts';
import { createElectrumReader } from '../chains/utxo/electrum/reader.ts';
import { keepServers } from '../chains/utxo/electrum/servers.ts';
import type { Reader } from '../chains/utxo/reader.ts';
import { ownScripts } from '../chains/utxo/sign-coins.ts';
import type { NetworkProfile } from '../htlc/network-profile.ts';
import type { Clock } from '../ports/clock.ts';
import type { WalletSigner } from '../ports/signer.ts';
import type { JsonObject } from '../primitives/json.ts';
import type { Seconds } from '../primitives/time.ts';
import { ActivationFailure } from './activation-failure.ts';
import type { ActiveCoin } from './active-coin.ts';
import { daemonOf } from './daemon-conf.ts';
import type { ServersRequest } from './electrum-request.ts';

/** What a coin of outputs is activated with beside its entry. */
export type UtxoTerms = {
  readonly signer: WalletSigner;
  readonly clock: Clock;
  readonly network: NetworkProfile;
  readonly requiredConfirmations: number;
  readonly requiresNotarization: boolean;
  /** Depth from which a spend counts as final. */
  readonly finality: number;
  /** Between two looks for news. */
  readonly poll: Seconds;
};

/** Reads blocks from the tip on: a swap that began before asks for earlier ones by itself. */
const FROM_THE_TIP = Number.MAX_SAFE_INTEGER;

/**
 * A coin of outputs over its own daemon, which is asked for the balance before the coin counts as active.
 *
 * @throws ActivationFailure entryInvalid, daemonConf or daemonUnreachable
 */
export async function activateOverDaemon(entry: JsonObject, terms: UtxoTerms): Promise<ActiveCoin> {
  const { coin, form } = entryOf(entry, terms);
  const client = connectDaemon(await daemonOf(entry));
  const own = ownAddress({ coin, form }, terms);
  const { decimals, medianBlocks } = coin;
  const reader = createDaemonReader({ client, birth: null, own, decimals, medianBlocks });
  const active = activeCoin({ coin, reader, own }, terms);
  const balances = await active.balances();
  if (!balances.ok) throw new ActivationFailure('daemonUnreachable', balances.fault.message);
  return active;
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
  const { coin, form } = entryOf(entry, terms);
  const kept = keepServers({ servers, minConnected, maxConnected, clock: terms.clock, client: CLIENT });
  const { decimals, medianBlocks } = coin;
  const reader = createElectrumReader({ backend: kept, decimals, medianBlocks });
  const active = activeCoin({ coin, reader, own: ownAddress({ coin, form }, terms) }, terms);
  const balances = await active.balances();
  if (balances.ok) return { ...active, close: () => kept.close() };
  kept.close();
  throw new ActivationFailure('serversUnreachable', balances.fault.message);
}

/** Name that servers are told. */
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
    scripts: ownScripts(coin, key),
  };
}

type Connected = { readonly coin: UtxoCoin; readonly reader: Reader; readonly own: OwnAddress };

function activeCoin({ coin, reader, own }: Connected, terms: UtxoTerms): ActiveCoin {
  const { signer, clock, network, poll, requiredConfirmations, requiresNotarization } = terms;
  const chain = createUtxoChain({ coin, reader, signer, clock, network, poll, birth: FROM_THE_TIP });
  return {
    ticker: coin.coin,
    address: own.address,
    chain,
    requiredConfirmations,
    requiresNotarization,
    matureConfirmations: coin.maturity,
    balances: () => chain.balances(),
    close() {},
  };
}
