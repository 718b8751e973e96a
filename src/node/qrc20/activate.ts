import { keyAddress } from '../../chains/utxo/address.ts';
import type { DaemonClient } from '../../chains/utxo/daemon/client.ts';
import type { OwnAddress } from '../../chains/utxo/daemon/own-coins.ts';
import { createDaemonReader } from '../../chains/utxo/daemon/reader.ts';
import type { ElectrumBackend } from '../../chains/utxo/electrum/panel.ts';
import { createElectrumReader } from '../../chains/utxo/electrum/reader.ts';
import { createQrc20Chain } from '../../chains/utxo/qrc20/adapter.ts';
import { ContractAbsent, type ContractReader, ContractsUnsteady } from '../../chains/utxo/qrc20/contracts.ts';
import { createDaemonContracts } from '../../chains/utxo/qrc20/daemon-contracts.ts';
import { createElectrumContracts } from '../../chains/utxo/qrc20/electrum-contracts.ts';
import type { UtxoReader } from '../../chains/utxo/reader.ts';
import { ownScripts } from '../../chains/utxo/sign-coins.ts';
import { qtumAccount } from '../../htlc/qtum-address.ts';
import { decodeNumberAnswer, TOKEN_DECIMALS } from '../../htlc/token-calls.ts';
import { BackendSilent } from '../../ports/silence.ts';
import type { JsonObject } from '../../primitives/json.ts';
import { connectServers, firstLook, type UtxoTerms } from '../activate-utxo.ts';
import { ActivationFailure } from '../activation-failure.ts';
import type { ActiveCoin } from '../active-coin.ts';
import { daemonOf } from '../daemon-conf.ts';
import type { ServersRequest } from '../electrum-request.ts';
import { endingClock } from '../ending-clock.ts';
import { protocolInfoOf, supportsProtocol } from '../orders/protocol-info.ts';
import { loadSwaps } from '../swap-keys.ts';
import { qtumConversion } from './convert.ts';
import { type Qrc20Entry, readQrc20Entry } from './entry.ts';
import { whyNoEvents } from './event-search.ts';
import { tokenWallet } from './wallet.ts';

/** What a token is activated with beside its entry. */
export type Qrc20Terms = UtxoTerms & {
  readonly platform: string;
  /** As the coins file has it. */
  readonly contractAddress: string;
  /** The swap contract and another one that is accepted, 40 lower-case hex digits each. */
  readonly contract: string;
  readonly fallbackContract: string | null;
  /** Null for the platform's own daemon. */
  readonly servers: ServersRequest | null;
};

/** Where the chain and its contracts are asked. */
type Backend = { readonly reader: UtxoReader; readonly contracts: ContractReader; readonly close: () => void };

/**
 * A QRC20 token over servers or over the daemon of its platform, which need not be active: it has connections of its own. The balance is asked for before it
 * counts as active.
 *
 * @throws ActivationFailure entryInvalid, daemonConf, daemonUnreachable or serversUnreachable
 */
export async function activateQrc20(entry: JsonObject, terms: Qrc20Terms): Promise<ActiveCoin> {
  const { platform, contractAddress, finality, network, signer } = terms;
  const read = readQrc20Entry(entry, { platform, contractAddress, finality, scheme: network.scriptScheme });
  const { key } = signer.coins;
  const own: OwnAddress = {
    address: keyAddress(key, { form: read.utxo.form, kind: 'p2pkh' }),
    scripts: ownScripts(read.chain, key),
  };
  const backend = await backendOf(entry, { read, own, terms });
  const kind = terms.servers === null ? 'daemonUnreachable' : 'serversUnreachable';
  const close: (() => void)[] = [backend.close];
  try {
    const ticker = read.utxo.coin.coin;
    const { contract, fallbackContract } = terms;
    const contracts = [contract, ...(fallbackContract === null ? [] : [fallbackContract])];
    // Contracts know whose tokens are moved by the key that pays for the call: all swaps have that one.
    const one = { coins: signer.coins, ofSwap: () => signer.coins };
    await loadSwaps(ticker, { ...terms, signer: one, contracts, byPath: terms.signerOfPath !== undefined });
    const decimals = read.decimals ?? (await decimalsOf(backend, { token: read.token, kind }));
    const shared = terms.sharedCoins.join({ platform, key, token: ticker });
    close.push(shared.leave);
    const active = activeToken({ read, own, backend, decimals, reservations: shared.reservations, close }, terms);
    const over = terms.servers === null ? 'daemon' : 'servers';
    const failure = await firstLook(active, { reader: backend.reader, own, over }, terms);
    const unsearched = failure ?? (await unsearchedBy(active, { read, backend, terms }));
    if (unsearched !== null) throw new ActivationFailure(kind, unsearched);
    return active;
  } catch (error) {
    for (const end of close) end();
    throw error;
  }
}

