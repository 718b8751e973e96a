import { byteReader, readBytes, readUint64, remainingBytes } from '../../htlc/byte-reader.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { coins, whole } from './amount.ts';

const CIPHERTEXT_BYTES = 601;
const ENCRYPTED_NOTE_BYTES = 580;
const OUTGOING_BYTES = 80;
const PROOF_BYTES = 192;
const SIGNATURE_BYTES = 64;

type Reader = ReturnType<typeof byteReader>;

/** A number of 256 bits, printed last byte first. */
function number256(reader: Reader): string {
  return bytesToHex(readBytes(reader, 32).slice().reverse());
}

function pair<Item>(read: () => Item): [Item, Item] {
  return [read(), read()];
}

function hex(reader: Reader, count: number): string {
  return bytesToHex(readBytes(reader, count));
}

/** A join split of Sprout; how long its proof is depends on the version and follows from its size. */
export function joinSplitJson(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const reader = byteReader(bytes);
  const taken = BigInt.asIntN(64, readUint64(reader));
  const given = BigInt.asIntN(64, readUint64(reader));
  return {
    vpub_old: coins(taken),
    vpub_oldZat: whole(taken),
    vpub_new: coins(given),
    vpub_newZat: whole(given),
    anchor: number256(reader),
    nullifiers: pair(() => number256(reader)),
    commitments: pair(() => number256(reader)),
    onetimePubKey: number256(reader),
    randomSeed: number256(reader),
    macs: pair(() => number256(reader)),
    proof: hex(reader, remainingBytes(reader) - 2 * CIPHERTEXT_BYTES),
    ciphertexts: pair(() => hex(reader, CIPHERTEXT_BYTES)),
  };
}

/** A spend of a Sapling note. */
export function shieldedSpendJson(bytes: Uint8Array): Readonly<Record<string, string>> {
  const reader = byteReader(bytes);
  return {
    cv: number256(reader),
    anchor: number256(reader),
    nullifier: number256(reader),
    rk: number256(reader),
    proof: hex(reader, PROOF_BYTES),
    spendAuthSig: hex(reader, SIGNATURE_BYTES),
  };
}

/** A Sapling note that is made. */
export function shieldedOutputJson(bytes: Uint8Array): Readonly<Record<string, string>> {
  const reader = byteReader(bytes);
  return {
    cv: number256(reader),
    cmu: number256(reader),
    ephemeralKey: number256(reader),
    encCiphertext: hex(reader, ENCRYPTED_NOTE_BYTES),
    outCiphertext: hex(reader, OUTGOING_BYTES),
    proof: hex(reader, PROOF_BYTES),
  };
}
