import type { SwapRequest } from '../../events/journal.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Orders } from '../../ports/orders.ts';
import type { Fraction } from '../../primitives/fraction.ts';
import { sha256 } from '../../primitives/hash.ts';
import type { Seconds } from '../../primitives/time.ts';

/** What orders need to know of a coin that is active. */
export type OrderCoin = {
  readonly ticker: string;
  /** Digits after the point of one coin unit. */
  readonly decimals: number;
  /** Least volume of an order, in coin units. */
  readonly minTradingVolume: Fraction;
  readonly requiredConfirmations: number;
  readonly requiresNotarization: boolean;
  /** Whether its chain can tell which payments are notarised. */
  readonly tellsNotarised: boolean;
  /** Whether no order may be made with it. */
  readonly walletOnly: boolean;
  /** Whether watchers can act on its chain. */
  readonly watchers: boolean;
  /** How the wallet is funded, as the real node tells it to others (`kdf-wire` §6); bytes in hex. */
  readonly protocolInfo: string;
  /** Whether the other side's is one that this chain pays to; none is of a coin that is not traded. */
  readonly supports: (info: string | null) => boolean;
};

/** What the orders of a node work with. */
export type OrderParts = {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly network: Orders;
  /** The node's own signing key, 33 bytes in hex. */
  readonly key: string;
  /** Undefined while the coin is not active. */
  readonly coin: (ticker: string) => OrderCoin | undefined;
  readonly startSwap: (request: SwapRequest) => Promise<unknown>;
  readonly hasSwap: (swap: { readonly role: 'maker' | 'taker'; readonly uuid: string }) => Promise<boolean>;
  /** Whether takers ask watchers for help where both chains permit. @defaultValue true */
  readonly useWatchers?: boolean;
  /** From which all lock durations derive. @defaultValue 7800 s (KDF) */
  readonly paymentLocktime?: Seconds;
};

/** A random UUID of version 4 (RFC 9562). */
export function newUuid({ random }: Pick<OrderParts, 'random'>): string {
  return uuidOf(random.bytes(16), 4);
}

/** Always the same UUID for the same text: of version 8 (RFC 9562), from its SHA-256. */
export function uuidOfText(text: string): string {
  return uuidOf(sha256(new TextEncoder().encode(text)).subarray(0, 16), 8);
}

function uuidOf(random: Uint8Array, version: 4 | 8): string {
  const bytes = Buffer.from(random);
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
