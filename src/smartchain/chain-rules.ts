import { canonicalJson, isJsonObject, type JsonObject, parseJson, stringifyJson } from '../primitives/json.ts';
import { maxMoney } from './chain/check-transaction.ts';
import { EASIEST_BITS, targetOf } from './chain/proof-of-work.ts';
import { SmartChainError } from './error.ts';
import type { ChainParams } from './params.ts';

/** The rules of a chain as canonical text: equal rules give equal texts. */
export function paramsText({ supply, reward, saplingHeight, ...rest }: ChainParams): string {
  return canonicalJson({
    ...rest,
    supply: String(supply),
    reward: String(reward),
    saplingHeight: saplingHeight ?? null,
  });
}

/** @throws SmartChainError SMARTCHAIN_OPTION_INVALID if the log holds the chain with other rules. */
export function checkSameRules(params: ChainParams, text: string): void {
  if (paramsText(params) === text) return;
  throw new SmartChainError('SMARTCHAIN_OPTION_INVALID', 'The log holds this chain with different rules.', {
    facts: { chain: params.name, ...differences(text, paramsText(params)) },
    next: 'Open it with the rules it was started with, or use another name or data directory for the new chain.',
  });
}

/**
 * The passive codes that a chain was written with, so that a chain whose tokens are bound to some accepts them whatever the default is; undefined if
 * the text holds none.
 */
export function writtenPassiveEvals(text: string): readonly number[] | undefined {
  const codes = membersOf(text)['passiveEvals'];
  return Array.isArray(codes) ? codes.map(Number) : undefined;
}

/** The rules that differ, each with its stored and its given value; amounts in satoshis. */
function differences(written: string, given: string): Record<string, string> {
  const before = membersOf(written);
  const facts: Record<string, string> = {};
  for (const [name, value] of Object.entries(membersOf(given))) {
    const old = stringifyJson(before[name]);
    if (old !== stringifyJson(value)) facts[name] = `written ${old}, given ${stringifyJson(value)}`;
  }
  return facts;
}

function membersOf(text: string): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}

/** Valid names of a chain: the name is part of the names of its stream and files. */
export const CHAIN_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const MOST_SECONDS = 0xffff_ffff;

/** @throws SmartChainError SMARTCHAIN_OPTION_INVALID if the rules are invalid. */
export function checkParams(params: ChainParams): void {
  const fault = nameFault(params) ?? blockFault(params) ?? spendFault(params);
  if (fault === undefined) return;
  throw new SmartChainError('SMARTCHAIN_OPTION_INVALID', 'These chain rules are invalid.', {
    facts: { rule: fault },
    next: 'Correct the rule; nothing was written.',
  });
}

function nameFault({ name, genesisTime }: ChainParams): string | undefined {
  if (!CHAIN_NAME.test(name)) return 'name: 1 to 64 letters, digits, dots, dashes or underscores';
  return isCount(genesisTime, { most: MOST_SECONDS }) ? undefined : 'genesisTime: seconds since 1970, below 2^32';
}

function blockFault({ bits, maxBlockSize, saplingHeight }: ChainParams): string | undefined {
  if (!isCount(bits, { most: EASIEST_BITS }) || targetOf(bits) === undefined) {
    return 'bits: a target in compact form, at most 0x207fffff';
  }
  if (!isCount(maxBlockSize, { least: 10_000 })) return 'maxBlockSize: at least 10,000 bytes';
  const fits = saplingHeight === undefined || isCount(saplingHeight);
  return fits ? undefined : 'saplingHeight: a height from 0, or none';
}

function spendFault(params: ChainParams): string | undefined {
  const { reward, supply, maturity, notarizedDepth, passiveEvals } = params;
  if (reward < 0n || supply < 0n) return 'reward and supply: no negative amounts';
  if (maxMoney(params) >= 1n << 63n || reward + supply > maxMoney(params)) {
    return 'reward and supply: no more than one output can hold';
  }
  if (!isCount(maturity)) return 'maturity: a whole number from 0';
  if (!isCount(notarizedDepth, { least: 1 })) return 'notarizedDepth: a whole number from 1';
  return passiveEvals.every((code) => isCount(code, { most: 0xff })) ? undefined : 'passiveEvals: one byte each';
}

function isCount(value: number, { least = 0, most = Number.MAX_SAFE_INTEGER } = {}): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}