type Searching = Pick<Opened, 'read' | 'backend'> & { readonly terms: Qrc20Terms };

/** Servers have the events of all contracts; of a daemon its owner decides. */
async function unsearchedBy(
  { ticker, walletOnly }: ActiveCoin,
  { read, backend, terms }: Searching,
): Promise<string | null> {
  if (terms.servers !== null || walletOnly) return null;
  // What a swap that runs has paid it may get back nevertheless.
  if (terms.births.keysOf(ticker).size > 0) return null;
  const { contracts, reader } = backend;
  const account = qtumAccount(terms.signer.coins.key);
  return whyNoEvents({ contracts, tip: await reader.sync() }, { token: read.token, account });
}

type Reaching = { readonly read: Qrc20Entry; readonly own: OwnAddress; readonly terms: Qrc20Terms };

async function backendOf(entry: JsonObject, { read, own, terms }: Reaching): Promise<Backend> {
  const { decimals, medianBlocks } = read.chain;
  if (terms.servers !== null) {
    const kept = connectServers(read.utxo.coin.coin, { ...terms, ...terms.servers });
    const backend: ElectrumBackend = kept;
    const reader = createElectrumReader({ backend, decimals, medianBlocks, clock: terms.clock });
    return { reader, contracts: createElectrumContracts(backend), close: () => kept.close() };
  }
  // The daemon is the platform's, whatever name the entry has.
  const { asset: _, ...rest } = entry;
  const client: DaemonClient = terms.connect(await daemonOf({ ...rest, name: terms.platform.toLowerCase() }));
  const reader = createDaemonReader({ client, birth: null, own, decimals, medianBlocks });
  return { reader, contracts: createDaemonContracts(client), close: () => {} };
}

type Asking = { readonly token: string; readonly kind: 'daemonUnreachable' | 'serversUnreachable' };

const MOST_DECIMALS = 255n;

/** What the token says of its digits. @throws ActivationFailure */
async function decimalsOf({ reader, contracts }: Backend, { token, kind }: Asking): Promise<number> {
  try {
    const answer = await contracts.look(await reader.sync()).call(token, TOKEN_DECIMALS);
    const decimals = answer === null ? undefined : decodeNumberAnswer(answer);
    if (decimals === undefined) {
      throw new ActivationFailure(
        'entryInvalid',
        `the contract 0x${token} does not report its decimals: set them in the coins file`,
      );
    }
    if (decimals > MOST_DECIMALS) throw new ActivationFailure('entryInvalid', `decimals ${decimals} is not u8`);
    return Number(decimals);
  } catch (error) {
    if (error instanceof ContractAbsent) throw new ActivationFailure('entryInvalid', error.message);
    if (error instanceof BackendSilent || error instanceof ContractsUnsteady)
      throw new ActivationFailure(kind, error.message);
    throw error;
  }
}

type Opened = {
  readonly read: Qrc20Entry;
  readonly own: OwnAddress;
  readonly backend: Backend;
  readonly decimals: number;
  readonly reservations: ReturnType<Qrc20Terms['sharedCoins']['join']>['reservations'];
  readonly close: (() => void)[];
};

function activeToken({ read, own, backend, decimals, reservations, close }: Opened, terms: Qrc20Terms): ActiveCoin {
  const { clock, network, poll, births, signer, contract, fallbackContract, platform } = terms;
  const { utxo, chain: chainCoin, token } = read;
  const ticker = utxo.coin.coin;
  const waits = endingClock(clock);
  close.push(waits.end);
  const coin = { coin: ticker, decimals, token, contract, fallbackContract, platform: chainCoin };
  const { reader, contracts } = backend;
  const birth = (): number => births.of(ticker);
  const chain = createQrc20Chain({
    ...{ coin, reader, contracts, clock: waits, network, poll, birth, reservations },
    signer: signer.coins,
  });
  const form = { keyPrefix: utxo.form.keyPrefix.at(-1) ?? 0, bech32: utxo.form.bech32 };
  const info = protocolInfoOf({ address: 'p2pkh', cash: null });
  return {
    ticker,
    address: own.address,
    chain,
    platform,
    tellsHeld: false,
    requiredConfirmations: terms.requiredConfirmations ?? utxo.requiredConfirmations ?? terms.usualConfirmations,
    requiresNotarization: terms.requiresNotarization ?? utxo.requiresNotarization,
    walletOnly: terms.walletOnly || utxo.walletOnly,
    matureConfirmations: chainCoin.maturity,
    protocolInfo: info,
    supports: (told) => supportsProtocol(info, told),
    wallet: tokenWallet({ ticker, platform, chain, form }),
    convert: qtumConversion(form),
    balances: () => chain.balances(),
    close() {
      for (const end of close) end();
    },
  };
}
