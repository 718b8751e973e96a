import type { z } from 'zod';
import { withoutCredentials } from '../../events/enable-eth-request.ts';
import { type JsonObject, type JsonValue, numberText } from '../../primitives/json.ts';
import { ActivationFailure } from '../activation-failure.ts';
import { addressPathOf } from '../coin-keys.ts';
import type { Compatibility } from '../compatibility.ts';
import { flag, listOf, memberProblem, option, readAs, struct, text, u8, variant } from '../serde.ts';

/** What a legacy request says of a coin of an EVM chain or a token of one; null where it does not say. */
export type LegacyEvmRequest = {
  readonly urls: readonly string[];
  /** 40 lower-case hex digits. Null only where the specification permits it. */
  readonly contract: string | null;
  readonly fallbackContract: string | null;
  readonly requiredConfirmations: number | null;
  readonly station: { readonly url: string; readonly decimals: number; readonly policy: GasPolicy } | null;
};

type GasPolicy = 'MeanAverageFast' | 'Average';

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:']);
const ZERO = '0'.repeat(40);
const A_CONTRACT = 'a 0x-prefixed hex string with length of 40';

/**
 * Reads a request of `enable` for a coin of an account (specification §4.5, `activation.md` §5.3). What is wrong with it is told in the words of the
 * real node.
 *
 * @throws ActivationFailure requestInvalid
 */
export function readLegacyEvmRequest(request: JsonObject, compatibility: Compatibility): LegacyEvmRequest {
  const member = <T>(name: string, schema: z.ZodType<T>): T => {
    const read = readAs(schema, request[name] ?? null);
    if (!read.ok) throw invalid(read.problem);
    return read.value;
  };
  const urls = member('urls', listOf(text));
  if (urls.length === 0) throw invalid('Enable request for ETH coin must have at least 1 node URL');
  const mayLack = compatibility === 'specification';
  const contract = contractIn(request, { name: 'swap_contract_address', mayLack });
  const fallbackContract = contractIn(request, { name: 'fallback_swap_contract', mayLack: true });
  // It changes nothing: a plain payment is for its parties alone.
  member('contract_supports_watchers', option(flag));
  addressPathOf(request);
  for (const url of urls) requireNodeUrl(url);
  return {
    ...{ urls, contract, fallbackContract },
    requiredConfirmations: countOf(request['required_confirmations']),
    // The real node asks none since 2.1, and looks at none of these members.
    station: compatibility === 'kdf' ? null : stationIn(member),
  };
}

type Contract = { readonly name: 'swap_contract_address' | 'fallback_swap_contract'; readonly mayLack: boolean };

function contractIn(request: JsonObject, { name, mayLack }: Contract): string | null {
  const given = request[name] ?? null;
  if (given === null && mayLack) return null;
  const account = accountIn(given);
  if (account === ZERO) throw invalid(`${name} can't be zero address`);
  return account;
}

function accountIn(given: JsonValue): string {
  if (typeof given !== 'string') {
    throw invalid(memberProblem(given, A_CONTRACT));
  }
  if (!given.startsWith('0x')) throw invalid('0x prefix is missing');
  const digits = given.slice(2);
  if (digits.length !== ZERO.length) throw invalid(`invalid length ${digits.length}, expected ${A_CONTRACT}`);
  const wrong = /[^0-9a-fA-F]/.exec(digits);
  if (wrong !== null) throw invalid(`invalid hex character: ${wrong[0]}, at ${wrong.index}`);
  return digits.toLowerCase();
}

function requireNodeUrl(url: string): void {
  const name = withoutCredentials(url);
  if (!URL.canParse(url)) throw invalid(`${name} could not be parsed.`);
  if (SCHEMES.has(new URL(url).protocol)) return;
  throw invalid(`Invalid node address '${name}'. Only http(s) and ws(s) nodes are supported`);
}

/** What is no whole number from 0 on counts as absent, as the real node has it. */
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
