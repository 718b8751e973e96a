import type { Instructions, StoredTransaction } from '../../events/payloads.ts';
import { idOfTransaction } from '../../htlc/transaction-id.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import { isDecimalText, MAX_DECIMAL_LENGTH, toPlainDecimal } from '../../primitives/decimal.ts';
import { MESSAGE_LIMITS } from '../message-bounds.ts';
import { type MessagePackReader, messagePackReader, utf8Text } from './message-pack-reader.ts';
import { messagePackWriter } from './message-pack-writer.ts';
import { readNegotiation, writeNegotiation } from './negotiation.ts';
import { type Decoded, decoded } from './problem.ts';
import { hexOf, readStruct, readVariant, wireBytes } from './structs.ts';

// `SwapMsg` of the framework, which goes on the topic of a swap.

const VARIANTS = ['Negotiation', 'NegotiationReply', 'Negotiated', 'TakerFee', 'MakerPayment', 'TakerPayment'];
const { transactionBytes, invoice } = MESSAGE_LIMITS;

/** Messages that have a place on the topic of a swap. */
export type TopicMessage = Exclude<SwapMessage, { readonly kind: 'watcher' | 'transaction' }>;

const INDEX: Readonly<Record<TopicMessage['kind'], number>> = {
  negotiation: 0,
  negotiationReply: 1,
  negotiated: 2,
  takerFee: 3,
  makerPayment: 4,
  takerPayment: 5,
};

/** @throws PeerMessageError for a member that the network has no form for. */
export function encodeSwapMessage(message: TopicMessage): Uint8Array {
  const writer = messagePackWriter();
  writer.map(1);
  writer.uint(INDEX[message.kind]);
  switch (message.kind) {
    case 'negotiation':
      writeNegotiation(writer, message.offer);
      break;
    case 'negotiationReply':
      writeNegotiation(writer, message.reply);
      break;
    case 'negotiated':
      writer.bool(message.accepted);
      break;
    case 'takerFee':
    case 'makerPayment': {
      const { instructions = null } = message;
      if (instructions !== null) writer.array(2);
      writer.numbers(wireBytes(message.tx.tx_hex, message.kind));
      if (instructions !== null) writer.numbers(instructionBytes(instructions));
      break;
    }
    default:
      writer.numbers(wireBytes(message.tx.tx_hex, message.kind));
  }
  return writer.done();
}

function instructionBytes(instructions: NonNullable<Instructions>): Uint8Array {
  const text = 'WatcherReward' in instructions ? instructions.WatcherReward : instructions.Lightning;
  return new TextEncoder().encode(String(text));
}

/** Reads what {@link encodeSwapMessage} writes, and what else the framework takes for it. Never throws. */
export function decodeSwapMessage(bytes: Uint8Array): Decoded<TopicMessage> {
  return decoded(() => {
    const reader = messagePackReader(bytes);
    const message = readSwapMessage(reader);
    reader.end();
    return message;
  });
}

function readSwapMessage(reader: MessagePackReader): TopicMessage {
  switch (readVariant(reader, VARIANTS)) {
    case 0:
      return { kind: 'negotiation', offer: readNegotiation(reader) };
    case 1:
      return { kind: 'negotiationReply', reply: readNegotiation(reader) };
    case 2:
      return { kind: 'negotiated', accepted: reader.bool() };
    case 3:
      return takerFee(readTransfer(reader));
    case 4:
      return { kind: 'makerPayment', ...readTransfer(reader) };
    default:
      return { kind: 'takerPayment', tx: transactionOf(hexOf(transactionBytes)(reader)) };
  }
}

function takerFee({ tx, instructions }: ReturnType<typeof readTransfer>): TopicMessage {
  return instructions === null ? { kind: 'takerFee', tx } : { kind: 'takerFee', tx, instructions };
}

/** Bytes alone, or a pair of bytes and instructions: an array whose first member is an array. */
function readTransfer(reader: MessagePackReader): { tx: StoredTransaction; instructions: Instructions } {
  const isPair = reader.kind() === 'map' || reader.peekArray()?.first === 'array';
  if (!isPair) return { tx: transactionOf(hexOf(transactionBytes)(reader)), instructions: null };
  const { data, next_step_instructions: text } = readStruct(reader, {
    data: hexOf(transactionBytes),
    next_step_instructions: (from) => from.numbers(invoice),
  });
  if (data === undefined || text === undefined) return reader.fail('a payment and its instructions before it');
  return { tx: transactionOf(data), instructions: instructionsOf(reader, text) };
}

/** A reward for watchers is a number, and anything else an invoice, which is for the coin to read. */
function instructionsOf(reader: MessagePackReader, bytes: Uint8Array): Instructions {
  const text = utf8Text(bytes);
  if (text === null) return reader.fail('instructions in UTF-8 before it');
  const isReward = text.length <= MAX_DECIMAL_LENGTH && isDecimalText(text);
  return isReward ? { WatcherReward: toPlainDecimal(text) } : { Lightning: text };
}

/** A transaction with the id that its bytes have: the network sends none. */
export function transactionOf(tx_hex: string): StoredTransaction {
  return { tx_hex, tx_hash: idOfTransaction(tx_hex) };
}
