import type { Millis } from '../../primitives/time.ts';
import { type Account, type Allowance, drawMessage, drawWeight, mayCome, openAccount } from '../allowance.ts';

/** The share of one topic in what a node may send, and the topics of one node that are remembered. */
export type TopicShareLimits = { readonly allowance: Allowance; readonly most: number };

/** What is left of the share of each topic on which a node speaks. */
export type TopicShares = {
  /** Draws a publication of so many bytes. False, drawing nothing, if the topic has used up its share. */
  readonly draw: (topic: string, given: { readonly weight: number; readonly now: Millis }) => boolean;
  readonly clear: () => void;
  /** Topics that are remembered. */
  readonly size: () => number;
};

/**
 * - O11: one topic takes only a part of what a node may send, and what exceeds that part is lost. So a node that floods a topic is heard on all others.
 *   Of many topics, those silent for the longest time are forgotten; they gain a new burst by that, which the allowance of the node
 *   bounds. Relays have no such share: they pass on messages of others, a few of whom could use up the share of someone's swap. They wait
 *   instead, and whoever passes on lets sources take turns (O6), and the topics of each source (O12).
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
