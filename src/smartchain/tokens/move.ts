import type { DecodedTransaction, TransactionInput, TransactionOutput } from '../../htlc/transaction.ts';
import { hash160 } from '../../primitives/hash.ts';
import { bytesToHex, sameBytes } from '../../primitives/hex.ts';
import { rememberingBytes } from '../../primitives/remember.ts';
import type { Condition } from '../conditions/condition.ts';
import { decodeFulfillmentAgain } from '../conditions/decode.ts';
import { EVAL_TOKENS } from '../eval-codes.ts';
import { classifyScript } from '../script/classify.ts';
import { conditionOf, fulfillmentOf } from '../script/condition-scripts.ts';
import {
  blobEval,
  type CreatePayload,
  nonFungibleData,
  readPayload,
  type TokenPayload,
  type TransferPayload,
} from './payload.ts';
import { MARKER_SCRIPT, TOKENS_KEY, tokenScriptHex } from './scripts.ts';

/** What a transaction does with the tokens of one id, by the rules of the token module. */
export type TokenMove = {
  readonly kind: 'create' | 'transfer';
  readonly tokenId: string;
  /** Indices of the outputs that are tokens of this id. */
  readonly outputs: ReadonlySet<number>;
  /** Satoshis of these outputs: one is one token. */
  readonly amount: bigint;
  /** Module beside the token one under which the tokens move; absent for fungible ones. */
  readonly boundEval: number | undefined;
};

/** A transaction that tokens may come from. */
export type TokenSource = { readonly transaction: DecodedTransaction; readonly token: TokenMove | undefined };

export type TokenLookup = (txid: string) => TokenSource | undefined;

/**
 * The payload in the last output; undefined where there is none.
 *
 * @example
 * ```ts
 * import { hexToBytes } from 'swapfold/htlc';
 * import { decodeChainTransaction, payloadOf } from 'swapfold/smartchain';
 *
 * const payload = `f2632102${'dead'.repeat(16)}044b495445054b69746573`;
 * const hex = `0100000000010000000000000000316a2f${payload}00000000`;
 * const read = decodeChainTransaction(hexToBytes(hex));
 * const said = read && payloadOf(read.transaction);
 * said?.kind === 'create' && Buffer.from(said.name).toString(); // → 'KITE'
 * ```
 */
export function payloadOf({ outputs }: DecodedTransaction): TokenPayload | undefined {
  const last = outputs.at(-1);
  return last === undefined ? undefined : readPayload(last.script);
}

/**
 * Which outputs of a transaction are tokens, and of which id. Undefined if none is. `lookup` must know every source of its inputs that holds tokens.
 *
 * - T1: a creation creates at most as many tokens as coins of its owner went in.
 * - T2: a transfer outputs exactly as many tokens of its id as its inputs hold, and at least one; otherwise none.
 */
export function tokenMoveOf(
  { txid, transaction }: { readonly txid: string; readonly transaction: DecodedTransaction },
  lookup: TokenLookup,
): TokenMove | undefined {
  const payload = payloadOf(transaction);
  if (payload === undefined) return undefined;
  if (payload.kind === 'create') return createMove({ txid, transaction, payload }, lookup);
  return transferMove({ transaction, payload }, lookup);
}

type Creation = { readonly txid: string; readonly transaction: DecodedTransaction; readonly payload: CreatePayload };

function createMove({ txid, transaction, payload }: Creation, lookup: TokenLookup): TokenMove | undefined {
  const outputs = valuedOutputs(transaction).filter(({ script }) => !sameBytes(script, MARKER_SCRIPT));
  const amount = sum(outputs);
  if (amount === 0n || ownCoins({ transaction, payload }, lookup) < amount) return undefined;
  return {
    kind: 'create',
    tokenId: txid,
    outputs: new Set(outputs.map(({ vout }) => vout)),
    amount,
    boundEval: boundEvalOf(payload),
  };
}

type Transfer = { readonly transaction: DecodedTransaction; readonly payload: TransferPayload };

function transferMove({ transaction, payload }: Transfer, lookup: TokenLookup): TokenMove | undefined {
  const { tokenId } = payload;
  const creation = lookup(tokenId)?.token;
  if (creation?.kind !== 'create') return undefined;
  const spent = tokenInputs(transaction, { tokenId, lookup });
  if (spent.amount === 0n) return undefined;
  const allowed = allowedScripts({ payload, spenders: spent.inputs.flatMap(signersOf), creation });
  const outputs = valuedOutputs(transaction).filter(({ script }) => allowed.has(scriptHex(script)));
  const amount = sum(outputs);
  if (amount !== spent.amount) return undefined;
  const { boundEval } = creation;
  return { kind: 'transfer', tokenId, outputs: new Set(outputs.map(({ vout }) => vout)), amount, boundEval };
}

