import type { ContractLog } from '../../../htlc/contract-events.ts';
import { isHex } from '../../../primitives/hex.ts';
import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import type { Place, Qrc20Receipt, Tried } from './contracts.ts';

// Readers for the answers of Qtum's nodes and servers. Each returns undefined for anything else.

/** What a node says of a call that took effect. */
const DONE: readonly unknown[] = ['None', 'none', null, undefined];

/** The output of a simulated call; null if it was refused. */
export function readCall(answer: JsonValue): string | null | undefined {
  const { executionResult } = isJsonObject(answer) ? answer : {};
  const { output, excepted } = isJsonObject(executionResult) ? executionResult : {};
  if (!DONE.includes(excepted)) return null;
  return hexOf(output);
}

/** The same with the events and the gas, which not every server passes on. */
export function readTrial(answer: JsonValue): Tried | undefined {
  const output = readCall(answer);
  const { transactionReceipt, executionResult } = isJsonObject(answer) ? answer : {};
  const gas = isJsonObject(executionResult) ? (countOf(executionResult['gasUsed']) ?? null) : null;
  const { log } = isJsonObject(transactionReceipt) ? transactionReceipt : {};
  if (output === undefined) return undefined;
  if (log === undefined) return { output, logs: null, gas };
  const logs = readLogs(log);
  return logs === undefined ? undefined : { output, logs, gas };
}

export function readReceipts(answer: JsonValue): readonly Qrc20Receipt[] | undefined {
  if (!Array.isArray(answer)) return undefined;
  const receipts = answer.map(readReceipt);
  return receipts.every((one) => one !== undefined) ? receipts : undefined;
}

function readReceipt(value: JsonValue): Qrc20Receipt | undefined {
  const { blockNumber, outputIndex, from, excepted, exceptedMessage, log } = isJsonObject(value) ? value : {};
  const [block, vout] = [countOf(blockNumber), countOf(outputIndex)];
  const account = accountOf(from);
  const logs = readLogs(log);
  if (block === undefined || vout === undefined || account === undefined || logs === undefined) return undefined;
  return { block, vout, from: account, excepted: whyExcepted(excepted, exceptedMessage), logs };
}

function whyExcepted(excepted: JsonValue | undefined, message: JsonValue | undefined): string | null {
  if (DONE.includes(excepted)) return null;
  const why = typeof excepted === 'string' ? excepted : 'an unknown reason';
  return typeof message === 'string' && message !== '' ? `${why}: ${message}` : why;
}

function readLogs(value: JsonValue | undefined): readonly ContractLog[] | undefined {
  const logs = Array.isArray(value) ? value.map(readLog) : [undefined];
  return logs.every((one) => one !== undefined) ? logs : undefined;
}

function readLog(value: JsonValue): ContractLog | undefined {
  const { address, topics, data } = isJsonObject(value) ? value : {};
  const contract = accountOf(address);
  const bytes = hexOf(data);
  const named = Array.isArray(topics) ? topics.map(hexOf) : undefined;
  if (contract === undefined || bytes === undefined || named === undefined) return undefined;
  return named.every((topic) => topic !== undefined) ? { contract, topics: named, data: bytes } : undefined;
}

/** Events as Electrum servers of Qtum list them. */
export function readPlaces(answer: JsonValue): readonly Place[] | undefined {
  if (!Array.isArray(answer)) return undefined;
  const places = answer.map((one) => {
    const { tx_hash, height } = isJsonObject(one) ? one : {};
    return placeOf(tx_hash, height);
  });
  return places.every((one) => one !== undefined) ? places : undefined;
}

/** The same from the receipts of a search, filtered by `isMeant`. */
export function readFound(
  answer: JsonValue,
  isMeant: (receipt: Qrc20Receipt) => boolean,
): readonly Place[] | undefined {
  const receipts = readReceipts(answer);
  if (receipts === undefined || !Array.isArray(answer)) return undefined;
  const places = answer.flatMap((one, at) => {
    const receipt = receipts[at];
    const { transactionHash } = isJsonObject(one) ? one : {};
    return receipt !== undefined && isMeant(receipt)
      ? [placeOf(transactionHash, one && isJsonObject(one) ? one['blockNumber'] : null)]
      : [];
  });
  return places.every((one) => one !== undefined) ? places : undefined;
}

function placeOf(txid: JsonValue | undefined, at: JsonValue | undefined): Place | undefined {
  const height = countOf(at);
  if (typeof txid !== 'string' || !/^[0-9a-f]{64}$/.test(txid) || height === undefined) return undefined;
  return { txid, height };
}

function countOf(value: JsonValue | undefined): number | undefined {
  const count = Number((value === undefined ? undefined : numberText(value)) ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function accountOf(value: JsonValue | undefined): string | undefined {
  const text = hexOf(value);
  return text?.length === 40 ? text : undefined;
}

function hexOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && isHex(value) ? value.toLowerCase() : undefined;
}
