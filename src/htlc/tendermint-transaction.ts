import { sha256 } from '../primitives/hash.ts';
import { bytesToHex } from '../primitives/hex.ts';
import { concatBytes } from './byte-writer.ts';
import { bytesField, messageField, numberField, protoReader, readingProto, textField } from './protobuf.ts';
import {
  decodeCoins,
  decodeTendermintMessage,
  encodeCoin,
  encodeTendermintMessage,
  type ModuleCoin,
  type TendermintMessage,
} from './tendermint-messages.ts';

/** What a transaction of one account says, except for its signature. */
export type TendermintDraft = {
  readonly messages: readonly TendermintMessage[];
  readonly memo: string;
  /** The last block that may hold it; 0 for any. */
  readonly timeoutHeight: bigint;
  /** Compressed secp256k1 key, 33 bytes. */
  readonly key: Uint8Array;
  readonly sequence: bigint;
  /** The most that it may use. */
  readonly gas: bigint;
  readonly fee: readonly ModuleCoin[];
};

/** To which chain and account a signature binds. */
export type SigningContext = { readonly chainId: string; readonly accountNumber: bigint };

/** A signed transaction of one account. */
export type TendermintTransaction = TendermintDraft & {
  /** SHA-256 of its bytes, 64 lower-case hex digits; chains write it in upper case. */
  readonly id: string;
  /** What was signed: the mode 1 is that of {@link signingHash}. */
  readonly mode: bigint;
  readonly signature: Uint8Array;
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
};

const KEY_URL = '/cosmos.crypto.secp256k1.PubKey';
export const SIGN_DIRECT = 1n;

function bodyOf({ messages, memo, timeoutHeight }: TendermintDraft): Uint8Array {
  const all = messages.map((message) => messageField(1, encodeTendermintMessage(message)));
  return concatBytes([...all, textField(2, memo), numberField(3, timeoutHeight)]);
}

function authInfoOf({ key, sequence, gas, fee }: TendermintDraft): Uint8Array {
  const publicKey = concatBytes([textField(1, KEY_URL), messageField(2, bytesField(1, key))]);
  const mode = messageField(1, numberField(1, SIGN_DIRECT));
  const signer = concatBytes([messageField(1, publicKey), messageField(2, mode), numberField(3, sequence)]);
  const coins = fee.map((coin) => messageField(1, encodeCoin(coin)));
  return concatBytes([messageField(1, signer), messageField(2, concatBytes([...coins, numberField(2, gas)]))]);
}

/**
 * The hash of 32 bytes that its account signs.
 *
 * @example
 * ```ts
 * import { hexToBytes, sha256, signingHash } from 'swapfold/htlc';
 *
 * const parts = { bodyBytes: Uint8Array.of(1), authInfoBytes: Uint8Array.of(2) };
 * const hash = signingHash(parts, { chainId: 'irishub-1', accountNumber: 7n });
 * // The document of SIGN_MODE_DIRECT has both parts, the chain and the account.
 * hash; // → sha256(hexToBytes('0a01011201021a09697269736875622d312007'))
 * ```
 */
export function signingHash(
  { bodyBytes, authInfoBytes }: Pick<TendermintTransaction, 'bodyBytes' | 'authInfoBytes'>,
  { chainId, accountNumber }: SigningContext,
): Uint8Array {
  const parts = [bytesField(1, bodyBytes), bytesField(2, authInfoBytes), textField(3, chainId)];
  return sha256(concatBytes([...parts, numberField(4, accountNumber)]));
}

/**
 * The parts of a draft that a signature is of.
 *
 * @example
 * ```ts
 * import { bytesToHex, unsignedParts } from 'swapfold/htlc';
 *
 * const key = new Uint8Array(33).fill(2);
 * const paying = { gas: 125_000n, fee: [{ denom: 'uiris', amount: 31_250n }] };
 * const rest = { messages: [], memo: 'hi', timeoutHeight: 100n };
 * const { bodyBytes } = unsignedParts({ ...rest, key, sequence: 3n, ...paying });
 * bytesToHex(bodyBytes); // → '120268691864'
 * ```
 */
export function unsignedParts(draft: TendermintDraft): Pick<TendermintTransaction, 'bodyBytes' | 'authInfoBytes'> {
  return { bodyBytes: bodyOf(draft), authInfoBytes: authInfoOf(draft) };
}

