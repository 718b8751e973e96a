import { messagePackReader } from './message-pack-reader.ts';
import { messagePackWriter } from './message-pack-writer.ts';
import { type Decoded, decoded } from './problem.ts';
import { readVariant } from './structs.ts';

// What is asked on `/peers-exchange/2`: which relays a relay knows (`peers_exchange.rs`).

/** A relay, and where it listens, in the text form of libp2p. */
export type KnownRelay = { readonly id: Uint8Array; readonly addresses: readonly string[] };

/** Most relays that may be asked for: the framework does not answer who asks for more. */
export const MOST_KNOWN_RELAYS = 20;

/** More bytes than a request or an answer about relays has. */
export const MOST_RELAYS_BYTES = 32 * 1024;

const MOST_ID_BYTES = 64;
/** Of one relay. */
const MOST_ADDRESSES = 8;
const LONGEST_ADDRESS = 200;

/** Asks for so many relays; without its length. */
export function encodeRelaysRequest(count: number): Uint8Array {
  const request = messagePackWriter();
  request.map(1);
  request.uint(0);
  request.array(1);
  request.uint(count);
  return request.done();
}

/** How many relays are asked for; null for more than are told, or for another question. Never throws. */
export function decodeRelaysRequest(bytes: Uint8Array): number | null {
  const read = decoded(() => {
    const reader = messagePackReader(bytes);
    readVariant(reader, ['GetKnownPeers']);
    if (reader.array(1) !== 1) reader.fail('one member before it');
    const count = reader.uint(MOST_KNOWN_RELAYS);
    reader.end();
    return count;
  });
  return read.ok ? read.value : null;
}

/** Tells of relays, at most {@link MOST_KNOWN_RELAYS}. */
export function encodeKnownRelays(relays: readonly KnownRelay[]): Uint8Array {
  const answer = messagePackWriter();
  answer.map(1);
  answer.uint(0);
  answer.array(1);
  answer.map(relays.length);
  for (const { id, addresses } of relays) {
    answer.numbers(id);
    answer.array(addresses.length);
    for (const address of addresses) answer.text(address);
  }
  return answer.done();
}

/** The relays of an answer; whether anything is to be had at their addresses is not known. Never throws. */
export function decodeKnownRelays(bytes: Uint8Array): Decoded<readonly KnownRelay[]> {
  return decoded(() => {
    const reader = messagePackReader(bytes);
    readVariant(reader, ['KnownPeers']);
    if (reader.array(1) !== 1) reader.fail('one member before it');
    const relays: KnownRelay[] = [];
    for (let left = reader.map(MOST_KNOWN_RELAYS); left > 0; left--) {
      const id = reader.numbers(MOST_ID_BYTES);
      const addresses: string[] = [];
      // One relay that has told much of itself makes not all others unreadable.
      for (let more = reader.array(MOST_RELAYS_BYTES); more > 0; more--) {
        const address = reader.text(MOST_RELAYS_BYTES);
        if (addresses.length < MOST_ADDRESSES && address.length <= LONGEST_ADDRESS) addresses.push(address);
      }
      relays.push({ id, addresses });
    }
    reader.end();
    return relays;
  });
}
