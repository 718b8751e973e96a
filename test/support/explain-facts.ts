import type { Claim, LegFunds, NextStep, Outcome, Party } from '../../machines/swap-verdict.ts';
import type { StoredEvent } from '../../src/events/decode-event.ts';
import type { KdfFlags } from '../../src/events/kdf-flags.ts';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { decimalOf } from '../../src/primitives/decimal.ts';
import type { Uuid } from '../../src/primitives/ids.ts';
import { millisOf, type UnixSeconds, unixSecondsOf } from '../../src/primitives/time.ts';
import { auditedSwap } from '../../src/replay/audit/swap-view.ts';
import { explainedErrors } from '../../src/replay/explain/errors.ts';
import type { ExplainFacts } from '../../src/replay/explain/facts.ts';

/** When the lock of a made-up payment ends: 2023-11-14 22:13:20 UTC. */
export const LOCK = unixSecondsOf(1_700_000_000);
export const SWAP_ID = '350c617f-58e4-4a82-8000-2b288f80af9d' as Uuid;

export type FactsOptions = {
  readonly role?: Party;
  readonly outcome?: Outcome;
  readonly makerPayment?: Partial<LegFunds>;
  readonly takerPayment?: Partial<LegFunds>;
  readonly next?: Partial<NextStep> | null;
  readonly kdf?: Partial<KdfFlags>;
  readonly state?: string;
  /** Types of the events, with their payloads where one looks at them. */
  readonly events?: readonly (string | readonly [type: string, data: unknown])[];
  readonly head?: Readonly<Record<string, unknown>>;
  /** Seconds after {@link LOCK}; without it there is no clock. */
  readonly now?: number;
};

/** What an explanation is made from, for a swap of 3 MARTY for 2.4 DOC with no payment yet, but for what is given. */
export function explainFacts(options: FactsOptions = {}): ExplainFacts {
  const { role = 'taker', outcome = 'in-progress', state = 'anywhere', next = null, now, head } = options;
  const events = (options.events ?? []).map((event, index): StoredEvent => {
    const [type, data] = typeof event === 'string' ? [event, null] : event;
    return { type, data, at: millisOf(1_700_000_000_000 + index), known: true } as StoredEvent;
  });
  const log = {
    role,
    uuid: SWAP_ID,
    events,
    head: { success_events: [], error_events: [], ...head },
    roleGiven: true,
    anomalies: [],
  } as unknown as SwapLog;
  const replayed = {
    ...{ uuid: SWAP_ID, role, outcome, state, events: events.map(({ type }) => type), anomalies: [] },
    funds: {
      makerPayment: { ...noPayment('DOC', '2.4'), ...options.makerPayment },
      takerPayment: { ...noPayment('MARTY', '3'), ...options.takerPayment },
    },
    next: next === null ? null : { ...NEXT, ...next },
    kdf: { finished: false, success: null, recoverable: false, ...options.kdf },
  };
  const read = { view: auditedSwap(log), errors: explainedErrors(log) };
  return { replayed, log, ...read, ...(now === undefined ? {} : { now: (LOCK + now) as UnixSeconds }) };
}

const NEXT: NextStep = { action: 'act', who: 'engine', notBefore: null, until: null, text: 'The node acts.' };

function noPayment(coin: string, amount: string): LegFunds {
  return { coin, amount: decimalOf(amount), status: 'none', tx: null, by: null, claimable: [] };
}

/** A refund by the owner, possible from {@link LOCK} on. */
export function refundBy(by: Party, from: UnixSeconds | null = LOCK): Claim {
  return { by, how: 'refund', from, until: null };
}

/** A claim with the secret, possible at once. */
export function claimBy(by: Party): Claim {
  return { by, how: 'secret', from: null, until: LOCK };
}
