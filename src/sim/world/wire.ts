import type { NegotiationMessage } from '../../htlc/negotiation.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import type { DecimalText } from '../../primitives/decimal.ts';

/** What matters of messages, in the form in which each first went out; null before. */
export type Wire = {
  offer: NegotiationMessage | null;
  reply: NegotiationMessage | null;
  /** What the taker asks the maker's payment to promise to watchers, in coin units. */
  reward: DecimalText | null;
  /**
   * Whether a message beside the fee asked for nothing before the maker had paid: a taker whose nodes did not tell what a reward costs does so, and
   * asks once they do. A maker pays by the one that reached it first.
   */
  saidWithoutReward: boolean;
};

/** The same, told beside the taker's fee; null where it asks for nothing. */
export function rewardIn(message: SwapMessage): DecimalText | null {
  if (message.kind !== 'takerFee') return null;
  const asked = (message.instructions as { readonly WatcherReward?: DecimalText } | null | undefined)?.WatcherReward;
  return asked ?? null;
}
