import { concatBytes } from '../../../htlc/byte-writer.ts';
import { DEX_FEE_KEY_HASH } from '../../../htlc/dex-fee.ts';
import {
  completeSpendPreimage,
  type HtlcTerms,
  htlcRedeemScript,
  htlcTermsProblem,
  OP_0,
  OP_1,
  OP_RETURN,
  p2pkhScript,
  p2shScript,
  parseHtlcInput,
  parseHtlcRedeemScript,
  parseScript,
  pushData,
} from '../../../htlc/script.ts';
import {
  type DecodedTransaction,
  decodeTransaction,
  FINAL_SEQUENCE,
  isTransactionProblem,
  LOCKED_SEQUENCE,
  SAPLING_GROUP_ID,
  type TransactionInput,
  type TransactionOutput,
} from '../../../htlc/transaction.ts';
import { encodeTransaction, transactionId } from '../../../htlc/transaction-encoding.ts';
import type { PaymentTerms } from '../../../ports/chain.ts';
import { hash160, sha256 } from '../../../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex, sameBytes } from '../../../primitives/hex.ts';
import { secretMatches } from '../secret-check.ts';
import { derSignature } from '../signature.ts';
import type { DraftInput, HtlcScript, UtxoCodec, UtxoDraft } from './codec.ts';
import type { Unlock, UtxoInput, UtxoOutput, UtxoTransaction } from './transaction.ts';

/** Coins of the smart-chain family, whose transactions are of Zcash's version 4. All others get Bitcoin's first form. */
const SAPLING_COINS = new Set(['KMD', 'DOC', 'MARTY', 'RICK', 'MORTY', 'VRSC', 'DEX', 'ZEC']);

/** A codec of the bytes of a real UTXO chain, with the scripts and outputs of KDF; see {@link UtxoCodec}. */
export function realUtxoCodec(coin: string): UtxoCodec {
  const known = new Map<string, UtxoTransaction | null>();
  const decode = (hex: string): UtxoTransaction | null => {
    let transaction = known.get(hex);
    if (transaction === undefined) {
      transaction = decodeHex(hex);
      known.set(hex, transaction);
    }
    return transaction;
  };
  return {
    addressOf: (key) => (isHex(key) ? bytesToHex(hash160(hexToBytes(key))) : ''),
    scriptOf,
    encode: (draft) => {
      const transaction = decode(encodeDraft(coin, draft));
      if (transaction === null) throw new RangeError('a draft of a transaction gives bytes that cannot be read');
      return transaction;
    },
    decode,
    complete: (preimage, secret) => {
      if (!isHex(preimage) || !isHex(secret)) return null;
      const bytes = completeSpendPreimage(hexToBytes(preimage), hexToBytes(secret));
      return isTransactionProblem(bytes) ? null : decode(bytesToHex(bytes));
    },
  };
}

function scriptOf(terms: PaymentTerms): HtlcScript | null {
  const { lock, secretHash, sender, receiver } = terms;
  if (![secretHash, sender, receiver].every(isHex)) return null;
  const htlcTerms: HtlcTerms = {
    lockTime: lock,
    secretHash: hexToBytes(secretHash),
    senderKey: hexToBytes(sender),
    receiverKey: hexToBytes(receiver),
  };
  if (htlcTermsProblem(htlcTerms) !== undefined) return null;
  const redeem = htlcRedeemScript(htlcTerms);
  return {
    id: bytesToHex(hash160(redeem)),
    text: bytesToHex(redeem),
    lockTime: lock,
    secretHash,
    sender: bytesToHex(hash160(htlcTerms.senderKey)),
    receiver: bytesToHex(hash160(htlcTerms.receiverKey)),
  };
}

function encodeDraft(coin: string, draft: UtxoDraft): string {
  const [first, ...others] = draft.outputs.map(scriptedOutput);
  const outputs = first === undefined ? [] : [first];
  if (draft.data !== undefined) {
    outputs.push({ value: 0n, script: concatBytes([Uint8Array.of(OP_RETURN), pushData(hexToBytes(draft.data))]) });
  }
  outputs.push(...others);
  const sources = draft.inputs.length === 0 ? [FROM_NOTHING] : draft.inputs;
  const blank = sources.map(({ txid, vout, final }) => ({
    txid,
    vout,
    scriptSig: new Uint8Array(0),
    sequence: final ? FINAL_SEQUENCE : LOCKED_SEQUENCE,
  }));
  const unsigned = inForm(coin, { inputs: blank, outputs, lockTime: draft.lockTime });
  const digest = digestOf(unsigned);
  const inputs = blank.map((input, index): TransactionInput => {
    const from = draft.inputs[index];
    return from === undefined ? input : { ...input, scriptSig: scriptSig(from, derSignature(digest, from.signer.key)) };
  });
  return bytesToHex(encodeTransaction({ ...unsigned, inputs }));
}

type Body = Pick<DecodedTransaction, 'inputs' | 'outputs' | 'lockTime'>;

function inForm(coin: string, body: Body): DecodedTransaction {
  return SAPLING_COINS.has(coin)
    ? { format: 'sapling', version: 4, versionGroupId: SAPLING_GROUP_ID, expiryHeight: 0, valueBalance: 0n, ...body }
    : { format: 'legacy', version: 1, ...body };
}

