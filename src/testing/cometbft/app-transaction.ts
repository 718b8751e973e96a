import { curve, hasLowS } from '../../curve/index.ts';
import { concatBytes } from '../../htlc/byte-writer.ts';
import { messageField, numberField, protoReader, readingProto } from '../../htlc/protobuf.ts';
import { tendermintAccount, tendermintAddress } from '../../htlc/tendermint-address.ts';
import { decodeCoins, type ModuleCoin, type TendermintMessage } from '../../htlc/tendermint-messages.ts';
import {
  decodeTendermintBody,
  decodeTendermintTransaction,
  SIGN_DIRECT,
  type SigningContext,
  signingHash,
} from '../../htlc/tendermint-transaction.ts';
import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { canonicalJson } from '../../primitives/json.ts';

/** A transaction as the application reads it: of one key, or of several of which some must sign. */
export type AppTransaction = {
  readonly messages: readonly TendermintMessage[];
  readonly memo: string;
  readonly timeoutHeight: bigint;
  readonly gas: bigint;
  readonly fee: readonly ModuleCoin[];
  readonly sequence: bigint;
  /** 40 hex digits. */
  readonly account: string;
  /** Null where there are several. */
  readonly key: Uint8Array | null;
  /** In bytes, without its signatures. */
  readonly size: number;
  readonly isSigned: (context: SigningContext) => boolean;
};

/** Undefined for bytes that the application does not take for a transaction. Never throws. */
export function readAppTransaction(bytes: Uint8Array): AppTransaction | undefined {
  return ofOneKey(bytes) ?? readingProto(() => ofSeveralKeys(bytes));
}

function ofOneKey(bytes: Uint8Array): AppTransaction | undefined {
  const read = decodeTendermintTransaction(bytes);
  if (read === undefined) return undefined;
  return {
    ...read,
    account: tendermintAccount(read.key) ?? '',
    size: read.bodyBytes.length + read.authInfoBytes.length,
    isSigned: (context) =>
      read.mode === SIGN_DIRECT && isSignature(read.signature, { hash: signingHash(read, context), key: read.key }),
  };
}

const SEVERAL_URL = '/cosmos.crypto.multisig.LegacyAminoPubKey';
const SIGN_AMINO_JSON = 127n;

function ofSeveralKeys(bytes: Uint8Array): AppTransaction | undefined {
  const raw = protoReader(bytes);
  const [signatures] = raw.all(3);
  const body = decodeTendermintBody(raw.bytes(1));
  const auth = protoReader(raw.bytes(2));
  const [signer] = auth.all(1);
  if (body === undefined || signer === undefined || signatures === undefined || auth.all(1).length > 1)
    return undefined;
  const info = protoReader(signer);
  const anyKey = protoReader(info.bytes(1));
  if (anyKey.text(1) !== SEVERAL_URL) return undefined;
  const several = protoReader(anyKey.bytes(2));
  const keys = several.all(2).map((one) => protoReader(protoReader(one).bytes(2)).bytes(1));
  const threshold = several.number(1);
  const fee = protoReader(auth.bytes(2));
  const coins = decodeCoins(fee.all(1));
  if (coins === undefined) return undefined;
  const said = { ...body, sequence: info.number(3), gas: fee.number(2), fee: coins };
  const multi = protoReader(protoReader(info.bytes(2)).bytes(2));
  const bits = protoReader(multi.bytes(1)).bytes(2);
  const signers = keys.filter((_, place) => (((bits[place >> 3] ?? 0) >> (7 - (place & 7))) & 1) === 1);
  const modes = multi.all(2).map((one) => protoReader(protoReader(one).bytes(1)).number(1));
  const given = protoReader(signatures).all(1);
  return {
    ...said,
    ...{ account: accountOfKeys(keys, threshold), key: null, size: raw.bytes(1).length + raw.bytes(2).length },
    isSigned: (context) => {
      const hash = aminoHash(said, context);
      const isFull = BigInt(signers.length) >= threshold && given.length === signers.length;
      const areRight = signers.every((key, place) => isSignature(given[place] ?? new Uint8Array(0), { hash, key }));
      return hash !== null && isFull && areRight && modes.every((mode) => mode === SIGN_AMINO_JSON);
    },
  };
}

const AMINO_SEVERAL = hexToBytes('22c1f7e2');
const AMINO_KEY = hexToBytes('eb5ae98721');

/** The account of several keys is that of their list in the older encoding of the Cosmos SDK. */
function accountOfKeys(keys: readonly Uint8Array[], threshold: bigint): string {
  const all = keys.map((key) => messageField(2, concatBytes([AMINO_KEY, key])));
  return bytesToHex(sha256(concatBytes([AMINO_SEVERAL, numberField(1, threshold), ...all]))).slice(0, 40);
}

type Said = Pick<AppTransaction, 'messages' | 'memo' | 'timeoutHeight' | 'gas' | 'fee' | 'sequence'>;

/** What each of several keys signs; null for messages that have no such form here. */
function aminoHash(
  { messages, memo, timeoutHeight, gas, fee, sequence }: Said,
  { chainId, accountNumber }: SigningContext,
): Uint8Array | null {
  const msgs = messages.map(aminoMessage);
  if (msgs.includes(null)) return null;
  const amount = fee.map(coinJson);
  const document = {
    ...{ account_number: String(accountNumber), chain_id: chainId, fee: { amount, gas: String(gas) }, memo, msgs },
    ...{ sequence: String(sequence), ...(timeoutHeight === 0n ? {} : { timeout_height: String(timeoutHeight) }) },
  };
  return sha256(new TextEncoder().encode(canonicalJson(document)));
}

function coinJson({ denom, amount }: ModuleCoin) {
  return { amount: String(amount), denom };
}

function aminoMessage(message: TendermintMessage) {
  if (message.kind === 'claim') {
    const { module, sender, id, secret } = message;
    return { type: `${module}/htlc/MsgClaimHTLC`, value: { id, secret, sender } };
  }
  if (message.kind !== 'send') return null;
  const { from, to, coins } = message;
  return { type: 'cosmos-sdk/MsgSend', value: { amount: coins.map(coinJson), from_address: from, to_address: to } };
}

function isSignature(
  signature: Uint8Array,
  { hash, key }: { readonly hash: Uint8Array | null; readonly key: Uint8Array },
): boolean {
  if (hash === null || signature.length !== 64) return false;
  return hasLowS(signature) && curve.verify({ hash, signature, publicKey: key });
}

/** The address of its account on a chain with this prefix. */
export function signerAddress({ account }: Pick<AppTransaction, 'account'>, prefix: string): string {
  return tendermintAddress(prefix, account);
}
