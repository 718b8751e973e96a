import {
  activationError,
  type CustomTokenProblem,
  type ErrorDataOf,
} from '../../../machines/activation/task/errors.ts';
import { readAddress } from '../../chains/evm/address.ts';
import { nftChainOf } from '../../chains/evm/nft/chains.ts';
import type { EnableEthRequest } from '../../events/enable-eth-request.ts';
import { withoutCredentials } from '../../events/enable-eth-request.ts';
import type { TaskErrorType } from '../../events/task-error.ts';
import type { EvmActivationOrder, EvmTokenOrder } from '../../ports/evm-activator.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../primitives/json.ts';
import type { CoinsFile } from '../coins-file.ts';
import { isZeroAddress, nodeUrlProblem, V2_CONTRACT_ZERO, V2_CONTRACTS_MISSING } from '../evm/request-rules.ts';
import { type CoinProtocol, readProtocol } from '../protocol.ts';
import type { TokenInUse } from './platform-coins.ts';
import { TaskFailure } from './task-failure.ts';

function failure<T extends TaskErrorType>(
  type: T,
  data: ErrorDataOf<T>,
  more: Partial<Pick<TaskFailure, 'why'>> = {},
): TaskFailure {
  return new TaskFailure(activationError(type, data), more);
}

export type EthOrderTerms = {
  /** @defaultValue none */
  readonly inUse?: readonly TokenInUse[];
  /** Whether the tokens alone are to be in use. @defaultValue false */
  readonly passive?: boolean;
  /** Whether the contracts of the second trading protocol must be named (specification §4.6). @defaultValue false */
  readonly tradingProtoV2?: boolean;
};

/**
 * What is to be activated, from the request and the coins file. Checked in the order of the real node, and by it worded.
 *
 * @throws TaskFailure
 */
export function ethOrder(
  request: EnableEthRequest,
  coins: CoinsFile,
  { inUse = [], passive = false, tradingProtoV2 = false }: EthOrderTerms = {},
): EvmActivationOrder {
  const { ticker } = request;
  const entry = coins.entryOf(ticker);
  if (entry === undefined) throw failure('PlatformConfigIsNotFound', ticker);
  const read = readProtocol(entry['protocol']);
  if (!read.ok) throw failure('CoinProtocolParseError', { ticker, error: read.problem });
  if (read.value.type !== 'ETH') throw failure('UnexpectedPlatformProtocol', { ticker, protocol: shown(read.value) });
  checkKeys(request, entry);
  checkContracts(request, tradingProtoV2);
  checkNodes(request);
  const tokens: EvmTokenOrder[] = [];
  for (const token of request.erc20_tokens_requests) {
    const sameOrder = tokens.map((other) => ({ ...other, platform: ticker }));
    const found = tokenOrder(token, { platform: ticker, coins, inUse: [...inUse, ...sameOrder] });
    const before = tokens.find((other) => other.ticker === found.ticker);
    // Who names a token twice has it once; two tokens have no ticker together.
    if (before === undefined) tokens.push(found);
    else if (!isSame(before.contract, found.contract))
      throw customToken({ DuplicateTickerInConfig: { ticker_in_config: found.ticker } });
  }
  checkNfts(request);
  return { ticker, chainId: Number(read.value.data['chain_id']), entry, tokens, passive, request };
}

/** A protocol as the real node writes it. */
function shown({ type, data }: CoinProtocol): JsonObject {
  return Object.keys(data).length === 0 ? { type } : { type, protocol_data: data };
}

const NO_TREZOR_COIN = "its entry in the coins file has no trezor_coin, the device's name for it";

function checkKeys({ priv_key_policy }: EnableEthRequest, entry: JsonObject): void {
  if (priv_key_policy.type === 'Trezor' && typeof entry['trezor_coin'] !== 'string') {
    throw failure('Internal', 'Coin does not support Trezor wallet', { why: NO_TREZOR_COIN });
  }
}

function checkContracts(request: EnableEthRequest, tradingProtoV2: boolean): void {
  const { swap_contract_address, fallback_swap_contract, swap_v2_contracts } = request;
  if (isZeroAddress(swap_contract_address))
    throw failure('InvalidPayload', "swap_contract_address can't be zero address");
  if (tradingProtoV2 && swap_v2_contracts === undefined) throw failure('InvalidPayload', V2_CONTRACTS_MISSING);
  // As the real node, which looks at them only where they are used.
  if (tradingProtoV2 && Object.values(swap_v2_contracts ?? {}).some((contract) => isZeroAddress(contract))) {
    throw failure('InvalidPayload', V2_CONTRACT_ZERO);
  }
  if (fallback_swap_contract !== undefined && isZeroAddress(fallback_swap_contract)) {
    throw failure('InvalidPayload', "fallback_swap_contract can't be zero address");
  }
}

