import type { z } from 'zod';
import { withoutCredentials } from '../../events/enable-eth-request.ts';
import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../primitives/json.ts';
import { ActivationFailure } from '../activation-failure.ts';
import { addressPathOf } from '../coin-keys.ts';
import type { Compatibility } from '../compatibility.ts';
import { atMember, flag, listOf, memberProblem, option, readAs, struct, text, u8, u64, variant } from '../serde.ts';
import { A_CONTRACT, isZeroAddress, nodeUrlProblem, V2_CONTRACT_ZERO, V2_CONTRACTS_MISSING } from './request-rules.ts';

/** What a legacy request says of a coin of an EVM chain or a token of one; null where it does not say. */
export type LegacyEvmRequest = {
  readonly urls: readonly string[];
  /** 40 lower-case hex digits. Null only where the specification permits it. */
  readonly contract: string | null;
  readonly fallbackContract: string | null;
  readonly watchers: boolean;
  readonly requiredConfirmations: number | null;
  readonly station: { readonly url: string; readonly decimals: number; readonly policy: GasPolicy } | null;
};

type GasPolicy = 'MeanAverageFast' | 'Average';

const DIGITS = 40;

export type LegacyEvmReading = {
  readonly compatibility: Compatibility;
  /** Whether the contracts of the second trading protocol must be named. @defaultValue false */
  readonly tradingProtoV2?: boolean;
};

/**
 * Reads a request of `enable` for a coin of an account (specification §4.5). What is wrong with it is told in the words of the
 * real node, behind the name of the member where the specification's mode holds.
 *
 * @throws ActivationFailure requestInvalid
 */
export function readLegacyEvmRequest(
  request: JsonObject,
  { compatibility, tradingProtoV2 = false }: LegacyEvmReading,
): LegacyEvmRequest {
  const asIs = compatibility === 'kdf';
  const named = (name: string): Invalid => {
    return (problem, path = []) => invalid(asIs ? problem : atMember(problem, [name, ...path]));
  };
  const member: Member = (name, schema) => {
    const read = readAs(schema, request[name] ?? null);
    if (!read.ok) throw named(name)(read.problem, read.path);
    return read.value;
  };
  const urls = member('urls', listOf(text));
  if (urls.length === 0) throw invalid('Enable request for ETH coin must have at least 1 node URL');
  const contract = contractIn(request, { name: 'swap_contract_address', mayLack: !asIs, named });
  if (tradingProtoV2) requireV2Contracts(request['swap_v2_contracts'] ?? null, named('swap_v2_contracts'));
  const fallbackContract = contractIn(request, { name: 'fallback_swap_contract', mayLack: true, named });
  const watchers = member('contract_supports_watchers', option(flag)) ?? false;
  addressPathOf(request, compatibility);
  for (const url of urls) requireNodeUrl(url);
  return {
    ...{ urls, contract, fallbackContract, watchers },
    requiredConfirmations: asIs
      ? countOf(request['required_confirmations'])
      : member('required_confirmations', option(u64)),
    // The real node asks none since 2.1, and looks at none of these members.
    station: asIs ? null : stationIn(member),
  };
}

/** Makes the failure of what is wrong with one member. */
type Invalid = (problem: string, path?: readonly PropertyKey[]) => ActivationFailure;

type Contract = {
  readonly name: 'swap_contract_address' | 'fallback_swap_contract';
  readonly mayLack: boolean;
  readonly named: (name: string) => Invalid;
};

function contractIn(request: JsonObject, { name, mayLack, named }: Contract): string | null {
  const given = request[name] ?? null;
  if (given === null && mayLack) return null;
  const account = accountIn(given, named(name));
  if (isZeroAddress(account)) throw invalid(`${name} can't be zero address`);
  return account;
}

const V2_CONTRACTS = ['maker_swap_v2_contract', 'taker_swap_v2_contract', 'nft_maker_swap_v2_contract'] as const;

/** In the words of the task's method, whose contracts they are. */
function requireV2Contracts(given: JsonValue, wrong: Invalid): void {
  if (given === null) throw invalid(V2_CONTRACTS_MISSING);
  if (!isJsonObject(given)) throw wrong(memberProblem(given, 'struct SwapV2Contracts'));
  const accounts = V2_CONTRACTS.map((name) => {
    const contract = given[name];
    const wrongHere: Invalid = (problem) => wrong(problem, [name]);
    if (contract === undefined) throw wrongHere(`missing field \`${name}\``);
    return accountIn(contract, wrongHere);
  });
  if (accounts.some(isZeroAddress)) throw invalid(V2_CONTRACT_ZERO);
}

/** An address of 0x and 40 hex digits, as its lower-case digits. @throws ActivationFailure requestInvalid */
export function accountIn(given: JsonValue, wrong: Invalid = invalid): string {
  if (typeof given !== 'string') {
    throw wrong(memberProblem(given, A_CONTRACT));
  }
  if (!given.startsWith('0x')) throw wrong('0x prefix is missing');
  const digits = given.slice(2);
  if (digits.length !== DIGITS) throw wrong(`invalid length ${digits.length}, expected ${A_CONTRACT}`);
  const strange = /[^0-9a-fA-F]/.exec(digits);
  if (strange !== null) throw wrong(`invalid hex character: ${strange[0]}, at ${strange.index}`);
  return digits.toLowerCase();
}

function requireNodeUrl(url: string): void {
  const problem = nodeUrlProblem(url, withoutCredentials(url));
  if (problem !== null) throw invalid(problem);
}

/** What is no whole number from 0 on counts as absent: so the real node has it, and the file decides then. */
function countOf(value: JsonValue | undefined): number | null {
  const count = Number((value === undefined ? undefined : numberText(value)) ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}

const STATION_DECIMALS = 8;
const policySchema = struct('GasStationPricePolicy', { policy: variant('MeanAverageFast', 'Average') });

type Member = <T>(name: string, schema: z.ZodType<T>) => T;

function stationIn(member: Member): LegacyEvmRequest['station'] {
  const url = member('gas_station_url', option(text));
  const decimals = member('gas_station_decimals', option(u8)) ?? STATION_DECIMALS;
  const policy = member('gas_station_policy', option(policySchema))?.policy ?? 'MeanAverageFast';
  if (url === null) return null;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return { url, decimals, policy };
  throw invalid('gas_station_url: expected an http or https url');
}

function invalid(problem: string): ActivationFailure {
  return new ActivationFailure('requestInvalid', problem);
}
