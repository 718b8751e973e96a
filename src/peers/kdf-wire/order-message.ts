import type { ConfirmationSettings, MatchBy, OrderMessage } from '../../ports/orders.ts';
import type { Fraction } from '../../primitives/fraction.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { parseUuid } from '../../primitives/ids.ts';
import { MESSAGE_LIMITS } from '../message-bounds.ts';
import { ORDER_LIMITS, readOrderMessage } from '../read-order-message.ts';
import { type MessagePackReader, messagePackReader } from './message-pack-reader.ts';
import { type MessagePackWriter, messagePackWriter } from './message-pack-writer.ts';
import { type Decoded, decoded, PeerMessageError } from './problem.ts';
import {
  hexOf,
  hexOfExactly,
  type Members,
  nilOr,
  type Read,
  readStruct,
  readVariant,
  required,
  wireBytes,
} from './structs.ts';

// `OrdermatchMessage` of the framework: the four messages by which two nodes agree. The first four of its variants keep
// order books, which nobody here has.

const VARIANTS = [
  'MakerOrderCreated',
  'MakerOrderUpdated',
  'PubkeyKeepAlive',
  'MakerOrderCancelled',
  'TakerRequest',
  'MakerReserved',
  'TakerConnect',
  'MakerConnected',
];
const INDEX = { takerRequest: 4, makerReserved: 5, takerConnect: 6, makerConnected: 7 } as const;
const FIRST_KNOWN = INDEX.takerRequest;
const { fractionBits, named, protocolBytes } = ORDER_LIMITS;
const DIGIT_BITS = 32;

/** A message about order books, which another node may have use for. */
export type BookMessage = { readonly kind: 'book' };

/** @throws PeerMessageError for what the network has no form for. */
export function encodeOrderMessage(message: OrderMessage): Uint8Array {
  const read = readOrderMessage(message);
  if (!read.ok) throw new PeerMessageError(message.kind, `${read.path || 'the message'}: ${read.expected}`);
  const writer = messagePackWriter();
  writer.map(1);
  writer.uint(INDEX[read.message.kind]);
  writeOrder(writer, read.message);
  return writer.done();
}

function writeOrder(writer: MessagePackWriter, message: OrderMessage): void {
  const id = (uuid: string): void => writer.bin(hexToBytes(uuid.replaceAll('-', '')));
  if (!('base' in message)) {
    writer.array(2);
    id(message.taker_order_uuid);
    id(message.maker_order_uuid);
    return;
  }
  const infos = protocolInfos(message);
  writer.array((message.kind === 'takerRequest' ? 8 : 7) + infos.length);
  writer.text(message.base);
  writer.text(message.rel);
  writeFraction(writer, message.base_amount);
  writeFraction(writer, message.rel_amount);
  if (message.kind === 'takerRequest') {
    writer.map(1);
    writer.uint(message.action === 'Buy' ? 0 : 1);
    writer.nil();
    id(message.uuid);
    writeMatchBy(writer, message.match_by);
  } else {
    id(message.taker_order_uuid);
    id(message.maker_order_uuid);
  }
  writeConfirmations(writer, message.conf_settings);
  for (const info of infos) writer.numbers(wireBytes(info, message.kind));
}

/** The infos stand last and by their place: the first cannot be omitted before the second. */
function protocolInfos(message: Exclude<OrderMessage, { readonly kind: 'takerConnect' | 'makerConnected' }>): string[] {
  const { base_protocol_info: base, rel_protocol_info: rel } = message;
  if (base === null && rel !== null) {
    throw new PeerMessageError(message.kind, 'rel_protocol_info without base_protocol_info');
  }
  return [base, rel].filter((info) => info !== null);
}

function writeFraction(writer: MessagePackWriter, { numer, denom }: Fraction): void {
  writer.array(2);
  writeBig(writer, numer);
  writeBig(writer, denom);
}

/** Sign and digits of 32 bits, least first. */
function writeBig(writer: MessagePackWriter, value: bigint): void {
  const digits: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 32n) digits.push(Number(rest & 0xffff_ffffn));
  writer.array(2);
  writer.uint(1);
  writer.array(digits.length);
  for (const digit of digits) writer.uint(digit);
}

function writeMatchBy(writer: MessagePackWriter, match: MatchBy): void {
  writer.map(1);
  writer.uint(match.type === 'Any' ? 0 : match.type === 'Orders' ? 1 : 2);
  if (match.type === 'Any') {
    writer.nil();
    return;
  }
  writer.array(match.data.length);
  for (const one of match.data) {
    if (match.type === 'Orders') writer.bin(hexToBytes(one.replaceAll('-', '')));
    else writer.numbers(hexToBytes(one));
  }
}

