import { hexToBytes, isHex } from '../primitives/hex.ts';
import { concatBytes } from './byte-writer.ts';
import {
  type HtlcTerms,
  OP_0,
  OP_1,
  OP_16,
  parseHtlcRedeemScript,
  parseScript,
  pushData,
  type ScriptOp,
  type ScriptScheme,
} from './script.ts';
import { SECRET_BYTES } from './secret-hash.ts';
import {
  decodeTransaction,
  isTransactionProblem,
  type TransactionInput,
  type TransactionProblem,
} from './transaction.ts';
import { encodeTransaction } from './transaction-encoding.ts';

/** The part of an input that proves the right to spend. The witness is absent in forms that have none. */
export type InputScripts = Pick<TransactionInput, 'scriptSig' | 'witness'>;

/** Which branch of a hash time lock an input takes. */
export type HtlcBranch =
  | { readonly kind: 'spend'; readonly secret: Uint8Array }
  /** A spend that only lacks the secret, as a taker gives it to watchers. */
  | { readonly kind: 'spendPreimage' }
  | { readonly kind: 'refund' };

/** An input that spends a hash time lock, by the branch that it takes. The byte arrays are views of the input. */
export type HtlcInput = {
  readonly scheme: ScriptScheme;
  /** In DER, followed by the hash type. */
  readonly signature: Uint8Array;
  readonly redeemScript: Uint8Array;
  readonly terms: HtlcTerms;
} & HtlcBranch;

/** The parts that {@link htlcInputScripts} combines. */
export type HtlcUnlocking = Pick<HtlcInput, 'scheme' | 'signature' | 'redeemScript'> & HtlcBranch;

const EMPTY = new Uint8Array(0);
const TRUE = Uint8Array.of(1);

/**
 * The scripts of an input that spends a payment: signature, secret, 0 and redeem script for the receiver; signature, 1 and redeem script for the
 * sender. Under P2SH they are pushes of the input script, under P2WSH items of the witness beside an empty input script. 0 is always empty and 1
 * always the one byte 01, as witness scripts require (MINIMALIF).
 *
 * @example
 * ```ts
 * import { htlcInputScripts, parseScript } from 'swapfold/htlc';
 *
 * const parts = { signature: new Uint8Array(71), redeemScript: new Uint8Array(107) };
 * const { scriptSig } = htlcInputScripts({ scheme: 'p2sh', kind: 'refund', ...parts });
 * parseScript(scriptSig)?.map(({ opcode }) => opcode); // → [71, 0x51, 0x4c]
 * const { witness } = htlcInputScripts({ scheme: 'p2wsh', kind: 'refund', ...parts });
 * witness?.map(({ length }) => length); // → [71, 1, 107]
 * ```
 */
export function htlcInputScripts(unlocking: HtlcUnlocking): InputScripts {
  const { scheme, signature, redeemScript, kind } = unlocking;
  const branch = kind === 'spend' ? [unlocking.secret, EMPTY] : kind === 'refund' ? [TRUE] : [];
  if (scheme === 'p2wsh') return { scriptSig: EMPTY, witness: [signature, ...branch, redeemScript] };
  const choice = kind === 'refund' ? [Uint8Array.of(OP_1)] : branch.map(pushData);
  return { scriptSig: concatBytes([pushData(signature), ...choice, pushData(redeemScript)]) };
}

