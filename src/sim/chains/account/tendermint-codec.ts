import { byteReader, readBytes, readUint, remainingBytes } from '../../../htlc/byte-reader.ts';
import { concatBytes } from '../../../htlc/byte-writer.ts';
import { moduleSwapId } from '../../../htlc/module-swap-id.ts';
import type { PaymentTerms } from '../../../ports/chain.ts';
import { hash160, sha256 } from '../../../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex, sameBytes } from '../../../primitives/hex.ts';
import { plainSignature } from '../signature.ts';
import { type AccountCodec, type AccountDraft, remembered, type SwapArguments } from './codec.ts';
import { readFields, type Widths, writeFields } from './fields.ts';
import type { AccountTransaction } from './transaction.ts';

const WIDTHS: Widths = { address: 40, swap: 64 };
const FEE_KEY_HASH = 'ca1e04745e8ca0c60d8c5881531d51bec470743f';

/**
 * Transactions in the envelope of a Cosmos chain (body, key, signature, with SHA-256 as the id), around this package's own body; see {@link
 * AccountCodec}. The id of a payment is computed as in the HTLC module of IRIS.
 */
export function realModuleCodec(coin: string): AccountCodec {
  return remembered({
    addressOf,
    feeAddress: FEE_KEY_HASH,
    contract: null,
    argumentsOf: (terms, amount) => argumentsOf(terms, `${amount}${coin.toLowerCase()}`),
    encode,
    decode,
  });
}

function addressOf(key: string): string {
  return isHex(key) ? bytesToHex(hash160(hexToBytes(key))) : '';
}

function argumentsOf({ secretHash, sender, receiver }: PaymentTerms, amount: string): SwapArguments | null {
  if (![secretHash, sender, receiver].every(isHex) || sender.length !== 66 || receiver.length !== 66) return null;
  if (secretHash.length !== 64) return null;
  const parties = { sender: addressOf(sender), receiver: addressOf(receiver) };
  const id = moduleSwapId({
    secretHash: hexToBytes(secretHash),
    sender: hexToBytes(parties.sender),
    receiver: hexToBytes(parties.receiver),
    coins: amount,
  });
  return { id, ...parties, hash: secretHash };
}

function encode(draft: AccountDraft): AccountTransaction {
  const { signer, nonce, price, gas, value, call } = draft;
  const body = hexToBytes(writeFields(draft, WIDTHS));
  const key = hexToBytes(signer.key);
  const signature = plainSignature(bytesToHex(sha256(body)), signer.key);
  const bytes = concatBytes([field(0x0a, body), field(0x12, key), field(0x1a, signature)]);
  const id = bytesToHex(sha256(bytes));
  return { id, hex: bytesToHex(bytes), from: signer.address, nonce, price, gas, value, call, signed: true };
}

/** A member of a protobuf message: tag, length as a varint, bytes. */
function field(tag: number, bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const head = length < 0x80 ? [tag, length] : [tag, (length & 0x7f) | 0x80, length >> 7];
  return concatBytes([Uint8Array.from(head), bytes]);
}

function decode(hex: string): AccountTransaction | null {
  if (!isHex(hex)) return null;
  const bytes = hexToBytes(hex);
  const reader = byteReader(bytes);
  const parts = [0x0a, 0x12, 0x1a].map((tag) => {
    if (readUint(reader, 1) !== tag) return undefined;
    const low = readUint(reader, 1);
    return readBytes(reader, low < 0x80 ? low : (low & 0x7f) + readUint(reader, 1) * 0x80);
  });
  const [body, key, signature] = parts;
  if (body === undefined || key === undefined || signature === undefined || remainingBytes(reader) > 0) return null;
  const fields = reader.problem === undefined ? readFields(bytesToHex(body), WIDTHS) : null;
  if (fields === null) return null;
  const keyHex = bytesToHex(key);
  const right = plainSignature(bytesToHex(sha256(body)), keyHex);
  const signed = sameBytes(signature, right) && addressOf(keyHex) === fields.from;
  return { id: bytesToHex(sha256(bytes)), hex, ...fields, signed };
}
