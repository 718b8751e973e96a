import { readAddress } from '../../chains/evm/address.ts';
import type { ActiveCoin } from '../../ports/coin-wallet.ts';
import type { WalletSigner } from '../../ports/signer.ts';
import type { JsonObject } from '../../primitives/json.ts';
import { PackageMissingError } from '../../primitives/optional-package.ts';
import { ActivationFailure, type ActivationFailureKind } from '../activation-failure.ts';
import { keyPathOf, type SignerOfPath } from '../coin-keys.ts';
import type { CoinsFile } from '../coins-file.ts';
import type { Compatibility } from '../compatibility.ts';
import { type CoinProtocol, readProtocol } from '../protocol.ts';
import { EvmFailure, type EvmFailureKind } from './failure.ts';
import { readLegacyEvmRequest } from './legacy-request.ts';
import { openEvm } from './open.ts';
import type { EvmParts } from './parts.ts';

export type LegacyEvmTerms = {
  readonly evm: EvmParts;
  readonly coins: CoinsFile;
  readonly signer: WalletSigner;
  readonly signerOfPath: SignerOfPath | undefined;
  readonly compatibility: Compatibility;
  /** Whether requests must name the contracts of the second trading protocol. */
  readonly tradingProtoV2: boolean;
  readonly usualConfirmations: number;
};

export type LegacyEvmOrder = {
  readonly ticker: string;
  readonly entry: JsonObject;
  readonly protocol: CoinProtocol;
  /** The request as it came. */
  readonly request: JsonObject;
  /** Whether nobody may trade it, whatever the entry says. */
  readonly walletOnly: boolean;
};

/**
 * A coin of an EVM chain or a token of one by a legacy request, of which all that can be told without asking anyone is checked at once. What is
 * returned opens it; a token needs no platform that is active.
 *
 * @throws ActivationFailure, as does what is returned
 */
export function legacyEvm(order: LegacyEvmOrder, terms: LegacyEvmTerms): () => Promise<ActiveCoin> {
  const { ticker, entry, request, walletOnly } = order;
  const { evm, usualConfirmations } = terms;
  const { urls, contract, fallbackContract, watchers, station, ...asked } = readLegacyEvmRequest(request, terms);
  const { platform, chainId, token } = placeOf(order, terms);
  // Unlike with a task, a token does not ask its platform.
  const usual = (entry['required_confirmations'] ?? null) === null ? usualConfirmations : null;
  const requiredConfirmations = asked.requiredConfirmations ?? usual;
  return async () => {
    const { signer, byPath } = await signerOf(terms, { entry: platform.entry, request });
    const coin = await openEvm(evm, {
      ...{ platform, chainId, urls, signer, keyPlace: 'here', byPath, contract, fallbackContract, watchers },
      usualConfirmations,
      ...(station === null ? {} : { station }),
      coins: [{ ticker, entry, token, requiredConfirmations, walletOnly }],
    }).then(({ coins }) => coins[0] as ActiveCoin, failed(terms.compatibility));
    const found = await coin.balances();
    if (found.ok) return coin;
    coin.close();
    throw new ActivationFailure('nodesTooFew', `Transport: ${found.fault.message}`);
  };
}

type Place = {
  readonly platform: { readonly ticker: string; readonly entry: JsonObject };
  readonly chainId: number;
  /** Null for the chain's own coin. */
  readonly token: string | null;
};

function placeOf({ ticker, entry, protocol }: LegacyEvmOrder, { coins, compatibility }: LegacyEvmTerms): Place {
  const { data, type } = protocol;
  if (type === 'ETH') return { platform: { ticker, entry }, chainId: Number(data['chain_id']), token: null };
  const name = String(data['platform']);
  const address = readAddress(String(data['contract_address']));
  if ('problem' in address) {
    const where = compatibility === 'kdf' ? '' : `contract_address of ${ticker} in the coins file: `;
    throw new ActivationFailure('entryInvalid', `${where}${address.problem}`);
  }
  const above = coins.entryOf(name);
  const refusal = `Failed to activate ERC20 token '${ticker}': the platform`;
  if (above === undefined)
    throw new ActivationFailure('entryInvalid', `${refusal} '${name}' is not defined in the coins config.`);
  const read = readProtocol(above['protocol']);
  if (!read.ok) throw new ActivationFailure('protocolInvalid', read.problem);
  if (read.value.type !== 'ETH')
    throw new ActivationFailure('entryInvalid', `${refusal} protocol '${read.value.type}' must be ETH`);
  return {
    platform: { ticker: name, entry: above },
    chainId: Number(read.value.data['chain_id']),
    token: address.account,
  };
}

type Keys = { readonly entry: JsonObject; readonly request: JsonObject };

async function signerOf(
  { signer, signerOfPath }: LegacyEvmTerms,
  { entry, request }: Keys,
): Promise<{ readonly signer: WalletSigner; readonly byPath: boolean }> {
  if (signerOfPath === undefined) return { signer, byPath: false };
  return { signer: await signerOfPath(keyPathOf(entry, request)), byPath: true };
}

const KINDS: Readonly<Record<EvmFailureKind, ActivationFailureKind>> = {
  unreachable: 'nodesUnreachable',
  asked: 'nodesTooFew',
  block: 'nodesUnreachable',
  ended: 'nodesUnreachable',
  wrongChain: 'entryInvalid',
  redirects: 'entryInvalid',
  coin: 'entryInvalid',
  entry: 'entryInvalid',
  station: 'stationUnreachable',
};

/** The real node speaks of urls here, and of nodes in its tasks. */
const NOBODY = 'Failed to get client version for all urls';

function failed(compatibility: Compatibility): (error: unknown) => never {
  return (error) => {
    if (error instanceof PackageMissingError) throw new ActivationFailure('packageMissing', error.message);
    if (!(error instanceof EvmFailure)) throw error;
    const { kind, message, why } = error;
    const texts: Partial<Record<EvmFailureKind, string>> = {
      unreachable: NOBODY,
      asked: `Transport: ${message}`,
      block: `Transport: ${message}`,
    };
    throw new ActivationFailure(KINDS[kind], `${texts[kind] ?? message}${compatibility === 'kdf' ? '' : why}`);
  };
}
