import type { Allowance, Rate } from '../allowance.ts';
import { MOST_FRAME_BYTES } from '../kdf-wire/gossip-frame.ts';
import type { BanRules } from './bans.ts';
import type { RecentLimits } from './recent.ts';
import type { SearchLimits } from './relay-search.ts';
import type { TopicShareLimits } from './topic-shares.ts';

const KIB = 1024;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Connections that a node accepts. */
export type HostLimits = {
  /** Links at a time. */
  readonly links: number;
  /** Connections at a time that are not yet links. */
  readonly pending: number;
  /** Connections a second from one address. */
  readonly perSecond: number;
  /** Milliseconds until a connection must be a link. */
  readonly handshake: number;
};

/** The bounds on what other nodes may take of this one. Moments are in milliseconds. */
export type NetworkLimits = HostLimits & {
  /** Links from one address; this host itself may use them all. */
  readonly perAddress: number;
  /** What one node may send. The reader stops at a node that sends more, until it may again. */
  readonly each: Allowance;
  /** What a relay may send: it passes on what others said. */
  readonly relay: Allowance;
  /** What one topic may take of what one node may send, as a seed node hears it. Anything more on it is lost. */
  readonly perTopic: TopicShareLimits;
  /** Addresses without a link whose allowances are remembered. */
  readonly purses: number;
  /** Relays that connected by themselves and receive everything. */
  readonly relays: number;
  /** Most of these that come from one address; the loopback has no bound. */
  readonly relaysPerAddress: number;
  /** Topics that one node may listen to. */
  readonly topics: number;
  /** Bytes waiting for one node, above which it is sent nothing more. */
  readonly waitingBytes: number;
  /** Bytes of all nodes that are kept until their frames are complete. */
  readonly heldBytes: number;
  /** Publications that are recognized again, and for how long. */
  readonly seen: { readonly keep: number; readonly most: number };
  /** What a relay repeats to a node that subscribes a moment too late. */
  readonly recent: RecentLimits;
  /** Answers to health checks of others. */
  readonly health: Rate;
  /** Questions of one link, for the time and for relays, that are answered. */
  readonly questions: Rate;
  readonly bans: BanRules;
  /** From a link to its first gossip stream. */
  readonly silence: number;
  readonly ping: { readonly every: number; readonly timeout: number };
  /** Until the question for the time is answered, and how far off the answer may be. */
  readonly time: { readonly timeout: number; readonly apart: number };
  /** Between two messages to relays that they are still wanted. */
  readonly mesh: number;
  /** Pauses between attempts to reach a node: the first, the longest, and how long a link must last for them to start over. */
  readonly dial: { readonly first: number; readonly longest: number; readonly lasting: number };
  /** How a light node keeps enough relays. */
  readonly search: SearchLimits;
};

/** The pings, the bound of clocks, the time for which messages are known and the search for relays are those of the framework. */
export const USUAL_LIMITS: NetworkLimits = {
  links: 200,
  pending: 100,
  perSecond: 20,
  perAddress: 16,
  handshake: 5 * SECOND,
  each: {
    messages: { burst: 400, perSecond: 40 },
    weight: { burst: 2 * MOST_FRAME_BYTES, perSecond: 128 * KIB },
  },
  relay: {
    messages: { burst: 4000, perSecond: 400 },
    weight: { burst: 8 * MOST_FRAME_BYTES, perSecond: 1024 * KIB },
  },
  perTopic: {
    allowance: {
      messages: { burst: 200, perSecond: 20 },
      weight: { burst: MOST_FRAME_BYTES, perSecond: 64 * KIB },
    },
    most: 16,
  },
  purses: 10_000,
  relays: 12,
  relaysPerAddress: 2,
  topics: 1000,
  waitingBytes: 2048 * KIB,
  heldBytes: 64 * 1024 * KIB,
  seen: { keep: MINUTE, most: 50_000 },
  recent: { keep: 20 * SECOND, mostBytes: 8 * 1024 * KIB, perTopic: 16, mostBytesPerTopic: 512 * KIB },
  health: { burst: 100, perSecond: 10 },
  questions: { burst: 10, perSecond: 0.1 },
  bans: { first: 10 * MINUTE, longest: 24 * 60 * MINUTE, identities: 3, most: 10_000 },
  silence: 30 * SECOND,
  ping: { every: 15 * SECOND, timeout: 20 * SECOND },
  time: { timeout: 10 * SECOND, apart: 20 * SECOND },
  mesh: 30 * SECOND,
  dial: { first: SECOND, longest: 2 * MINUTE, lasting: MINUTE },
  search: {
    ...{ least: 2, usual: 4, most: 12, known: 100 },
    ...{ look: 30 * SECOND, again: 5 * MINUTE },
    ask: { first: 20 * SECOND, every: 5 * MINUTE, timeout: 10 * SECOND },
  },
};
