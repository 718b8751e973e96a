import { concatBytes } from '../../htlc/byte-writer.ts';
import { pushData } from '../../htlc/script.ts';
import { type SignatureHasher, signatureHasher } from '../../htlc/signature-hash.ts';
import {
  type DecodedTransaction,
  LOCK_TIME_THRESHOLD,
  type TransactionInput,
  type TransactionOutput,
} from '../../htlc/transaction.ts';
import { decodeFulfillmentAgain } from '../conditions/decode.ts';
import { verifyFulfillment } from '../conditions/sign.ts';
import { verifyDer } from '../keys/secp256k1.ts';
import { type ScriptError, scriptErrorText } from '../script/errors.ts';
import { MANDATORY_FLAGS, type ScriptFlags } from '../script/flags.ts';
import { type SignatureChecker, verifyScript } from '../script/interpreter.ts';
import { OP_CHECKCRYPTOCONDITION } from '../script/opcodes.ts';
import { atOnce, type Steps } from '../turns.ts';
import { invalid, nonstandard, type Refusal } from './refusal.ts';

/** What the scripts of a transaction are checked with. */
export type ScriptTerms = {
  /** The output that each input spends, in the order of the inputs. */
  readonly spent: readonly TransactionOutput[];
  /** Whether the module with this code lets the transaction spend. */
  readonly evaluate: (code: Uint8Array) => boolean;
  readonly flags: ScriptFlags;
  /** Whether the chain supports crypto-conditions. */
  readonly cryptoConditions: boolean;
};

/** The first input whose script fails, and why; undefined if all pass. */
export function scriptFault(transaction: DecodedTransaction, terms: ScriptTerms): ScriptError | undefined {
  return atOnce(scriptSteps(transaction, terms));
}

/** Why the script of each input fails; undefined for each that passes. */
export function* inputFaults(transaction: DecodedTransaction, terms: ScriptTerms): Steps<(ScriptError | undefined)[]> {
  const judge = inputJudge(transaction, terms);
  const faults: (ScriptError | undefined)[] = [];
  for (const index of transaction.inputs.keys()) {
    faults.push(judge(index));
    yield;
  }
  return faults;
}

/** The same as {@link scriptFault}, one input at a time. */
function* scriptSteps(transaction: DecodedTransaction, terms: ScriptTerms): Steps<ScriptError | undefined> {
  const judge = inputJudge(transaction, terms);
  for (const index of transaction.inputs.keys()) {
    const error = judge(index);
    if (error !== undefined) return error;
    yield;
  }
  return undefined;
}

function inputJudge(transaction: DecodedTransaction, terms: ScriptTerms): (index: number) => ScriptError | undefined {
  const hasher = signatureHasher(transaction);
  const flags = { ...terms.flags, cryptoConditions: terms.cryptoConditions };
  return (index) => {
    const input = transaction.inputs[index] as TransactionInput;
    const output = terms.spent[index] as TransactionOutput;
    const checker = signatureChecker({ transaction, input, index, output, hasher, evaluate: terms.evaluate });
    return verifyScript({ scriptSig: input.scriptSig, scriptPubKey: output.script, flags, checker });
  };
}

/** The scripts by the rules of the chain. */
export function* checkScripts(
  transaction: DecodedTransaction,
  terms: Omit<ScriptTerms, 'flags'>,
): Steps<Refusal | undefined> {
  const error = yield* scriptSteps(transaction, { flags: MANDATORY_FLAGS, ...terms });
  return error === undefined ? undefined : invalid(`mandatory-script-verify-flag-failed (${scriptErrorText(error)})`);
}

/**
 * The scripts by the relay rules of nodes. A refusal is of class "nonstandard" if the chain would accept the transaction, so that its sender is not
 * taken for a cheater. The reason is always the first one found here. Source: smart-chain node, from Bitcoin.
 */
export function* checkRelayedScripts(
  transaction: DecodedTransaction,
  { flags, ...terms }: ScriptTerms,
): Steps<Refusal | undefined> {
  const error = yield* scriptSteps(transaction, { ...terms, flags });
  if (error === undefined) return undefined;
  const text = scriptErrorText(error);
  const broken = (yield* checkScripts(transaction, terms)) !== undefined;
  return broken
    ? invalid(`mandatory-script-verify-flag-failed (${text})`)
    : nonstandard(`non-mandatory-script-verify-flag (${text})`);
}

type Signed = {
  readonly transaction: DecodedTransaction;
  readonly input: TransactionInput;
  readonly index: number;
  readonly output: TransactionOutput;
  readonly hasher: SignatureHasher;
  readonly evaluate: (code: Uint8Array) => boolean;
};

function signatureChecker({ transaction, input, index, output, hasher, evaluate }: Signed): SignatureChecker {
  const hashOf = (hashType: number, scriptCode: Uint8Array) =>
    hasher({ input: index, scriptCode, amount: output.value, hashType });
  return {
    checkSignature({ signature, publicKey, scriptCode }) {
      const hash = hashOf(signature.at(-1) as number, scriptCode);
      return hash !== undefined && verifyDer({ hash, signature: signature.subarray(0, -1), publicKey });
    },
    checkLockTime: (lockTime) => keepsLockTime(transaction, { input, lockTime }),
    checkSequence: () => true,
    checkCryptoCondition({ condition, fulfillment }) {
      const body = fulfillment.subarray(0, -1);
      const shown = decodeFulfillmentAgain(body);
      if (shown === undefined) return 'invalid';
      // The node signs the output as rebuilt from the condition, so without what follows it.
      const paid = concatBytes([pushData(condition), Uint8Array.of(OP_CHECKCRYPTOCONDITION)]);
      const hash = hashOf(fulfillment.at(-1) as number, paid);
      return hash !== undefined && verifyFulfillment(shown, { condition, hash, evaluate }) ? 'ok' : 'false';
    },
  };
}

/** BIP 65: the transaction is locked at least as long as the script requires, in the same unit, and its lock is in force. */
function keepsLockTime(
  { lockTime: own }: DecodedTransaction,
  asked: { input: TransactionInput; lockTime: bigint },
): boolean {
  const byHeight = asked.lockTime < BigInt(LOCK_TIME_THRESHOLD);
  if (byHeight !== own < LOCK_TIME_THRESHOLD) return false;
  return asked.lockTime <= BigInt(own) && asked.input.sequence !== 0xffff_ffff;
}
