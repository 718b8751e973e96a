import { bytesToHex } from '../../primitives/hex.ts';
import { isCoinbase } from '../../smartchain/chain/check-transaction.ts';
import type { Prefixes } from '../../smartchain/params.ts';
import { scriptAsm } from '../../smartchain/script/asm.ts';
import type { ShieldedPart, Transaction, TxInput, TxOutput } from '../../smartchain/transaction/transaction.ts';
import { coins, whole } from './amount.ts';
import { listOf } from './json-text.ts';
import { scriptJson } from './script-json.ts';
import { joinSplitJson, shieldedOutputJson, shieldedSpendJson } from './shielded-json.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a view of the chain knows beyond the transaction itself. */
export type ChainFacts = {
  /** Members behind the version. */
  readonly head?: Members;
  /** Members between the coin and the script of an input. */
  readonly payer?: (input: TxInput) => Members;
  /** Members between the script and the sequence of an input. */
  readonly input?: (input: TxInput) => Members;
  /** Members at the end of an output. */
  readonly output?: (vout: number) => Members;
};

export type DecodeOptions = {
  readonly txid: string;
  readonly prefixes: Prefixes;
  /** How an output's satoshis are called: decoderawtransaction says Zat, getrawtransaction says Sat. */
  readonly satoshis: 'valueZat' | 'valueSat';
  readonly facts?: ChainFacts;
};

/** A transaction in the layout of decoderawtransaction and getrawtransaction, member for member; long lists in it are lazy. */
export function decodedTransaction(transaction: Transaction, options: DecodeOptions): Members {
  const { overwintered, version, versionGroupId, lockTime, expiryHeight, shielded } = transaction;
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
    ...(overwintered && version === 4 ? saplingJson(shielded) : {}),
  };
}

function coinbaseJson({ scriptSig, sequence }: TxInput): Members {
  return { coinbase: bytesToHex(scriptSig), sequence };
}

function inputJson(input: TxInput, { facts }: DecodeOptions): Members {
  const { txid, vout, scriptSig, sequence } = input;
  const script = { asm: scriptAsm(scriptSig, { signatureHashTypes: true }), hex: bytesToHex(scriptSig) };
  return { txid, vout, ...facts?.payer?.(input), scriptSig: script, ...facts?.input?.(input), sequence };
}

function outputJson(at: { readonly output: TxOutput; readonly vout: number }, options: DecodeOptions): Members {
  const { value, script } = at.output;
  return {
    value: coins(value),
    [options.satoshis]: whole(value),
    n: at.vout,
    scriptPubKey: scriptJson(script, options.prefixes),
    ...options.facts?.output?.(at.vout),
  };
}

function saplingJson({ valueBalance, spends, outputs, bindingSignature }: ShieldedPart): Members {
  const seal = bindingSignature.length === 0 ? {} : { bindingSig: bytesToHex(bindingSignature) };
  return {
    valueBalance: coins(valueBalance),
    vShieldedSpend: listOf(spends, shieldedSpendJson),
    vShieldedOutput: listOf(outputs, shieldedOutputJson),
    ...seal,
  };
}
