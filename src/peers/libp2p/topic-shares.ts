import type { Millis } from '../../primitives/time.ts';
import { type Account, type Allowance, drawMessage, drawWeight, mayCome, openAccount } from '../allowance.ts';

/** What one topic may take of what a node may send, and the topics of one node that are remembered. */
export type TopicShareLimits = { readonly allowance: Allowance; readonly most: number };

/** What is left to each topic on which a node speaks. */
export type TopicShares = {
  /** Draws a publication of so many bytes. False, drawing nothing, if the topic has used up its share. */
  readonly draw: (topic: string, given: { readonly weight: number; readonly now: Millis }) => boolean;
  readonly clear: () => void;
  /** Topics that are remembered. */
  readonly size: () => number;
};

/**
 * - O11: one topic takes only a part of what a node may send, and what is more on it is lost. So whoever floods a topic is heard on all others.
 *   Of many topics those are forgotten that nobody spoke on for the longest time; these gain a new burst by it, which the allowance of the node
 *   bounds. Relays have no such share: what they hand on is others', of whom a few could use up that of someone's swap. They wait instead, and
 *   who hands on lets sources take turns (O6), and topics of each (O12).
 */
export function createTopicShares({ allowance, most }: TopicShareLimits): TopicShares {
  const accounts = new Map<string, Account>();

  const accountOf = (topic: string, now: Millis): Account => {
    const account = accounts.get(topic) ?? openAccount(allowance, now);
    // Last in line to be forgotten.
    accounts.delete(topic);
    accounts.set(topic, account);
    const [oldest] = accounts.keys();
    if (oldest !== undefined && accounts.size > most) accounts.delete(oldest);
    return account;
  };
  return {
    draw(topic, { weight, now }) {
      const account = accountOf(topic, now);
      const draw = { allowance, now };
      return mayCome(account, draw) && drawWeight(account, { ...draw, weight }) && drawMessage(account, draw);
    },
    clear: () => accounts.clear(),
    size: () => accounts.size,
  };
}