function checkNodes({ nodes }: EnableEthRequest): void {
  if (nodes.length === 0) {
    throw failure('AtLeastOneNodeRequired', 'Enable request for ETH coin must have at least 1 node');
  }
  for (const { url } of nodes) {
    const problem = nodeUrlProblem(url, withoutCredentials(url));
    if (problem !== null) throw failure('InvalidPayload', problem);
  }
}

type TokenAsked = EnableEthRequest['erc20_tokens_requests'][number];
type TokenPlace = {
  readonly platform: string;
  readonly coins: CoinsFile;
  readonly inUse: readonly TokenInUse[];
};

function tokenOrder(asked: TokenAsked, place: TokenPlace): EvmTokenOrder {
  const { coins } = place;
  const { ticker, required_confirmations, protocol } = asked;
  const entry = coins.entryOf(ticker);
  const custom = protocol !== undefined;
  if (custom && entry !== undefined) throw customToken({ DuplicateTickerInConfig: { ticker_in_config: ticker } });
  if (!custom && entry === undefined) throw failure('TokenConfigIsNotFound', ticker);
  const read = readProtocol((custom ? protocol : entry?.['protocol']) as JsonValue | undefined);
  if (!read.ok) throw failure('TokenProtocolParseError', { ticker, error: read.problem });
  const contract = String(read.value.data['contract_address']);
  // A token of another chain may have something quite different at its address here.
  const why = whyNotHere(read.value, { contract, platform: place.platform });
  if (why !== null) throw failure('UnexpectedTokenProtocol', { ticker, protocol: shown(read.value) }, { why });
  if (custom) checkCustom({ ticker, contract }, place);
  return { ticker, contract, requiredConfirmations: required_confirmations ?? null, entry: entry ?? null };
}

type Whereabouts = Pick<TokenPlace, 'platform'> & { readonly contract: string };

/** What keeps an entry from being a token of this coin; null for nothing. */
function whyNotHere({ type, data }: CoinProtocol, { contract, platform }: Whereabouts): string | null {
  if (type !== 'ERC20') return `its protocol is ${type}, but a token of ${platform} has ERC20`;
  if (data['platform'] !== platform) return `it is a token of ${String(data['platform'])}, not of ${platform}`;
  const address = readAddress(contract);
  return 'problem' in address ? `contract_address ${contract}: ${address.problem} (EIP-55)` : null;
}

function customToken(problem: CustomTokenProblem): TaskFailure {
  return failure('CustomTokenError', problem);
}

/** @throws TaskFailure for a contract that has a ticker already */
function checkCustom({ ticker: own, contract }: Pick<TokenInUse, 'ticker' | 'contract'>, place: TokenPlace): void {
  const known = tickerOfContract(contract, place);
  if (known !== undefined) throw customToken({ DuplicateContractInConfig: { ticker_in_config: known } });
  // The same token is kept as it is.
  const used = place.inUse.find(
    (token) => token.platform === place.platform && token.ticker !== own && isSame(token.contract, contract),
  );
  if (used === undefined) return;
  const { ticker, contract: contract_address } = used;
  throw customToken({ TokenWithSameContractAlreadyActivated: { ticker, contract_address } });
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function tickerOfContract(contract: string, { platform, coins }: TokenPlace): string | undefined {
  return coins.tickers.find((ticker) => {
    const { protocol } = coins.entryOf(ticker) ?? {};
    const data = isJsonObject(protocol) ? protocol['protocol_data'] : undefined;
    if (!isJsonObject(protocol) || protocol['type'] !== 'ERC20' || !isJsonObject(data)) return false;
    const { platform: chain, contract_address: address } = data;
    return chain === platform && typeof address === 'string' && isSame(address, contract);
  });
}

function checkNfts({ ticker, nft_req, priv_key_policy }: EnableEthRequest): void {
  if (nft_req === undefined) return;
  if (nftChainOf(ticker) === undefined) {
    const text = 'The provided string does not correspond to any of the supported blockchain types.';
    throw failure('Internal', text);
  }
  if (priv_key_policy.type === 'Trezor') {
    throw failure('UnexpectedDerivationMethod', "Expected 'SingleAddress' derivation method");
  }
}
