import type { UnixSeconds } from '../../primitives/time.ts';
import { messagePackReader } from './message-pack-reader.ts';
import { messagePackWriter } from './message-pack-writer.ts';
import { type Decoded, decoded } from './problem.ts';
import { readVariant } from './structs.ts';

// What is asked on `/request-response/2`: the framework asks everyone who connects what time it is.

/** More bytes than a request or an answer about the time has. */
export const MOST_CLOCK_BYTES = 1024;

const NETWORK_INFO = 1;
const GET_TIMESTAMP = 1;

/** Asks for the time; without its length. */
export function encodeClockRequest(): Uint8Array {
  const inner = messagePackWriter();
  inner.map(1);
  inner.uint(NETWORK_INFO);
  inner.map(1);
  inner.uint(GET_TIMESTAMP);
  inner.nil();
  const request = messagePackWriter();
  request.array(1);
  request.numbers(inner.done());
  return request.done();
}

/** Whether the request asks for the time, and not for what only the framework knows. Never throws. */
export function isClockRequest(bytes: Uint8Array): boolean {
  const read = decoded(() => {
    const request = messagePackReader(bytes);
    if (request.array(1) !== 1) request.fail('one member before it');
    const reader = messagePackReader(request.numbers(MOST_CLOCK_BYTES));
    const asked = readVariant(reader, ['Ordermatch', 'NetworkInfo']);
    return asked === NETWORK_INFO && readVariant(reader, ['GetMm2Version', 'GetPeerUtcTimestamp']) === GET_TIMESTAMP;
  });
  return read.ok && read.value;
}

/** States the time, or that there is no answer. */
export function encodeClockAnswer(now: UnixSeconds | null): Uint8Array {
  const answer = messagePackWriter();
  answer.map(1);
  answer.uint(now === null ? 1 : 0);
  if (now === null) {
    answer.nil();
    return answer.done();
  }
  const time = messagePackWriter();
  time.uint(now);
  answer.array(1);
  answer.numbers(time.done());
  return answer.done();
}

/** The stated time; null if the other side has no answer. Never throws. */
export function decodeClockAnswer(bytes: Uint8Array): Decoded<UnixSeconds | null> {
  return decoded(() => {
    const reader = messagePackReader(bytes);
    if (readVariant(reader, ['Ok', 'None', 'Err']) !== 0) return null;
    if (reader.array(1) !== 1) reader.fail('one member before it');
    const time = messagePackReader(reader.numbers(MOST_CLOCK_BYTES));
    return time.uint() as UnixSeconds;
  });
}
