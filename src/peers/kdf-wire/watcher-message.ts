import type { WatcherMessage } from '../../ports/peers.ts';
import { parseUuid } from '../../primitives/ids.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { MESSAGE_LIMITS } from '../message-bounds.ts';
import { type MessagePackReader, messagePackReader } from './message-pack-reader.ts';
import { messagePackWriter } from './message-pack-writer.ts';
import { type Decoded, decoded } from './problem.ts';
import { hexOf, hexOfExactly, nilOr, type Read, readStruct, readVariant, required, wireBytes } from './structs.ts';

// `SwapWatcherMsg` of the framework, which goes on the topic of a taker coin's watchers.

const { hashBytes, preimageBytes, ticker, uuid } = MESSAGE_LIMITS;
const hash = hexOf(hashBytes);
const preimage = hexOf(preimageBytes);
const name: Read<string> = (reader) => reader.text(ticker) || reader.fail('a ticker before it');
const whole: Read<number> = (reader) => reader.uint();
const id: Read<string> = (reader) => parseUuid(reader.text(uuid)) ?? reader.fail('a UUID before it');

const MEMBERS = {
  uuid: id,
  secret_hash: hash,
  maker_payment_spend_preimage: preimage,
  taker_payment_refund_preimage: preimage,
  swap_started_at: whole,
  lock_duration: whole,
  taker_coin: name,
  taker_fee_hash: hash,
  taker_payment_hash: hash,
  taker_coin_start_block: whole,
  taker_payment_confirmations: whole,
  taker_payment_requires_nota: nilOr((reader) => reader.bool()),
  maker_coin: name,
  maker_pub: hexOfExactly(33),
  maker_payment_hash: hash,
  maker_coin_start_block: whole,
};

const NAMES = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[];
/** Nil where a map leaves it out, as any optional member of the framework. */
const NEEDED = NAMES.filter((member) => member !== 'taker_payment_requires_nota');
const IN_HEX: ReadonlySet<string> = new Set(NAMES.filter((member) => /hash|preimage|pub/.test(member)));

/**
 * The message without its amounts and the taker's key: the network has no members for them.
 *
 * @throws PeerMessageError for a member that is no hex where it should be.
 */
export function encodeWatcherMessage(watch: WatcherMessage): Uint8Array {
  const writer = messagePackWriter();
  writer.map(1);
  writer.uint(0);
  writer.array(NAMES.length);
  for (const member of NAMES) {
    const value = watch[member];
    if (value === null) writer.nil();
    else if (typeof value === 'number') writer.uint(value);
    else if (typeof value === 'boolean') writer.bool(value);
    else if (IN_HEX.has(member)) writer.numbers(wireBytes(value, 'watcher'));
    else writer.text(value);
  }
  return writer.done();
}

/** Reads what {@link encodeWatcherMessage} writes; what the network does not tell is null. Never throws. */
export function decodeWatcherMessage(bytes: Uint8Array): Decoded<WatcherMessage> {
  return decoded(() => {
    const reader = messagePackReader(bytes);
    readVariant(reader, ['TakerSwapWatcherMsg']);
    const message = readWatch(reader);
    reader.end();
    return message;
  });
}

function readWatch(reader: MessagePackReader): WatcherMessage {
  const told = required(reader, readStruct(reader, MEMBERS), NEEDED);
  return {
    ...told,
    swap_started_at: told.swap_started_at as UnixSeconds,
    taker_payment_requires_nota: told.taker_payment_requires_nota ?? null,
    taker_amount: null,
    maker_amount: null,
    taker_pub: null,
  };
}
