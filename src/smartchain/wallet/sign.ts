import { concatBytes } from '../../htlc/byte-writer.ts';
import { pushData } from '../../htlc/script.ts';
import { hash160 } from '../../primitives/hash.ts';
import { sameBytes } from '../../primitives/hex.ts';
import type { Condition } from '../conditions/condition.ts';
import { encodeCondition, encodeFulfillment } from '../conditions/encode.ts';
import { conditionOf, fulfillmentScriptSig, tokenCondition } from '../conditions/scripts.ts';
import { signCondition } from '../conditions/sign.ts';
import { signDer } from '../keys/secp256k1.ts';
import { classifyScript } from '../script/classify.ts';
import { EVAL_TOKENS } from '../tokens/payload.ts';
import { signatureHasher } from '../transaction/signature-hash.ts';
import { SIGHASH_ALL, type Transaction, type TxOutput } from '../transaction/transaction.ts';
import { type Keyring, keyOfHash, type WalletKey } from './keyring.ts';

export type SigningTerms = {
  /** The output that each input spends, in the order of the inputs. */
  readonly spent: readonly TxOutput[];
  readonly ring: Keyring;
  /** Modules besides the token one whose outputs are spent, as non-fungible tokens are. @defaultValue none */
  readonly boundEvals?: readonly number[];
};

/** A transaction with the scripts of all inputs whose keys are held, and the indices of the others. */
export type Signing = { readonly transaction: Transaction; readonly unsigned: readonly number[] };

/**
 * Signs every input that the keys open: payments to a key or its hash, and outputs of the token module that one of the keys
 * owns. All signatures commit to the whole transaction (SIGHASH_ALL) and are made without randomness (RFC 6979).
 */
export function signTransaction(transaction: Transaction, terms: SigningTerms): Signing {
  const hasher = signatureHasher(transaction);
  const unsigned: number[] = [];
  const inputs = transaction.inputs.map((input, index) => {
    const output = terms.spent[index] as TxOutput;
    const hash = hasher({ input: index, scriptCode: output.script, amount: output.value, hashType: SIGHASH_ALL });
    const scriptSig = hash === undefined ? undefined : inputScript(output.script, { hash, ...terms });
    if (scriptSig === undefined) unsigned.push(index);
    return { ...input, scriptSig: scriptSig ?? input.scriptSig };
  });
  return { transaction: { ...transaction, inputs }, unsigned };
}

type InputTerms = Omit<SigningTerms, 'spent'> & { readonly hash: Uint8Array };

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

/** An output names its condition by hash alone, so the shapes that a held key can own are tried. */
function conditionInput(script: Uint8Array, { ring, hash, boundEvals = [] }: InputTerms): Uint8Array | undefined {
  const paid = conditionOf(script)?.condition;
  if (paid === undefined) return undefined;
  for (const key of ring.keys.values()) {
    if (!key.compressed) continue;
    for (const condition of conditionsOf(key, boundEvals)) {
      if (!sameBytes(encodeCondition(condition), paid)) continue;
      const fulfillment = encodeFulfillment(signCondition(condition, { hash, secretKey: key.secretKey }));
      return fulfillment === undefined ? undefined : fulfillmentScriptSig(fulfillment);
    }
  }
  return undefined;
}

function conditionsOf({ publicKey }: WalletKey, boundEvals: readonly number[]): Condition[] {
  const keys = [publicKey];
  const bound = boundEvals.map((code) => tokenCondition({ evals: [code, EVAL_TOKENS], keys }));
  return [tokenCondition({ evals: [EVAL_TOKENS], keys }), ...bound];
}
