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
 * Something that a log drives: it is fed the records of its stream, is asked for one command at a time, and is given what
 * came of it. It holds nothing that a crash could lose, knows no clock and starts nothing by itself.
 */
export type Drivable = {
  readonly stream: string;
  /** Count of records that it has taken. */
  readonly length: () => number;
  /** Tickers of its chains; null where the log does not name one. */
  readonly coins: Readonly<Record<Leg, string | null>>;
  /** Coins without which it must not go on. */
  readonly missing: readonly string[];
  /** Which messages are for it; null for none. */
  readonly listens: () => Listening | null;
  /** @throws only for a fault of this package. */
  readonly decide: (now: Millis) => Command;
  readonly recordsOf: (events: readonly NewEvent[], now: Millis) => readonly NewRecord[];
  /** The stream's labels once these records are applied. @throws when they cannot be: then they must not be appended. */
  readonly preview: (records: readonly NewRecord[]) => StreamLabels;
  /** Takes records that the log holds. @throws SwapfoldError ILLEGAL_EVENT */
  readonly applyRecords: (records: readonly NewRecord[]) => void;
  readonly absorb: (command: Ask, given: Answered) => void;
  readonly receive: (message: SwapMessage) => void;
  readonly poke: (leg: Leg) => void;
  /** Whether the chain's feed is complete and whole from now on. @defaultValue it rests on no feed */
  readonly trust?: (leg: Leg, whole: boolean) => void;
  readonly sent: (given: { readonly message: SwapMessage; readonly now: Millis }) => void;
  /** A message of this kind was not handed over after all: it is due again. */
  readonly unsent: (kind: SwapMessageKind) => void;
  readonly look: () => DrivableView;
  /** What its wallets have signed for it and its log does not hold. @defaultValue it remembers none */
  readonly signed?: {
    /** What it has no use for; told once. */
    readonly unused: () => Facts['unused'];
    /** What it may still put into its log. */
    readonly kept: () => readonly Signed[];
    /** Gives it one that it did not get in time. False where it has no use for it. */
    readonly keep: (signed: Signed) => boolean;
  };
  /** Secrets that no text may hold, in hex. @defaultValue none */
  readonly secrets?: () => readonly string[];
  /** The swap of others that it watches: the taker's key and the hash of the fee that was paid for it. */
  readonly watched?: { readonly uuid: string; readonly taker: string; readonly fee: string };
  /**
   * What it will still take from the wallets, in coin units by ticker: now, or at most while these records of its own are being
   * made durable. @defaultValue nothing
   */
  readonly holds?: (coming?: readonly NewRecord[]) => SwapHold;
};

/** What a drivable hears. */
export type Listening = {
  readonly topic: string;
  /** The signer's key without its parity byte, 32 bytes in hex. */
  readonly from: string;
  /** Which kinds of messages are of use to it. @defaultValue all */
  readonly kinds?: ReadonlySet<SwapMessageKind>;
};

export type Ask = Extract<Command, { kind: 'ask' }>;

/** What can be told of a drivable. */
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

/** What a kind of drivable is made from beside its records. */
export type DrivableInputs = {
  readonly policy: Policy;
  /** The active chain of a coin. */
  readonly chain: (coin: string) => ChainIdentity | undefined;
  /** What the trading network asks of a taker. @defaultValue KDF's network */
  readonly network?: NetworkProfile;
  /** What all streams but this one hold of the wallets. @defaultValue nothing */
  readonly others?: (stream: string) => Others;
  /** What belongs to other swaps than that of a stream. @defaultValue nothing */
  readonly claims?: (stream: string) => Claims;
};

/** What must be known of a chain without asking it. */
export type ChainIdentity = Pick<Chain, 'traits' | 'htlcKey'> & Pick<ChainFeed, 'promised'>;

/** How the streams of one machine are driven. */
export type DrivableKind = {
  /** Machine id, the part of the streams' names before the slash. */
  readonly machine: string;
  /** A drivable that has taken the records. @throws SwapfoldError ILLEGAL_EVENT when they do not fold. */
  readonly create: (stream: string, records: readonly NewRecord[], inputs: DrivableInputs) => Drivable;
  /** For the machine whose streams begin with a taker's message to watchers. @defaultValue nobody is heard */
  readonly watches?: WatchSettings;
};

/** How a node takes watches on. */
export type WatchSettings = {
  /** Timings of watches that are requested from now on. */
  readonly timing: WatchTiming;
  /** Most watches that are open at the same time. */
  readonly most: number;
};

/** Signed transactions of a journal that may still confirm, with their chains; of a swap at rest those alone that a node took. */
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
 * Whether a swap is over and only watched: what no node has taken by then is not sent any more. One whose end was undone, or that is to be
 * recovered, sends again what it has.
 */
export function isAtRest({ role, state, journal }: Pick<DrivableView, 'journal' | 'role' | 'state'>): boolean {
  if (state !== 'finished' || role === 'watcher') return false;
  const { reorged, settled, recoverSince } = journal;
  if (recoverSince !== null || reorged.maker !== null || reorged.taker !== null) return false;
  const own = onLeg(settled, role);
  const other = onLeg(settled, role === 'maker' ? 'taker' : 'maker');
  return other?.how !== 'refunded' || own !== null;
}
