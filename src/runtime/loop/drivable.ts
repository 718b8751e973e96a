import type { JournalContext } from '../../../machines/journal/context.ts';
import type { NextStep, SwapFunds } from '../../../machines/swap-verdict.ts';
import type { WatchTiming } from '../../events/watcher.ts';
import type { SwapHold } from '../../htlc/locked-amount.ts';
import type { NetworkProfile } from '../../htlc/network-profile.ts';
import type { Chain, ChainFeed, SignedTransaction } from '../../ports/chain.ts';
import type { NewRecord, StreamLabels } from '../../ports/event-log.ts';
import type { SwapMessage, SwapMessageKind } from '../../ports/peers.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Claims } from '../claims.ts';
import type { Command, Leg, NewEvent } from '../command.ts';
import type { Facts } from '../facts.ts';
import type { Others } from '../held.ts';
import type { Policy } from '../policy.ts';
import type { Answered } from '../swap/runner.ts';
import type { Signed } from '../swap/signed.ts';

/**
 * Something that a log drives: it receives the records of its stream, returns one command at a time, and receives the
 * result. It holds nothing that a crash could lose, knows no clock, and starts nothing itself.
 */
export type Drivable = {
  readonly stream: string;
  /** Number of records that it has applied. */
  readonly length: () => number;
  /** Tickers of its chains; null if the log does not name one. */
  readonly coins: Readonly<Record<Leg, string | null>>;
  /** Coins without which it must not continue. */
  readonly missing: readonly string[];
  /** Which messages are for it; null for none. */
  readonly listens: () => Listening | null;
  /** @throws only for a bug in this package. */
  readonly decide: (now: Millis) => Command;
  readonly recordsOf: (events: readonly NewEvent[], now: Millis) => readonly NewRecord[];
  /** The stream's labels once these records are applied. @throws when they cannot be: then they must not be appended. */
  readonly preview: (records: readonly NewRecord[]) => StreamLabels;
  /** Takes records that the log holds. @throws SwapfoldError ILLEGAL_EVENT */
  readonly applyRecords: (records: readonly NewRecord[]) => void;
  readonly absorb: (command: Ask, given: Answered) => void;
  readonly receive: (message: SwapMessage) => void;
  readonly poke: (leg: Leg) => void;
  /** Whether the chain's feed is complete and unbroken from now on. @defaultValue it relies on no feed */
  readonly trust?: (leg: Leg, whole: boolean) => void;
  readonly sent: (given: { readonly message: SwapMessage; readonly now: Millis }) => void;
  /** A message of this kind was not handed over after all: it is due again. */
  readonly unsent: (kind: SwapMessageKind) => void;
  readonly look: () => DrivableView;
  /** What its wallets have signed for it but its log does not hold. @defaultValue it remembers none */
  readonly signed?: {
    /** What it has no use for; reported once. */
    readonly unused: () => Facts['unused'];
    /** What it may still put into its log. */
    readonly kept: () => readonly Signed[];
    /** Passes it one that it did not get in time. False if it has no use for it. */
    readonly keep: (signed: Signed) => boolean;
  };
  /** Secrets that no text may contain, in hex. @defaultValue none */
  readonly secrets?: () => readonly string[];
  /** The swap of others that it watches: the taker's key and the hash of its fee. */
  readonly watched?: { readonly uuid: string; readonly taker: string; readonly fee: string };
  /**
   * What it will still take from the wallets, in coin units by ticker: now, or at most while these own records are
   * being written. @defaultValue nothing
   */
  readonly holds?: (coming?: readonly NewRecord[]) => SwapHold;
};

/** What a drivable hears. */
export type Listening = {
  readonly topic: string;
  /** The signer's key without its parity byte, 32 bytes in hex. */
  readonly from: string;
  /** Which kinds of messages it can use. @defaultValue all */
  readonly kinds?: ReadonlySet<SwapMessageKind>;
};

export type Ask = Extract<Command, { kind: 'ask' }>;

/** What a drivable reports. */
export type DrivableView = {
  readonly role: 'maker' | 'taker' | 'watcher';
  readonly state: string;
  /** One of the closed set of the machine's outcomes. */
  readonly outcome: string;
  readonly funds: SwapFunds | null;
  readonly next: NextStep | null;
  readonly journal: JournalContext;
  /** What it knows beyond its log. */
  readonly tries: Facts['tries'];
  /** How long its chains take to answer, in milliseconds. @defaultValue no time */
  readonly answering?: Facts['answering'];
  /** Coins of which too much is held for other swaps, so that the start waits. @defaultValue none */
  readonly promised?: readonly string[];
  /** On which chain the transactions of each purpose are. */
  readonly legOf: (purpose: keyof JournalContext['prepared']) => Leg;
};

/** What a kind of drivable is made from, besides its records. */
export type DrivableInputs = {
  readonly policy: Policy;
  /** The active chain of a coin. */
  readonly chain: (coin: string) => ChainIdentity | undefined;
  /** What the trading network requires of a taker. @defaultValue KDF's network */
  readonly network?: NetworkProfile;
  /** What all other streams hold of the wallets. @defaultValue nothing */
  readonly others?: (stream: string) => Others;
  /** What belongs to swaps other than a stream's. @defaultValue nothing */
  readonly claims?: (stream: string) => Claims;
};

/** What must be known about a chain without asking it. */
export type ChainIdentity = Pick<Chain, 'traits' | 'htlcKey'> & Pick<ChainFeed, 'promised'>;

/** How the streams of one machine are driven. */
export type DrivableKind = {
  /** Machine id, the part of the streams' names before the slash. */
  readonly machine: string;
  /** A drivable that has taken the records. @throws SwapfoldError ILLEGAL_EVENT when they do not fold. */
  readonly create: (stream: string, records: readonly NewRecord[], inputs: DrivableInputs) => Drivable;
  /** For the machine whose streams start with a taker's message to watchers. @defaultValue such messages are ignored */
  readonly watches?: WatchSettings;
};

/** How a node accepts watches. */
export type WatchSettings = {
  /** Timings of watches that are requested from now on. */
  readonly timing: WatchTiming;
  /** Most watches that are open at the same time. */
  readonly most: number;
};

/**
 * Signed transactions of a journal that may still confirm, with their chains; for a swap at rest, only those that a
 * node accepted.
 */
export function reservationsOf(view: Pick<DrivableView, 'journal' | 'legOf' | 'role' | 'state'>) {
  const { journal, legOf } = view;
  const atRest = isAtRest(view);
  const kept: { readonly leg: Leg; readonly tx: SignedTransaction }[] = [];
  for (const [purpose, variants] of Object.entries(journal.prepared)) {
    const leg = legOf(purpose as keyof JournalContext['prepared']);
    for (const { tx, dead, acceptedAt } of variants) {
      if (!dead && !(atRest && acceptedAt === null)) kept.push({ leg, tx });
    }
  }
  return kept;
}

/**
 * Whether a swap is over and only watched: then transactions that no node has accepted are not sent again. A swap whose
 * end was undone, or that is to be recovered, sends again what it has.
 */
export function isAtRest({ role, state, journal }: Pick<DrivableView, 'journal' | 'role' | 'state'>): boolean {
  if (state !== 'finished' || role === 'watcher') return false;
  const { reorged, settled, recoverSince } = journal;
  if (recoverSince !== null || reorged.maker !== null || reorged.taker !== null) return false;
  const own = onLeg(settled, role);
  const other = onLeg(settled, role === 'maker' ? 'taker' : 'maker');
  return other?.how !== 'refunded' || own !== null;
}