function writeConfirmations(writer: MessagePackWriter, settings: ConfirmationSettings): void {
  writer.array(4);
  writer.uint(settings.base_confs);
  writer.bool(settings.base_nota);
  writer.uint(settings.rel_confs);
  writer.bool(settings.rel_nota);
}

/** Reads what {@link encodeOrderMessage} writes, and what else the framework takes for it. Never throws. */
export function decodeOrderMessage(bytes: Uint8Array): Decoded<OrderMessage | BookMessage> {
  return decoded(() => {
    const reader = messagePackReader(bytes);
    const message = readOrder(reader);
    reader.end();
    if (message === null) return { kind: 'book' };
    const read = readOrderMessage(message);
    return read.ok ? read.message : reader.fail(`${read.path}: ${read.expected}, before it`);
  });
}

const name: Read<string> = (reader) => reader.text(MESSAGE_LIMITS.ticker);
const id: Read<string> = (reader) => {
  const bytes = reader.bin(16);
  return parseUuid(bytesToHex(bytes)) ?? reader.fail(`16 bytes before it, not ${bytes.length}`);
};
const fraction: Read<Fraction> = (reader) => {
  if (reader.array(2) !== 2) return reader.fail('a numerator and a denominator before it');
  return { numer: readBig(reader), denom: readBig(reader) };
};

function readBig(reader: MessagePackReader): bigint {
  if (reader.array(2) !== 2) return reader.fail('a sign and digits before it');
  const sign = BigInt(reader.int());
  let value = 0n;
  const digits = reader.array(fractionBits / DIGIT_BITS);
  for (let index = 0; index < digits; index++) value += BigInt(reader.uint(0xffff_ffff)) << BigInt(DIGIT_BITS * index);
  return sign * value;
}

const bool: Read<boolean> = (reader) => reader.bool();
const whole: Read<number> = (reader) => reader.uint();
const CONFIRMATIONS = { base_confs: whole, base_nota: bool, rel_confs: whole, rel_nota: bool };
const confirmations: Read<ConfirmationSettings> = (reader) =>
  required(reader, readStruct(reader, CONFIRMATIONS), ['base_confs', 'base_nota', 'rel_confs', 'rel_nota']);

const action: Read<'Buy' | 'Sell'> = (reader) => {
  const index = readVariant(reader, ['Buy', 'Sell']);
  if (!reader.isNil()) reader.fail('nil');
  return index === 0 ? 'Buy' : 'Sell';
};

const matchBy: Read<MatchBy> = (reader) => {
  const index = readVariant(reader, ['Any', 'Orders', 'Pubkeys']);
  if (index === 0) return reader.isNil() ? { type: 'Any' } : reader.fail('nil');
  const of = index === 1 ? id : hexOfExactly(32);
  const data = Array.from({ length: reader.array(named) }, () => of(reader));
  return index === 1 ? { type: 'Orders', data } : { type: 'Pubkeys', data };
};

/** What the framework omits where it has nothing to say. The version of the swap is of no use here: both sides run the first. */
const trailing = {
  base_protocol_info: nilOr(hexOf(protocolBytes)),
  rel_protocol_info: nilOr(hexOf(protocolBytes)),
  swap_version: (reader: MessagePackReader) => reader.skip(),
};
const traded = { base: name, rel: name, base_amount: fraction, rel_amount: fraction };
const MATCHED = { taker_order_uuid: id, maker_order_uuid: id };
const REQUEST = { ...traded, action, uuid: id, match_by: matchBy, conf_settings: confirmations, ...trailing };
const RESERVED = { ...traded, ...MATCHED, conf_settings: confirmations, ...trailing };

function readOrder(reader: MessagePackReader): unknown {
  const index = readVariant(reader, VARIANTS);
  if (index < FIRST_KNOWN) {
    reader.skip();
    return null;
  }
  const struct = (members: Members, optional: number): object => readStruct(reader, members, { optional });
  switch (index) {
    case INDEX.takerRequest:
      return { kind: 'takerRequest', ...struct(REQUEST, 3) };
    case INDEX.makerReserved:
      return { kind: 'makerReserved', ...struct(RESERVED, 3) };
    default:
      return { kind: index === INDEX.takerConnect ? 'takerConnect' : 'makerConnected', ...struct(MATCHED, 0) };
  }
}