/**
 * Recognizes the input of a spend (signature, secret, 0, redeem script), of a watcher's spend preimage (signature, redeem script) and of a refund
 * (signature, 1, redeem script) under either scheme, and the same with any other zero or truth for 0 and 1, or with more items below, as blocks may hold
 * it. Undefined for any other, also for a witness program inside P2SH. Verifies neither signatures nor the secret.
 *
 * @example
 * ```ts
 * import {
 *   htlcInputScripts, htlcRedeemScript, parseHtlcInput, unixSecondsOf,
 * } from 'swapfold/htlc';
 *
 * const keys = { senderKey: new Uint8Array(33).fill(2), receiverKey: new Uint8Array(33).fill(3) };
 * const lockTime = unixSecondsOf(1_734_579_600);
 * const redeemScript = htlcRedeemScript({ ...keys, lockTime, secretHash: new Uint8Array(20) });
 * const signature = new Uint8Array(71);
 * const input = htlcInputScripts({ scheme: 'p2wsh', kind: 'refund', signature, redeemScript });
 * const { kind, scheme, terms } = parseHtlcInput(input) ?? {};
 * [kind, scheme, terms?.lockTime]; // → ['refund', 'p2wsh', 1_734_579_600]
 * ```
 */
export function parseHtlcInput(input: InputScripts): HtlcInput | undefined {
  const stack = stackOf(input);
  if (stack === undefined) return undefined;
  const { scheme, items } = stack;
  const redeemScript = items.at(-1)?.data;
  const terms = redeemScript === undefined ? undefined : parseHtlcRedeemScript(redeemScript);
  if (redeemScript === undefined || terms === undefined) return undefined;
  const base = { scheme, redeemScript, terms };
  if (items.length === 2) return signed(items[0], { kind: 'spendPreimage', ...base });
  const choice = items.at(-2);
  if (choice === undefined || choice.isTrue === null) return undefined;
  // Blocks may hold more below these in an input script, which nodes do not relay; never in a witness.
  if (scheme === 'p2wsh' && items.length !== (choice.isTrue ? 3 : 4)) return undefined;
  if (choice.isTrue) return signed(items.at(-3), { kind: 'refund', ...base });
  const secret = items.at(-3)?.data;
  if (secret?.length !== SECRET_BYTES) return undefined;
  return signed(items.at(-4), { kind: 'spend', secret, ...base });
}

function signed<T>(item: Item | undefined, rest: T): (T & Pick<HtlcInput, 'signature'>) | undefined {
  return item?.data === undefined ? undefined : { signature: item.data, ...rest };
}

type Item = {
  readonly data: Uint8Array | undefined;
  /** As OP_IF sees it; null for an operation that may not stand in the input of a script hash. */
  readonly isTrue: boolean | null;
};

/** A witness beside an input script belongs to a program in that script, or to nothing: no id covers it, so anybody can add one. */
function stackOf({
  scriptSig,
  witness = [],
}: InputScripts): { readonly scheme: ScriptScheme; readonly items: readonly Item[] } | undefined {
  if (scriptSig.length === 0) return { scheme: 'p2wsh', items: witness.map(witnessItem) };
  const ops = parseScript(scriptSig);
  return ops === undefined ? undefined : { scheme: 'p2sh', items: ops.map(pushedItem) };
}

function witnessItem(data: Uint8Array): Item {
  return { data: data.length === 0 ? undefined : data, isTrue: isTruth(data) };
}

function pushedItem({ opcode, data }: ScriptOp): Item {
  if (data !== undefined) return { data, isTrue: isTruth(data) };
  return { data, isTrue: opcode > OP_16 ? null : opcode !== OP_0 };
}

/** Every zero is false, a negative one too, however many bytes it has. */
function isTruth(bytes: Uint8Array): boolean {
  return bytes.some((byte, place) => byte !== 0 && !(byte === 0x80 && place === bytes.length - 1));
}