/**
 * The bytes of a transaction with its signature: r and s, 32 bytes each.
 *
 * @example
 * ```ts
 * import { concatBytes, encodeTendermintTransaction, unsignedParts } from 'swapfold/htlc';
 *
 * const paying = { gas: 125_000n, fee: [{ denom: 'uiris', amount: 31_250n }] };
 * const rest = { messages: [], memo: '', timeoutHeight: 100n, key: new Uint8Array(33).fill(2) };
 * const draft = { ...rest, sequence: 3n, ...paying };
 * const signature = new Uint8Array(64).fill(9);
 * const bytes = encodeTendermintTransaction(draft, signature);
 * bytes.subarray(-66); // → concatBytes([Uint8Array.of(0x1a, 64), signature])
 * bytes.subarray(2, 4); // → unsignedParts(draft).bodyBytes
 * ```
 */
export function encodeTendermintTransaction(draft: TendermintDraft, signature: Uint8Array): Uint8Array {
  const { bodyBytes, authInfoBytes } = unsignedParts(draft);
  return concatBytes([bytesField(1, bodyBytes), bytesField(2, authInfoBytes), messageField(3, signature)]);
}

/**
 * The id of a transaction: SHA-256 of its bytes, 64 lower-case hex digits; chains write it in upper case.
 *
 * @example
 * ```ts
 * import { tendermintId } from 'swapfold/htlc';
 *
 * const id = tendermintId(new TextEncoder().encode('abc'));
 * id; // → 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
 * ```
 */
export function tendermintId(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/**
 * A transaction that one account signed with a secp256k1 key; undefined for any other bytes. Never throws.
 *
 * @example
 * ```ts
 * import {
 *   decodeTendermintTransaction, encodeTendermintTransaction, tendermintId,
 * } from 'swapfold/htlc';
 *
 * const paying = { gas: 125_000n, fee: [{ denom: 'uiris', amount: 31_250n }] };
 * const rest = { messages: [], memo: 'hi', timeoutHeight: 100n, key: new Uint8Array(33).fill(2) };
 * const draft = { ...rest, sequence: 3n, ...paying };
 * const bytes = encodeTendermintTransaction(draft, new Uint8Array(64).fill(9));
 * const { id, memo, sequence, gas } = decodeTendermintTransaction(bytes) ?? {};
 * [memo, sequence, gas]; // → ['hi', 3n, 125_000n]
 * id; // → tendermintId(bytes)
 * decodeTendermintTransaction(bytes.subarray(1)); // → undefined
 * ```
 */
export function decodeTendermintTransaction(bytes: Uint8Array): TendermintTransaction | undefined {
  return readingProto(() => {
    const raw = protoReader(bytes);
    const [bodyBytes, authInfoBytes, signatures] = [raw.bytes(1), raw.bytes(2), raw.all(3)];
    const [signature] = signatures;
    const body = decodeTendermintBody(bodyBytes);
    const auth = readAuthInfo(authInfoBytes);
    if (body === undefined || auth === undefined || signature === undefined || signatures.length > 1) return undefined;
    return { ...body, ...auth, id: tendermintId(bytes), signature, bodyBytes, authInfoBytes };
  });
}

/** What the signers of a transaction have signed for, whoever they are. @throws ProtoProblem; undefined where a message has no type */
export function decodeTendermintBody(
  bytes: Uint8Array,
): Pick<TendermintTransaction, 'messages' | 'memo' | 'timeoutHeight'> | undefined {
  const reader = protoReader(bytes);
  const messages = reader.all(1).map(decodeTendermintMessage);
  if (!messages.every((message) => message !== undefined)) return undefined;
  return { messages, memo: reader.text(2), timeoutHeight: reader.number(3) };
}

type AuthInfo = Pick<TendermintTransaction, 'key' | 'sequence' | 'gas' | 'fee' | 'mode'>;

function readAuthInfo(bytes: Uint8Array): AuthInfo | undefined {
  const reader = protoReader(bytes);
  const signers = reader.all(1);
  const [signer] = signers;
  if (signer === undefined || signers.length > 1) return undefined;
  const info = protoReader(signer);
  const publicKey = protoReader(info.bytes(1));
  const key = protoReader(publicKey.bytes(2)).bytes(1);
  if (publicKey.text(1) !== KEY_URL || key.length !== 33) return undefined;
  const mode = protoReader(protoReader(info.bytes(2)).bytes(1)).number(1);
  const fee = protoReader(reader.bytes(2));
  const coins = decodeCoins(fee.all(1));
  if (coins === undefined) return undefined;
  return { key, sequence: info.number(3), mode, gas: fee.number(2), fee: coins };
}
