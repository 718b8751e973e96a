import { z } from 'zod';
import { type Millis, millisOf } from '../primitives/time.ts';
import { DecodeError, pointerStep } from './decode-error.ts';
import { kindOf, text, whole } from './fields.ts';
import { noData } from './payloads.ts';
import { taskError } from './task-error.ts';

// What the events of all activation tasks have in common, whichever chains they are for.

/** Longest waits in whole seconds: for a PIN, passphrase or button; for a device; for everything (null: no limit). */
const limits = z.object({
  user_action: whole.optional().default(300),
  device_connect: whole.optional().default(300),
  activation: whole.nullish().transform((seconds) => seconds ?? null),
});

export type TaskLimits = z.output<typeof limits>;

/** The waits of the real node: 300 s for a user action and for a device, none for the whole activation. */
export const defaultTaskLimits: TaskLimits = { user_action: 300, device_connect: 300, activation: null };

const anObject = { error: (issue: { readonly input?: unknown }) => `expected an object, found ${kindOf(issue.input)}` };

/** What a task is begun with; beside it a family may say more of its own. */
export function startedMembers<P extends z.ZodType>(params: P) {
  return {
    task_id: whole,
    /** Receiver of pushed status updates, 0 for none in particular. */
    client_id: whole.optional().default(0),
    params,
    /**
     * Members of the request that the log holds without a secret part of theirs, as JSON pointers. A process that is started again cannot make the
     * request from `params` where there are any.
     */
    withheld: z.array(text).optional().default([]),
    limits: limits.optional().default(defaultTaskLimits),
  };
}

const tokenReleased = z.object({ ticker: text }, anObject);

/** Payload schemas of the events that every family has. */
export function taskPayloads<S extends z.ZodRawShape, D extends z.ZodType>(started: S, details: D) {
  return {
    TaskStarted: z.object(started, anObject),
    ActivatingCoin: noData,
    RequestingWalletBalance: noData,
    Finishing: noData,
    ActivationTimedOut: noData,
    /** The process that worked on the task has ended, and with it all that is in no log. */
    SessionLost: noData,
    CancelRequested: noData,
    Cancelled: noData,
    Completed: z.object({ details }),
    /** The coin that the task activated was taken out. */
    CoinReleased: noData,
    /** A token of it was taken out, and the coin was not: it is activated without that token from then on. */
    TokenReleased: tokenReleased,
    /** The same where nobody reads the result of the task any more. */
    KeptTokenReleased: tokenReleased,
    /** The coin was taken out, and tokens of it stay in use: they are activated without it from then on. */
    CoinPassivated: noData,
    /** The same where nobody reads the result of the task any more. */
    KeptCoinPassivated: noData,
    Failed: taskError,
    /** Nobody reads the result of the task any more; the coin that it activated is in use. */
    ResultForgotten: noData,
    Forgotten: noData,
  } as const;
}

/** Payload schemas of a family of tasks, by event type. */
export type PayloadSchemas = Readonly<Record<string, z.ZodType>>;

/** An event of the family: what happened, when (milliseconds UTC), and its payload in canonical spelling. */
export type TaskEventOf<P extends PayloadSchemas> = {
  [T in keyof P & string]: { readonly type: T; readonly at: Millis; readonly data: z.output<P[T]> };
}[keyof P & string];

type Stored = { readonly type: string; readonly at: number; readonly data?: unknown };

/**
 * Reads the events of a family of tasks from a log. Unknown members of an event are dropped.
 *
 * @param typeOf the type of an event for either spelling of it; undefined for one of no task of the family
 */
export function taskEventReader<P extends PayloadSchemas>(
  payloads: P,
  typeOf: (name: string) => (keyof P & string) | undefined,
) {
  /** @throws DecodeError FIELD_INVALID or FIELD_MISSING, which points at the member at fault. */
  return (stored: Stored, seq = 0): TaskEventOf<P> => {
    const type = typeOf(stored.type);
    if (type === undefined) {
      throw unreadable(`/${seq}/type`, { seq, expected: 'an event type of an activation task', found: 'another text' });
    }
    if (!Number.isSafeInteger(stored.at) || stored.at < 0) {
      const expected = 'whole milliseconds since 1970';
      throw unreadable(`/${seq}/at`, { seq, event: type, expected, found: 'another value' });
    }
    const parsed = (payloads[type] as z.ZodType).safeParse(stored.data);
    if (parsed.success) return { type, at: millisOf(stored.at), data: parsed.data } as TaskEventOf<P>;
    const issue = parsed.error.issues[0];
    const pointer = `/${seq}/data${(issue?.path ?? []).map((step) => pointerStep(String(step))).join('')}`;
    const [expected = '', found] = (issue?.message ?? '').replace(/^expected /, '').split(', found ');
    throw unreadable(pointer, { seq, event: type, expected, found });
  };
}

type Place = {
  readonly seq: number;
  readonly event?: string;
  readonly expected: string;
  readonly found: string | undefined;
};

function unreadable(path: string, place: Place): DecodeError {
  const code = place.found === 'nothing' ? 'FIELD_MISSING' : 'FIELD_INVALID';
  return new DecodeError(code, 'An event of an activation task cannot be read.', { path, ...place });
}
