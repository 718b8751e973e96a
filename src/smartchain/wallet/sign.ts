import { concatBytes } from '../../htlc/byte-writer.ts';
import { pushData } from '../../htlc/script.ts';
import { SIGHASH_ALL, signatureHasher } from '../../htlc/signature-hash.ts';
import type { DecodedTransaction, TransactionInput, TransactionOutput } from '../../htlc/transaction.ts';
import { hash160 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { Condition } from '../conditions/condition.ts';
import { encodeCondition, encodeFulfillment } from '../conditions/encode.ts';
import { signCondition } from '../conditions/sign.ts';
import { EVAL_TOKENS } from '../eval-codes.ts';
import { signDer } from '../keys/secp256k1.ts';
import { classifyScript } from '../script/classify.ts';
import { conditionOf, fulfillmentScriptSig, tokenCondition } from '../script/condition-scripts.ts';
import { atOnce, type Steps } from '../turns.ts';
import { type Keyring, keyOfHash } from './keyring.ts';

export type SigningTerms = {
  /** The output that each input spends, in the order of the inputs. */
  readonly spent: readonly TransactionOutput[];
  readonly ring: Keyring;
  /** Modules besides the token one whose outputs are spent, as non-fungible tokens are. @defaultValue none */
  readonly boundEvals?: readonly number[];
};

/** A transaction with the scripts of all inputs whose keys are held, and the indices of the others. */
export type Signing = { readonly transaction: DecodedTransaction; readonly unsigned: readonly number[] };

/**
 * Signs every input that the keys can spend: payments to a key or its hash, and outputs of the token module that one of the keys owns. All signatures
 * commit to the whole transaction (SIGHASH_ALL) and use no randomness (RFC 6979).
 */
export function signTransaction(transaction: DecodedTransaction, terms: SigningTerms): Signing {
  return atOnce(signingSteps(transaction, terms));
}

/** The same, an input at a time. */
export function* signingSteps(transaction: DecodedTransaction, terms: SigningTerms): Steps<Signing> {
  const hasher = signatureHasher(transaction);
  const owned = ownedConditions(terms);
  const unsigned: number[] = [];
  const inputs: TransactionInput[] = [];
  for (const [index, input] of transaction.inputs.entries()) {
    const output = terms.spent[index] as TransactionOutput;
    // Of an output with a condition the node signs no more than the condition.
    const scriptCode = conditionOf(output.script)?.paid ?? output.script;
    const hash = hasher({ input: index, scriptCode, amount: output.value, hashType: SIGHASH_ALL });
    const scriptSig = hash === undefined ? undefined : inputScript(output.script, { hash, owned, ring: terms.ring });
    if (scriptSig === undefined) unsigned.push(index);
    inputs.push({ ...input, scriptSig: scriptSig ?? input.scriptSig });
    yield;
  }
  return { transaction: { ...transaction, inputs }, unsigned };
}

type InputTerms = { readonly hash: Uint8Array; readonly ring: Keyring; readonly owned: () => OwnedConditions };

function inputScript(script: Uint8Array, terms: InputTerms): Uint8Array | undefined {
  const { type, solutions, stripped } = classifyScript(script);
  const [first] = solutions;
  if (first === undefined || stripped !== undefined) return undefined;
  if (type === 'cryptocondition') return conditionInput(script, terms);
  if (type !== 'pubkey' && type !== 'pubkeyhash') return undefined;
  const key = keyOfHash(terms.ring, type === 'pubkey' ? hash160(first) : first);
  if (key === undefined) return undefined;
  const signature = concatBytes([signDer({ hash: terms.hash, secretKey: key.secretKey }), Uint8Array.of(SIGHASH_ALL)]);
  return type === 'pubkey' ? pushData(signature) : concatBytes([pushData(signature), pushData(key.publicKey)]);
}

type OwnedConditions = ReadonlyMap<string, { readonly condition: Condition; readonly secretKey: Uint8Array }>;

/**
 * An output names its condition by hash alone, so all that the held keys can own are written once, by the hex of their DER, when
 * the first one is asked for.
 */
function ownedConditions({ ring, boundEvals = [] }: SigningTerms): () => OwnedConditions {
  let found: OwnedConditions | undefined;
  return () => {
    found ??= new Map(
      [...ring.keys.values()]
        .filter(({ compressed }) => compressed)
        .flatMap(({ publicKey, secretKey }) =>
          [[], ...boundEvals.map((code) => [code])].map((bound) => {
            const condition = tokenCondition({ evals: [...bound, EVAL_TOKENS], keys: [publicKey] });
            return [bytesToHex(encodeCondition(condition)), { condition, secretKey }] as const;
          }),
        ),
    );
    return found;
  };
}

function conditionInput(script: Uint8Array, { hash, owned }: InputTerms): Uint8Array | undefined {
  const paid = conditionOf(script)?.condition;
  const own = paid === undefined ? undefined : owned().get(bytesToHex(paid));
  if (own === undefined) return undefined;
  const fulfillment = encodeFulfillment(signCondition(own.condition, { hash, secretKey: own.secretKey }));
  return fulfillment === undefined ? undefined : fulfillmentScriptSig(fulfillment);
}
