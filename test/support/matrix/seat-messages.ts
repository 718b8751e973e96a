import type { SwapRequest } from '../../../src/events/journal.ts';
import type { PeerEnvelope, SwapMessage } from '../../../src/ports/peers.ts';
import type { Leg } from './chain.ts';
import type { HostClockState } from './host-clock.ts';
import type { Past } from './past.ts';
import type { SeatTerms } from './seat.ts';

/** At which of its inputs and outputs a process ends itself, each of which counts before it and after it. */
export type KillPlan = {
  /** A regular expression: those that count, by their kind and what they are. */
  readonly of: string;
  /** Which of them, from 1. */
  readonly at: number;
  /** Processes that are taken along. */
  readonly along: readonly number[];
};

/** How the lines and the clock of a process's host are. */
export type HostState = {
  readonly up: Readonly<Record<Leg, boolean>>;
  /** Whether one of two servers is cut off. */
  readonly half: Readonly<Record<Leg, boolean>>;
  /** In seconds. */
  readonly slow: Readonly<Record<Leg, number>>;
  readonly past: Readonly<Record<Leg, Past | null>>;
  readonly clock: HostClockState;
};

export type Deed =
  | {
      readonly do: 'open';
      readonly terms: SeatTerms;
      readonly folder: string;
      readonly host: HostState;
      /** Whether it counts from the first moment on. */
      readonly counts: boolean;
      readonly plan: KillPlan | null;
    }
  | { readonly do: 'start'; readonly request: SwapRequest }
  | { readonly do: 'count'; readonly plan: KillPlan | null }
  | { readonly do: 'hear'; readonly topic: string; readonly envelope: PeerEnvelope }
  /** Nothing but that time has passed. */
  | { readonly do: 'wake' }
  | { readonly do: 'host'; readonly host: HostState }
  /** Sends something to an account from the wallet of a chain with accounts, beside all swaps. */
  | { readonly do: 'spend'; readonly leg: Leg; readonly to: string }
  | { readonly do: 'close' };

/** What a process is told, with the time in milliseconds since 1970. It answers each by a rest of the same number. */
export type ToSeat = { readonly number: number; readonly now: number; readonly deed: Deed };

export type FromSeat =
  | { readonly say: 'ready' }
  | {
      readonly say: 'rest';
      /** What was told last; null where nothing was. */
      readonly number: number | null;
      /** When it wants to be woken. */
      readonly due: number | null;
      /** Why it could not; null where it could. */
      readonly failed: string | null;
      /** What it came by since it counts. */
      readonly passed: readonly string[];
    }
  | { readonly say: 'listen'; readonly topic: string; readonly on: boolean }
  | {
      readonly say: 'send';
      readonly topic: string;
      readonly message: SwapMessage;
      readonly signer: string | null;
      readonly ticket: number;
    }
  /** These are its last words. */
  | { readonly say: 'fall'; readonly at: string };

/** That a message was handed over. */
export type Sent = { readonly sent: number };
