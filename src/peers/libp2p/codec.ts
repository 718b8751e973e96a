import type { OrderMessage } from '../../ports/orders.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { decodeEnvelope, isSigned } from '../kdf-wire/envelope.ts';
import { decodeOrderMessage, encodeOrderMessage } from '../kdf-wire/order-message.ts';
import { PeerMessageError } from '../kdf-wire/problem.ts';
import { wireBytes } from '../kdf-wire/structs.ts';
import { decodeSwapMessage, encodeSwapMessage, transactionOf } from '../kdf-wire/swap-message.ts';
import { type TopicKind, topicKind } from '../kdf-wire/topics.ts';
import { decodeWatcherMessage, encodeWatcherMessage } from '../kdf-wire/watcher-message.ts';

/** The message of a swap in the framework's bytes, without its envelope. @throws PeerMessageError */
export function peerPayload(topic: string, message: SwapMessage): Uint8Array {
  const kind = topicKind(topic);
  if (message.kind === 'watcher') {
    requireTopic(kind === 'watchers', { message, topic });
    return encodeWatcherMessage(message.watch);
  }
  if (message.kind === 'transaction') {
    requireTopic(kind === 'helpers', { message, topic });
    return wireBytes(message.tx.tx_hex, message.kind);
  }
  requireTopic(kind === 'swap', { message, topic });
  return encodeSwapMessage(message);
}

/** The same for a message about orders. @throws PeerMessageError */
export function orderPayload(topic: string, message: OrderMessage): Uint8Array {
  requireTopic(topicKind(topic) === 'orders', { message, topic });
  return encodeOrderMessage(message);
}

function requireTopic(
  holds: boolean,
  { message, topic }: { readonly message: { readonly kind: string }; readonly topic: string },
): void {
  if (!holds) throw new PeerMessageError(message.kind, `it has no place on the topic ${topic.slice(0, 80)}`);
}

type Told =
  | { readonly of: 'swap'; readonly message: SwapMessage }
  | { readonly of: 'orders'; readonly message: OrderMessage }
  /** About order books, which this package does not keep. */
  | { readonly of: 'book' };

/** What a publication turns out to be. */
export type Read =
  | ({ readonly is: 'signed'; readonly from: string } & Told)
  /** An envelope whose signature does not match its key. */
  | { readonly is: 'forged' }
  /** Something that is not a message here; a later release may know better. */
  | { readonly is: 'unknown' };

const UNKNOWN = { is: 'unknown' } as const;

/** Reads a publication of a topic of that kind, with its signature. Never throws. */
export function readPublication(kind: TopicKind, data: Uint8Array): Read {
  const envelope = decodeEnvelope(data);
  if (!envelope.ok) return UNKNOWN;
  if (!isSigned(envelope.value)) return { is: 'forged' };
  const { key, payload } = envelope.value;
  const told = toldOf(kind, { payload, key: bytesToHex(key) });
  return told === null ? UNKNOWN : { is: 'signed', from: bytesToHex(key.subarray(1)), ...told };
}

function toldOf(
  kind: TopicKind,
  { payload, key }: { readonly payload: Uint8Array; readonly key: string },
): Told | null {
  switch (kind) {
    case 'swap': {
      const read = decodeSwapMessage(payload);
      return read.ok ? { of: 'swap', message: read.value } : null;
    }
    case 'watchers': {
      const read = decodeWatcherMessage(payload);
      // The framework signs with the taker's key of the taker coin, and shows it nowhere else.
      return read.ok ? { of: 'swap', message: { kind: 'watcher', watch: { ...read.value, taker_pub: key } } } : null;
    }
    case 'helpers':
      return payload.length === 0
        ? null
        : { of: 'swap', message: { kind: 'transaction', tx: transactionOf(bytesToHex(payload)) } };
    default: {
      const read = decodeOrderMessage(payload);
      if (!read.ok) return null;
      return read.value.kind === 'book' ? { of: 'book' } : { of: 'orders', message: read.value };
    }
  }
}
