import type { UnixSeconds } from '../../primitives/time.ts';
import { messagePackReader } from './message-pack-reader.ts';
import { messagePackWriter } from './message-pack-writer.ts';
import { type Decoded, decoded } from './problem.ts';
import { type Read, readStruct, required } from './structs.ts';

// What is said on `hcheck/<peer id>`: a node asks whether another is online, and that one answers (`lp_healthcheck.rs`).

/** What is signed by the identity of a node on the network, which is none of its keys. */
export type HealthWord = {
  /** The sender's key in the form of libp2p: 36 bytes for one of ed25519. */
  readonly key: Uint8Array;
  readonly expiresAt: UnixSeconds;
  /** Whether it tells that its sender is there; else it asks. */
  readonly isReply: boolean;
};

export type HealthCheck = HealthWord & { readonly signature: Uint8Array };

/** The longest key or signature that the framework takes. */
const MOST_BYTES = 512;

/** What the signature of a word is over. */
export function healthPayload({ key, expiresAt, isReply }: HealthWord): Uint8Array {
  const writer = messagePackWriter();
  writeWord(writer, { key, expiresAt, isReply });
  return writer.done();
}

function writeWord(writer: ReturnType<typeof messagePackWriter>, { key, expiresAt, isReply }: HealthWord): void {
  writer.array(3);
  writer.numbers(key);
  writer.uint(expiresAt);
  writer.bool(isReply);
}

export function encodeHealthCheck({ signature, ...word }: HealthCheck): Uint8Array {
  const writer = messagePackWriter();
  writer.array(2);
  writer.numbers(signature);
  writeWord(writer, word);
  return writer.done();
}

const readBytes: Read<Uint8Array> = (reader) => {
  const bytes = reader.numbers(MOST_BYTES);
  return bytes.length > 0 ? bytes : reader.fail('at least one byte before it');
};

const WORD = {
  key: readBytes,
  expiresAt: (reader) => reader.uint() as UnixSeconds,
  isReply: (reader) => reader.bool(),
} satisfies Record<string, Read<unknown>>;

/** Reads a check; whether its signature is good is for the network to say. Never throws. */
export function decodeHealthCheck(bytes: Uint8Array): Decoded<HealthCheck> {
  return decoded(() => {
    const reader = messagePackReader(bytes);
    if (reader.array(2) !== 2) reader.fail('a signature and what is signed before it');
    const signature = readBytes(reader);
    const word = required(reader, readStruct(reader, WORD), ['key', 'expiresAt', 'isReply']);
    reader.end();
    return { signature, ...word };
  });
}
