import type { NegotiationMessage } from '../../htlc/negotiation.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import type { DecimalText } from '../../primitives/decimal.ts';

/** The relevant parts of messages, as each was first sent; null before. */
export type Wire = {
  offer: NegotiationMessage | null;
  reply: NegotiationMessage | null;
  /** The reward that the taker asks the maker's payment to promise to watchers, in coin units. */
  reward: DecimalText | null;
  /**
   * Whether a message with the fee asked for nothing before the maker had paid: a taker does this while its nodes do not state the cost of a reward,
   * and asks once they do. A maker pays by the message that reached it first.
   */
  saidWithoutReward: boolean;
};

/** The same, stated with the taker's fee; null if it asks for nothing. */
export function rewardIn(message: SwapMessage): DecimalText | null {
  if (message.kind !== 'takerFee') return null;
  const asked = (message.instructions as { readonly WatcherReward?: DecimalText } | null | undefined)?.WatcherReward;
  return asked ?? null;
}