/** The module under which a created token moves: the first byte of what makes it non-fungible. */
export function boundEvalOf(payload: CreatePayload): number | undefined {
  return nonFungibleData(payload)?.[0];
}

/** Inputs of a transaction that spend tokens of an id, and how many tokens they bring. */
export function tokenInputs(
  { inputs }: DecodedTransaction,
  of: { readonly tokenId: string; readonly lookup: TokenLookup },
): { readonly inputs: readonly TransactionInput[]; readonly amount: bigint } {
  const spent: TransactionInput[] = [];
  let amount = 0n;
  for (const input of inputs) {
    const source = of.lookup(input.txid);
    if (source?.token?.tokenId !== of.tokenId || !source.token.outputs.has(input.vout)) continue;
    spent.push(input);
    amount += source.transaction.outputs[input.vout]?.value ?? 0n;
  }
  return { inputs: spent, amount };
}

type Allowed = {
  readonly payload: TransferPayload;
  readonly spenders: readonly Uint8Array[];
  readonly creation: TokenMove;
};

/** Every script that a token output of the transfer may have, in hex. */
function allowedScripts({ payload, spenders, creation }: Allowed): Set<string> {
  const { boundEval } = creation;
  const evals = evalsOf({ boundEval, blobCode: blobEval(payload) });
  const usable = (key: Uint8Array) => key.length === 33 && !sameBytes(key, TOKENS_KEY);
  const single = [...payload.keys, ...spenders].filter(usable);
  const owners = single.map((key) => [key]);
  const both = payload.keys.filter(usable);
  if (both.length === 2) owners.push(both);
  const scripts = new Set<string>();
  for (const keys of owners) {
    for (const codes of evals) scripts.add(tokenScriptHex(codes, keys));
  }
  return scripts;
}

/**
 * The modules under which outputs may lie, beside the token module. A token that is bound to one never leaves it; what carries a
 * blob may lie under the module of the blob, a bound token under both.
 */
function evalsOf({ boundEval, blobCode }: { boundEval: number | undefined; blobCode: number | undefined }): number[][] {
  if (boundEval === undefined) return blobCode === undefined ? [[]] : [[], [blobCode]];
  const both = blobCode === undefined || blobCode === EVAL_TOKENS ? [] : [[boundEval, blobCode]];
  return [[boundEval], ...both];
}

/** The few scripts that tokens move between, longest first push and all; others may be of any length. */
const LONGEST_KEPT = 80;
const MOST_KEPT = 4096;
const hexAgain = rememberingBytes(bytesToHex, MOST_KEPT);

function scriptHex(script: Uint8Array): string {
  return script.length > LONGEST_KEPT ? bytesToHex(script) : hexAgain(script);
}

type ConditionOutputAt = { readonly vout: number; readonly value: bigint; readonly script: Uint8Array };

/**
 * Outputs that pay to a condition; the last output carries the payload and is none. Those without value are no tokens: anybody
 * could fill the wallet of somebody else with them.
 */
function valuedOutputs({ outputs }: DecodedTransaction): ConditionOutputAt[] {
  const found: ConditionOutputAt[] = [];
  for (let vout = 0; vout < outputs.length - 1; vout++) {
    const { value, script } = outputs[vout] as TransactionOutput;
    if (value > 0n && conditionOf(script) !== undefined) found.push({ vout, value, script });
  }
  return found;
}

function sum(outputs: readonly { readonly value: bigint }[]): bigint {
  return outputs.reduce((total, { value }) => total + value, 0n);
}

/** Satoshis that the owner of a creation put in, from outputs to its own key. */
function ownCoins({ transaction, payload }: Omit<Creation, 'txid'>, lookup: TokenLookup): bigint {
  const ownHash = hash160(payload.owner);
  let total = 0n;
  for (const { txid, vout } of transaction.inputs) {
    const output = lookup(txid)?.transaction.outputs[vout];
    if (output === undefined) continue;
    const { type, solutions } = classifyScript(output.script);
    const [paid] = solutions;
    if (paid === undefined) continue;
    const own = type === 'pubkey' ? sameBytes(paid, payload.owner) : type === 'pubkeyhash' && sameBytes(paid, ownHash);
    if (own) total += output.value;
  }
  return total;
}

/** Keys that signed the fulfillment of an input. */
export function signersOf({ scriptSig }: TransactionInput): readonly Uint8Array[] {
  const given = fulfillmentOf(scriptSig);
  const fulfillment = given === undefined ? undefined : decodeFulfillmentAgain(given.fulfillment);
  return fulfillment === undefined ? [] : signedKeys(fulfillment);
}

function signedKeys(condition: Condition): Uint8Array[] {
  if (condition.type === 'threshold') return condition.conditions.flatMap(signedKeys);
  return condition.type === 'key' && condition.signature !== undefined ? [condition.key] : [];
}
