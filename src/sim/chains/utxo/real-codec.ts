import { feeScripts } from '../../../htlc/dex-fee.ts';
import {
  completeSpendPreimage,
  htlcInputScripts,
  type InputScripts,
  parseHtlcInput,
} from '../../../htlc/htlc-input.ts';
import { keyInputScripts } from '../../../htlc/key-input.ts';
import { KDF_NETWORK, type NetworkProfile } from '../../../htlc/network-profile.ts';
import {
  type HtlcTerms,
  htlcRedeemScript,
  htlcTermsProblem,
  OP_RETURN,
  opReturnScript,
  p2pkhScript,
  paidScript,
  parseScript,
  payToScript,
  type ScriptScheme,
} from '../../../htlc/script.ts';
import { BITCOIN_FORM } from '../../../htlc/spend.ts';
import {
  type DecodedTransaction,
  decodeTransaction,
  FINAL_SEQUENCE,
  isTransactionProblem,
  LOCKED_SEQUENCE,
  type TransactionInput,
  type TransactionOutput,
} from '../../../htlc/transaction.ts';
import { encodeTransaction, transactionId } from '../../../htlc/transaction-encoding.ts';
import type { PaymentTerms } from '../../../ports/chain.ts';
import { hash160, sha256 } from '../../../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex, sameBytes } from '../../../primitives/hex.ts';
import { formOfCoin } from '../../coin-forms.ts';
import { secretMatches } from '../secret-check.ts';
import { derSignature } from '../signature.ts';
import type { DraftInput, HtlcScript, UtxoCodec, UtxoDraft } from './codec.ts';
import type { Unlock, UtxoInput, UtxoOutput, UtxoTransaction } from './transaction.ts';

/** What makes one real chain's bytes differ from another's. */
export type RealForm = {
  /** @defaultValue 'p2sh' */
  readonly scheme?: ScriptScheme;
  /** Whose fee address counts. @defaultValue KDF's network */
  readonly network?: NetworkProfile;
};

type Form = {
  readonly coin: string;
  readonly scheme: ScriptScheme;
  readonly scripts: { readonly fee: Uint8Array; readonly burn: Uint8Array } | null;
};