/** Hash over all but the input scripts, in which the signatures stand. */
function digestOf(transaction: DecodedTransaction): string {
  const inputs = transaction.inputs.map((input) => ({ ...input, scriptSig: new Uint8Array(0) }));
  return bytesToHex(sha256(encodeTransaction({ ...transaction, inputs })));
}

function scriptSig(input: DraftInput, signature: Uint8Array): Uint8Array {
  if (input.by === 'key') return concatBytes([pushData(signature), pushData(hexToBytes(input.signer.key))]);
  const redeem = pushData(hexToBytes(input.script.text));
  if (input.by === 'bare') return concatBytes([pushData(signature), redeem]);
  if (input.by === 'refund') return concatBytes([pushData(signature), Uint8Array.of(OP_1), redeem]);
  const secret = input.by === 'secret' ? hexToBytes(input.secret) : new Uint8Array(0);
  return concatBytes([pushData(signature), pushData(secret), Uint8Array.of(OP_0), redeem]);
}

const KEY_SCRIPT_BYTES = 25;
const HASH_SCRIPT_BYTES = 23;

function scriptedOutput({ kind, value, lock }: UtxoOutput): TransactionOutput {
  if (kind === 'burn' || kind === 'data') return { value, script: Uint8Array.of(OP_RETURN) };
  if (kind === 'dexFee') return { value, script: p2pkhScript(hexToBytes(DEX_FEE_KEY_HASH)) };
  const hash = hexToBytes(lock);
  return { value, script: kind === 'key' ? p2pkhScript(hash) : hashScript(hash) };
}

const SCRIPT_OF_NOTHING = p2shScript(new Uint8Array(0));

/** The output script that pays to the hash of a script, from the hash alone. */
function hashScript(hash: Uint8Array): Uint8Array {
  const script = SCRIPT_OF_NOTHING.slice();
  script.set(hash, 2);
  return script;
}

function outputOf({ value, script }: TransactionOutput): UtxoOutput {
  if (script[0] === OP_RETURN) return { kind: value > 0n ? 'burn' : 'data', value, lock: '' };
  if (script.length === HASH_SCRIPT_BYTES) return { kind: 'htlc', value, lock: bytesToHex(script.subarray(2, 22)) };
  if (script.length !== KEY_SCRIPT_BYTES) return { kind: 'data', value, lock: '' };
  const lock = bytesToHex(script.subarray(3, 23));
  return { kind: lock === DEX_FEE_KEY_HASH ? 'dexFee' : 'key', value, lock };
}

function decodeHex(hex: string): UtxoTransaction | null {
  if (!isHex(hex)) return null;
  const bytes = hexToBytes(hex);
  const decoded = decodeTransaction(bytes);
  if (isTransactionProblem(decoded) || decoded.format === 'segwit') return null;
  const digest = digestOf(decoded);
  const inputs = decoded.inputs.map(
    ({ txid, vout, scriptSig: script, sequence }): UtxoInput => ({
      txid,
      vout,
      final: sequence === FINAL_SEQUENCE,
      unlock: unlockOf(script, digest),
    }),
  );
  const funding = inputs.length === 1 && inputs[0]?.txid === NOTHING;
  return {
    id: transactionId(bytes, decoded),
    hex,
    inputs: funding ? [] : inputs,
    outputs: decoded.outputs.map(outputOf),
    lockTime: decoded.lockTime,
  };
}

/** Where the outputs with which a simulation starts come from. */
const NOTHING = '0'.repeat(64);
const FROM_NOTHING = { txid: NOTHING, vout: 0, final: true };

const UNKNOWN: Unlock = {
  by: 'unknown',
  lock: '',
  signer: '',
  signed: false,
  secret: null,
  hashed: false,
  lockTime: 0,
};

function unlockOf(script: Uint8Array, digest: string): Unlock {
  const input = parseHtlcInput(script);
  if (input === undefined) return keyUnlock(script, digest);
  const { terms, signature, redeemScript } = input;
  const key = input.kind === 'refund' ? terms.senderKey : terms.receiverKey;
  const secret = input.kind === 'spend' ? bytesToHex(input.secret) : null;
  return {
    by: input.kind === 'spend' ? 'secret' : input.kind === 'refund' ? 'refund' : 'bare',
    lock: bytesToHex(hash160(redeemScript)),
    signer: bytesToHex(hash160(key)),
    signed: sameBytes(signature, derSignature(digest, bytesToHex(key))),
    secret,
    hashed: secret !== null && secretMatches(secret, bytesToHex(terms.secretHash)),
    lockTime: parseHtlcRedeemScript(redeemScript)?.lockTime ?? 0,
  };
}

function keyUnlock(script: Uint8Array, digest: string): Unlock {
  const [signature, key, ...others] = (parseScript(script) ?? []).map(({ data }) => data);
  if (signature === undefined || key === undefined || key.length !== 33 || others.length > 0) return UNKNOWN;
  const address = bytesToHex(hash160(key));
  const signed = sameBytes(signature, derSignature(digest, bytesToHex(key)));
  return { by: 'key', lock: address, signer: address, signed, secret: null, hashed: false, lockTime: 0 };
}