/**
 * The first input of a transaction in hex that spends a hash time lock; undefined if there is none.
 *
 * @example
 * ```ts
 * import {
 *   BITCOIN_FORM, bytesToHex, encodeTransaction, htlcInputOfHex, htlcInputScripts,
 *   htlcRedeemScript, LOCKED_SEQUENCE, unixSecondsOf,
 * } from 'swapfold/htlc';
 *
 * const keys = { senderKey: new Uint8Array(33).fill(2), receiverKey: new Uint8Array(33).fill(3) };
 * const lockTime = unixSecondsOf(1_734_579_600);
 * const redeemScript = htlcRedeemScript({ ...keys, lockTime, secretHash: new Uint8Array(20) });
 * const signature = new Uint8Array(71);
 * const scripts = htlcInputScripts({ scheme: 'p2sh', kind: 'refund', signature, redeemScript });
 * const input = { txid: 'ab'.repeat(32), vout: 0, sequence: LOCKED_SEQUENCE, ...scripts };
 * const outputs = [{ value: 1000n, script: redeemScript }];
 * const raw = encodeTransaction({ ...BITCOIN_FORM, inputs: [input], outputs, lockTime });
 * htlcInputOfHex(bytesToHex(raw))?.kind; // → 'refund'
 * htlcInputOfHex(bytesToHex(raw.subarray(1))); // → undefined
 * ```
 */
export function htlcInputOfHex(hex: string): HtlcInput | undefined {
  if (!isHex(hex)) return undefined;
  const decoded = decodeTransaction(hexToBytes(hex));
  const [first] = isTransactionProblem(decoded) ? [] : decoded.inputs;
  return first === undefined ? undefined : parseHtlcInput(first);
}

/**
 * The final transaction of a watcher's spend preimage: inserts the secret and the branch choice between the signature and the redeem script of the
 * first input, and keeps all other bytes. The signature covers neither the input script nor the witness, so it stays valid.
 *
 * Returns a problem if the bytes are not a transaction, its first input is not a spend preimage, or the secret does not have 32 bytes.
 *
 * @example
 * ```ts
 * import {
 *   BITCOIN_FORM, completeSpendPreimage, extractSecret, hash160, p2pkhScript, secretHashOf,
 *   signedSpend, unixSecondsOf, unsignedSpend,
 * } from 'swapfold/htlc';
 *
 * const [secret, receiverKey] = [new Uint8Array(32).fill(0x5e), new Uint8Array(33).fill(3)];
 * const secretHash = secretHashOf(secret);
 * const lockTime = unixSecondsOf(1_734_579_600);
 * const terms = { lockTime, senderKey: new Uint8Array(33).fill(2), receiverKey, secretHash };
 * const funding = { txid: 'ab'.repeat(32), vout: 0, value: 240_000_000n };
 * const request = { form: BITCOIN_FORM, terms, funding, fee: 1000n };
 * const to = p2pkhScript(hash160(receiverKey));
 * const unsigned = unsignedSpend({ kind: 'claim', ...request, to });
 * const { bytes } = signedSpend(unsigned, { signature: new Uint8Array(71) });
 * const claim = completeSpendPreimage(bytes, secret);
 * 'problem' in claim ? claim.problem : extractSecret(claim, secretHash); // → secret
 * ```
 */
export function completeSpendPreimage(rawTransaction: Uint8Array, secret: Uint8Array): Uint8Array | TransactionProblem {
  const decoded = decodeTransaction(rawTransaction);
  if (isTransactionProblem(decoded)) return decoded;
  const [first, ...others] = decoded.inputs;
  const parsed = first === undefined ? undefined : parseHtlcInput(first);
  if (first === undefined || parsed?.kind !== 'spendPreimage') {
    return { kind: 'malformed', problem: 'the first input is not a signature and the redeem script of a payment' };
  }
  if (secret.length !== SECRET_BYTES) {
    return { kind: 'malformed', problem: `the secret has ${secret.length} bytes, not ${SECRET_BYTES}` };
  }
  if (parsed.scheme === 'p2wsh') {
    const witness = [parsed.signature, secret, EMPTY, parsed.redeemScript];
    return encodeTransaction({ ...decoded, inputs: [{ ...first, witness }, ...others] });
  }
  const middle = parseScript(first.scriptSig)?.[1]?.offset ?? 0;
  const scriptSig = concatBytes([
    first.scriptSig.subarray(0, middle),
    pushData(secret),
    Uint8Array.of(OP_0),
    first.scriptSig.subarray(middle),
  ]);
  return encodeTransaction({ ...decoded, inputs: [{ ...first, scriptSig }, ...others] });
}
