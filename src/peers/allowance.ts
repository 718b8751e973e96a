import type { Millis } from '../primitives/time.ts';

/** The amount allowed at once, and how much more per second. */
export type Rate = { readonly burst: number; readonly perSecond: number };

/** How many messages a sender may send, and their total weight: characters, numbers and members, as read. */
export type Allowance = { readonly messages: Rate; readonly weight: Rate };

type Bucket = { tokens: number; at: Millis };

/** What is left to a sender. */
export type Account = { readonly messages: Bucket; readonly weight: Bucket };

export function openAccount({ messages, weight }: Allowance, now: Millis): Account {
  return { messages: { tokens: messages.burst, at: now }, weight: { tokens: weight.burst, at: now } };
}

/** What to draw from an account, and by which rule. */
export type Draw = { readonly allowance: Allowance; readonly now: Millis };

/** Whether one more message may come. Draws nothing. */
export function mayCome({ messages }: Account, { allowance, now }: Draw): boolean {
  refill(messages, allowance.messages, now);
  return messages.tokens >= 1;
}

/** Draws one message. False, without drawing, if none may come. */
export function drawMessage(account: Account, draw: Draw): boolean {
  if (!mayCome(account, draw)) return false;
  account.messages.tokens -= 1;
  return true;
}

/** Draws the weight of a message. False, without drawing, if that much may not come. */
export function drawWeight(account: Account, draw: Draw & { readonly weight: number }): boolean {
  const { weight } = account;
  refill(weight, draw.allowance.weight, draw.now);
  if (weight.tokens < draw.weight) return false;
  weight.tokens -= draw.weight;
  return true;
}

/** A clock that was set back gives nothing, and counts on from there: nobody waits for the hour that it lost. */
function refill(bucket: Bucket, { burst, perSecond }: Rate, now: Millis): void {
  const passed = now - bucket.at;
  bucket.at = now;
  if (passed > 0) bucket.tokens = Math.min(burst, bucket.tokens + (passed / 1000) * perSecond);
}

/** What may come from the senders on one topic: each alone, and all together. */
export type TopicAllowances = {
  readonly each: Allowance;
  readonly all: Allowance;
  /** Most senders that are remembered. */
  readonly most: number;
};

export type TopicAccounts = {
  /** Draws a message of this sender. False if it, or all together, sent too many. */
  readonly message: (from: string, now: Millis) => boolean;
  readonly weight: (from: string, given: { readonly weight: number; readonly now: Millis }) => boolean;
  /** Senders that are remembered. */
  readonly size: () => number;
};

/**
 * The accounts of one topic on which anyone may speak.
 *
 * - M4: who sends too much uses up its own allowance first, and nothing of what is for all; only as many keys as the rate for all lets
 *   through come into the table, however many someone makes.
 * - M5: the table never holds more than `most` senders. Who was silent for the longest time is forgotten first, and gains nothing by it
 *   but a new burst, which the allowance for all bounds.
 */
export function createTopicAccounts({ each, all, most }: TopicAllowances, now: Millis): TopicAccounts {
  const together = openAccount(all, now);
  const accounts = new Map<string, Account>();

  const accountOf = (from: string, at: Millis): Account => {
    const known = accounts.get(from);
    if (known !== undefined) {
      // Last in line to be forgotten.
      accounts.delete(from);
      accounts.set(from, known);
      return known;
    }
    const [oldest] = accounts.keys();
    if (oldest !== undefined && accounts.size >= most) accounts.delete(oldest);
    const account = openAccount(each, at);
    accounts.set(from, account);
    return account;
  };

  return {
    message(from, at) {
      const own = accounts.get(from);
      if (own !== undefined && !mayCome(own, { allowance: each, now: at })) return false;
      if (!drawMessage(together, { allowance: all, now: at })) return false;
      return drawMessage(accountOf(from, at), { allowance: each, now: at });
    },
    weight(from, { weight, now: at }) {
      if (!drawWeight(accountOf(from, at), { allowance: each, now: at, weight })) return false;
      return drawWeight(together, { allowance: all, now: at, weight });
    },
    size: () => accounts.size,
  };
}
