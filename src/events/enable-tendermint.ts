import { z } from 'zod';
import { loggedEnableTendermintRequest } from './enable-tendermint-request.ts';
import { decimal, flag, orOmitted, record, text, whole } from './fields.ts';
import { startedMembers, type TaskEventOf, taskEventReader, taskPayloads } from './task-payloads.ts';

const balance = record({ spendable: decimal, unspendable: decimal });

/** What a successful activation answers (specification §4.10): balances, or tickers where nobody asked for them. Unknown members pass through. */
export const enableTendermintDetails = record({
  ticker: text,
  address: text,
  current_block: whole,
  balance: orOmitted(balance),
  tokens_balances: orOmitted(z.record(text, balance)),
  tokens_tickers: orOmitted(z.array(text)),
});

export type EnableTendermintDetails = Readonly<z.output<typeof enableTendermintDetails>>;

/**
 * Payload schema of every event of a task that activates coins of a Tendermint chain. No device has a key of these chains, so that nobody is asked for
 * anything.
 */
export const enableTendermintPayloads = taskPayloads(
  {
    ...startedMembers(loggedEnableTendermintRequest),
    /** Whether one call waits for the outcome, so that nobody asks for it later. */
    answered_at_once: flag.optional().default(false),
  },
  enableTendermintDetails,
);

export type EnableTendermintEventType = keyof typeof enableTendermintPayloads;

export type EnableTendermintEvent = TaskEventOf<typeof enableTendermintPayloads>;

export type TendermintTaskStarted = z.output<(typeof enableTendermintPayloads)['TaskStarted']>;

export const enableTendermintEventTypes = Object.keys(enableTendermintPayloads) as readonly EnableTendermintEventType[];

/**
 * Reads an event of such a task's log. Unknown members of the event are dropped.
 *
 * @throws DecodeError FIELD_INVALID or FIELD_MISSING, which points at the member at fault.
 *
 * @example
 * ```ts
 * import { readEnableTendermintEvent } from 'swapfold/events';
 *
 * const data = { ticker: 'IRIS-USDC' };
 * readEnableTendermintEvent({ type: 'TokenReleased', at: 1734560398123, data }).data; // → data
 * readEnableTendermintEvent({ type: 'EnterTrezorPin', at: 1734560398123 }); // throws FIELD_INVALID
 * ```
 */
export const readEnableTendermintEvent = taskEventReader(enableTendermintPayloads, (name) =>
  enableTendermintEventTypes.find((known) => known === name),
);