/** A codec of the bytes of a real UTXO chain, with the scripts and outputs of KDF; see {@link UtxoCodec}. */
export function realUtxoCodec(coin: string, { scheme = 'p2sh', network = KDF_NETWORK }: RealForm = {}): UtxoCodec {
  const form: Form = { coin, scheme, scripts: network.tradingFee === null ? null : feeScripts(network.tradingFee) };
  const known = new Map<string, UtxoTransaction | null>();
  const decode = (hex: string): UtxoTransaction | null => {
    let transaction = known.get(hex);
    if (transaction === undefined) {
      transaction = decodeHex(form, hex);
      known.set(hex, transaction);
    }
    return transaction;
  };
  return {
    addressOf: (key) => (isHex(key) ? bytesToHex(hash160(hexToBytes(key))) : ''),
    nameOf: (swap) => swap.replaceAll('-', ''),
    scriptOf: (terms) => scriptOf(form, terms),
    encode: (draft) => {
      const transaction = decode(encodeDraft(form, draft));
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

function scriptOf({ scheme }: Form, terms: PaymentTerms): HtlcScript | null {
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
    id: lockIdOf(redeem, scheme),
    text: bytesToHex(redeem),
    lockTime: lock,
    secretHash,
    sender: bytesToHex(hash160(htlcTerms.senderKey)),
    receiver: bytesToHex(hash160(htlcTerms.receiverKey)),
  };
}

/** The hash by which an output names its script. */
function lockIdOf(redeem: Uint8Array, scheme: ScriptScheme): string {
  return bytesToHex(scheme === 'p2sh' ? hash160(redeem) : sha256(redeem));
}

function encodeDraft(form: Form, draft: UtxoDraft): string {
  const [first, ...others] = draft.outputs.map((output) => scriptedOutput(form, output));
  const outputs = first === undefined ? [] : [first];
  if (draft.data !== undefined) outputs.push({ value: 0n, script: opReturnScript(hexToBytes(draft.data)) });
  outputs.push(...others);
  const sources = draft.inputs.length === 0 ? [FROM_NOTHING] : draft.inputs;
  const blank = sources.map(({ txid, vout, final }) => ({
    txid,
    vout,
    scriptSig: EMPTY,
    sequence: final ? FINAL_SEQUENCE : LOCKED_SEQUENCE,
  }));
  const native = form.scheme === 'p2wsh' && draft.inputs.some(({ by }) => by !== 'key');
  const unsigned: DecodedTransaction = {
    ...(form.scheme === 'p2wsh' ? BITCOIN_FORM : formOfCoin(form.coin)),
    inputs: blank,
    outputs,
    lockTime: draft.lockTime,
  };
  const digest = digestOf(unsigned);
  const inputs = blank.map((input, index): TransactionInput => {
    const from = draft.inputs[index];
    return from === undefined
      ? input
      : { ...input, ...unlocking(form, from, { signature: derSignature(digest, from.signer.key) }) };
  });
  return bytesToHex(encodeTransaction({ ...unsigned, ...(native ? { format: 'segwit' } : {}), inputs }));
}

const EMPTY = new Uint8Array(0);

/** Hash over all but the input scripts and witnesses, in which the signatures stand. */
function digestOf(transaction: DecodedTransaction): string {
  const inputs = transaction.inputs.map(({ witness: _, ...input }) => ({ ...input, scriptSig: EMPTY }));
  const format = transaction.format === 'segwit' ? 'legacy' : transaction.format;
  return bytesToHex(sha256(encodeTransaction({ ...transaction, format, inputs })));
}

function unlocking(
  { scheme }: Form,
  input: DraftInput,
  { signature }: { readonly signature: Uint8Array },
): InputScripts {
  if (input.by === 'key') return keyInputScripts({ scheme: 'p2pkh', signature, key: hexToBytes(input.signer.key) });
  const parts = { scheme, signature, redeemScript: hexToBytes(input.script.text) };
  if (input.by === 'secret') return htlcInputScripts({ ...parts, kind: 'spend', secret: hexToBytes(input.secret) });
  return htlcInputScripts({ ...parts, kind: input.by === 'refund' ? 'refund' : 'spendPreimage' });
}

function scriptedOutput({ scheme, scripts }: Form, { kind, value, lock }: UtxoOutput): TransactionOutput {
  if (kind === 'data') return { value, script: lock === '' ? opReturnScript() : opReturnScript(hexToBytes(lock)) };
  if (kind === 'burn') return { value, script: scripts?.burn ?? opReturnScript() };
  if (kind === 'dexFee') return { value, script: scripts?.fee ?? opReturnScript() };
  const hash = hexToBytes(lock);
  return { value, script: kind === 'key' ? p2pkhScript(hash) : hashScript(hash, scheme) };
}

/** The output script that pays to the hash of a script, from the hash alone. */
function hashScript(hash: Uint8Array, scheme: ScriptScheme): Uint8Array {
  const script = payToScript(EMPTY, scheme);
  script.set(hash, 2);
  return script;
}

const KEY_SCRIPT_BYTES = 25;

const NAME_BYTES = 16;

/** The uuid that an output of data holds, in hex; empty for other data and for burns. */
function nameIn(script: Uint8Array): string {
  const isName = script.length === NAME_BYTES + 2 && script[1] === NAME_BYTES;
  return isName ? bytesToHex(script.subarray(2)) : '';
}

function outputOf({ scheme, scripts }: Form, { value, script }: TransactionOutput): UtxoOutput {
  if (scripts !== null && sameBytes(script, scripts.fee)) {
    return { kind: 'dexFee', value, lock: bytesToHex(script.subarray(3, 23)) };
  }
  if (script[0] === OP_RETURN) return { kind: value > 0n ? 'burn' : 'data', value, lock: nameIn(script) };
  if (scripts !== null && sameBytes(script, scripts.burn)) return { kind: 'burn', value, lock: '' };
  const paid = paidScript(script);
  if (paid?.scheme === scheme) return { kind: 'htlc', value, lock: bytesToHex(paid.hash) };
  if (script.length !== KEY_SCRIPT_BYTES) return { kind: 'data', value, lock: '' };
  return { kind: 'key', value, lock: bytesToHex(script.subarray(3, 23)) };
}

function decodeHex(form: Form, hex: string): UtxoTransaction | null {
  if (!isHex(hex)) return null;
  const bytes = hexToBytes(hex);
  const decoded = decodeTransaction(bytes);
  if (isTransactionProblem(decoded) || (decoded.format === 'segwit' && form.scheme !== 'p2wsh')) return null;
  const digest = digestOf(decoded);
  const inputs = decoded.inputs.map(
    (input): UtxoInput => ({
      txid: input.txid,
      vout: input.vout,
      final: input.sequence === FINAL_SEQUENCE,
      unlock: unlockOf(form, input, digest),
    }),
  );
  const funding = inputs.length === 1 && inputs[0]?.txid === NOTHING;
  return {
    id: transactionId(bytes, decoded),
    hex,
    inputs: funding ? [] : inputs,
    outputs: decoded.outputs.map((output) => outputOf(form, output)),
    lockTime: decoded.lockTime,
  };
}

/** The source of the outputs with which a simulation starts. */
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

function unlockOf({ scheme }: Form, scripts: InputScripts, digest: string): Unlock {
  const input = parseHtlcInput(scripts);
  if (input === undefined || input.scheme !== scheme) return keyUnlock(scripts.scriptSig, digest);
  const { terms, signature, redeemScript } = input;
  const key = input.kind === 'refund' ? terms.senderKey : terms.receiverKey;
  const secret = input.kind === 'spend' ? bytesToHex(input.secret) : null;
  return {
    by: input.kind === 'spend' ? 'secret' : input.kind === 'refund' ? 'refund' : 'bare',
    lock: lockIdOf(redeemScript, scheme),
    signer: bytesToHex(hash160(key)),
    signed: sameBytes(signature, derSignature(digest, bytesToHex(key))),
    secret,
    hashed: secret !== null && secretMatches(secret, bytesToHex(terms.secretHash)),
    lockTime: terms.lockTime,
  };
}

function keyUnlock(script: Uint8Array, digest: string): Unlock {
  const [signature, key, ...others] = (parseScript(script) ?? []).map(({ data }) => data);
  if (signature === undefined || key === undefined || key.length !== 33 || others.length > 0) return UNKNOWN;
  const address = bytesToHex(hash160(key));
  const signed = sameBytes(signature, derSignature(digest, bytesToHex(key)));
  return { by: 'key', lock: address, signer: address, signed, secret: null, hashed: false, lockTime: 0 };
}
