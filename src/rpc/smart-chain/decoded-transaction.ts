import { NOTHING_SHIELDED, type ShieldedPart } from '../../htlc/shielded.ts';
import type { DecodedTransaction, TransactionInput, TransactionOutput } from '../../htlc/transaction.ts';
import { isOverwintered } from '../../htlc/transaction-encoding.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { isCoinbase } from '../../smartchain/chain/check-transaction.ts';
import type { Prefixes } from '../../smartchain/params.ts';
import { coins, whole } from './amount.ts';
import { listOf } from './json-text.ts';
import { inputScriptJson, scriptJson } from './script-json.ts';
import { joinSplitJson, shieldedOutputJson, shieldedSpendJson } from './shielded-json.ts';

type Members = Readonly<Record<string, unknown>>;

export type SpentMembers = { readonly payer: Members; readonly amount: Members };

/** What a view of the chain adds to the transaction itself. */
export type ChainFacts = {
  /** Members behind the version. */
  readonly head?: Members;
  /** Of what an input spends: members between the coin and the script, and between that and the sequence. */
  readonly spent?: (input: TransactionInput) => SpentMembers;
  /** Members at the end of an output. */
  readonly output?: (vout: number) => Members;
};

export type DecodeOptions = {
  readonly txid: string;
  readonly prefixes: Prefixes;
  /** Suffix of an output's satoshis: decoderawtransaction says Zat, getrawtransaction says Sat. */
  readonly satoshis: 'valueZat' | 'valueSat';
  readonly facts?: ChainFacts;
};

/** A transaction in the layout of decoderawtransaction and getrawtransaction, member for member; long lists in it are lazy. */
export function decodedTransaction(transaction: DecodedTransaction, options: DecodeOptions): Members {
  const { version, versionGroupId = 0, lockTime, expiryHeight = 0, shielded = NOTHING_SHIELDED } = transaction;
  const overwintered = isOverwintered(transaction);
  const group = overwintered ? { versiongroupid: versionGroupId.toString(16).padStart(8, '0') } : {};
  const expiry = overwintered ? { expiryheight: expiryHeight } : {};
  const coinbase = isCoinbase(transaction);
  return {
    txid: options.txid,
    overwintered,
    version,
    ...options.facts?.head,
    ...group,
    locktime: lockTime,
    ...expiry,
    vin: listOf(transaction.inputs, (input) => (coinbase ? coinbaseJson(input) : inputJson(input, options))),
    vout: listOf(transaction.outputs, (output, vout) => outputJson({ output, vout }, options)),
    vjoinsplit: listOf(shielded.joinSplits, joinSplitJson),
    ...(transaction.format === 'sapling' ? saplingJson(shielded, transaction.valueBalance) : {}),
  };
}

function coinbaseJson({ scriptSig, sequence }: TransactionInput): Members {
  return { coinbase: bytesToHex(scriptSig), sequence };
}

function inputJson(input: TransactionInput, { facts }: DecodeOptions): Members {
  const { txid, vout, scriptSig, sequence } = input;
  const spent = facts?.spent?.(input);
  return { txid, vout, ...spent?.payer, scriptSig: inputScriptJson(scriptSig), ...spent?.amount, sequence };
}

function outputJson(
  at: { readonly output: TransactionOutput; readonly vout: number },
  options: DecodeOptions,
): Members {
  const { value, script } = at.output;
  return {
    value: coins(value),
    [options.satoshis]: whole(value),
    n: at.vout,
    scriptPubKey: scriptJson(script, options.prefixes),
    ...options.facts?.output?.(at.vout),
  };
}

function saplingJson({ spends, outputs, bindingSignature }: ShieldedPart, valueBalance = 0n): Members {
  const seal = bindingSignature.length === 0 ? {} : { bindingSig: bytesToHex(bindingSignature) };
  return {
    valueBalance: coins(valueBalance),
    vShieldedSpend: listOf(spends, shieldedSpendJson),
    vShieldedOutput: listOf(outputs, shieldedOutputJson),
    ...seal,
  };
}
