import type { SwapRequest } from '../../events/journal.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Orders } from '../../ports/orders.ts';
import type { Fraction } from '../../primitives/fraction.ts';
import type { Seconds } from '../../primitives/time.ts';
import { randomUuid } from './ids.ts';

/** What orders need to know of a coin that is active. */
export type OrderCoin = {
  readonly ticker: string;
  /** Digits after the point of one coin unit. */
  readonly decimals: number;
  /** Least volume of an order, in coin units. */
  readonly minTradingVolume: Fraction;
  readonly requiredConfirmations: number;
  readonly requiresNotarization: boolean;
  /** Whether its chain can tell which payments are notarized. */
  readonly tellsNotarised: boolean;
  /** Whether no order may be made with it. */
  readonly walletOnly: boolean;
  /** Whether watchers can act on its chain. */
  readonly watchers: boolean;
  /** Whether they are paid there by what a payment promises them. @defaultValue false */
  readonly rewards?: boolean;
  /** How the wallet is funded, as the real node tells it to others; bytes in hex. */
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
  /** How many swaps run in which this node is the maker and the taker has paid nothing yet, not even its fee. */
  readonly unpaidSwaps: () => Promise<number>;
  /** Whether takers ask watchers for help where both chains permit, and makers pay for them where they are paid. @defaultValue true */
  readonly useWatchers?: boolean;
  /** From which all lock durations derive. @defaultValue 7800 s (KDF) */
  readonly paymentLocktime?: Seconds;
};

/** A random UUID that is nobody's. */
export function newUuid({ random }: Pick<OrderParts, 'random'>): string {
  return randomUuid(random.bytes(16));
}
