import { type ErrorFacts, type Retry, SwapfoldError } from '../primitives/error.ts';
import { redactText } from '../primitives/redact-text.ts';

/** Codes for what the runtime refuses, and for why a runner stopped. */
export type RuntimeCode =
  | 'SWAP_REQUEST_INVALID'
  | 'SWAP_EXISTS'
  | 'SWAP_NOT_FOUND'
  | 'SWAP_UNREADABLE'
  | 'FEE_ORDER_INVALID'
  | 'COIN_NOT_ACTIVE'
  | 'COIN_WALLET_ONLY'
  | 'RUNNER_FAILED'
  | 'TRANSACTION_TAKEN'
  | 'RUNTIME_DRAINING'
  | 'LOG_UNAVAILABLE';

export type RuntimeErrorOptions = {
  readonly facts?: ErrorFacts;
  readonly next: string;
  readonly retry?: Retry;
  readonly cause?: unknown;
};

/**
 * A refusal of the runtime, told apart by `code`.
 *
 * @example
 * ```ts
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { createInProcessNetwork } from 'swapfold/peers/in-process';
 * import { createRuntime, RuntimeError, systemClock } from 'swapfold/runtime';
 *
 * const peers = createInProcessNetwork().peer('a1'.repeat(32));
 * const clock = systemClock({ keepAlive: false });
 * const runtime = createRuntime({ log: createMemoryLog(), chains: [], peers, clock, kinds: [] });
 * const asked = runtime.pause('3447b727-fe93-4357-8e5a-8cf2699b7e86');
 * const error = await asked.catch((thrown: unknown) => thrown);
 * error instanceof RuntimeError && error.code; // → 'SWAP_NOT_FOUND'
 * await runtime.drain();
 * ```
 */
export class RuntimeError extends SwapfoldError {
  declare readonly code: RuntimeCode;

  constructor(code: RuntimeCode, message: string, { facts = {}, next, retry = 'never', cause }: RuntimeErrorOptions) {
    super(message, { code, facts, next, retry, ...(cause === undefined ? {} : { cause }) });
  }
}

export function requestInvalid(
  member: string,
  expected: string,
  options: { readonly next?: string } = {},
): RuntimeError {
  return new RuntimeError('SWAP_REQUEST_INVALID', 'A swap cannot be started with these options.', {
    facts: { member, expected },
    next: options.next ?? 'Nothing was written. Correct the member, then start the swap again.',
  });
}

export function feeOrderInvalid(member: string, expected: string): RuntimeError {
  return new RuntimeError('FEE_ORDER_INVALID', "This order about a swap's fees is invalid.", {
    facts: { member, expected },
    next: 'Nothing was written. Correct the member, then give the order again.',
  });
}

export function swapExists(stream: string): RuntimeError {
  return new RuntimeError('SWAP_EXISTS', 'The log holds another swap under this id.', {
    facts: { stream },
    next: 'Nothing was written. Look at the existing swap; a log is never overwritten.',
  });
}

/**
 * Another log with the same swap id, with what each of the two says where they differ. @param differences texts without
 * secrets.
 */
export function swapDiffers(stream: string, differences: Readonly<Record<string, string>>): RuntimeError {
  return new RuntimeError('SWAP_EXISTS', 'The log holds another swap under this id.', {
    facts: { stream, ...differences },
    next: 'Nothing was written. Look at the existing swap; a log is never overwritten.',
  });
}

/** The node has signed a transaction for the swap, and the log to import holds another one in its place. */
export function swapGoneOn(stream: string, purpose: string): RuntimeError {
  return new RuntimeError('SWAP_EXISTS', 'This node has continued the swap itself.', {
    facts: { stream, signed: purpose },
    next: 'Nothing was written. Make sure that only one node drives the swap, and check its transactions on the chains.',
    retry: 'operator',
  });
}

export function swapNotFound(uuid: string): RuntimeError {
  return new RuntimeError('SWAP_NOT_FOUND', 'The log holds no swap with this id.', {
    facts: { uuid },
    next: 'Check the id, or import the swap first.',
  });
}

/** A log that does not fold, so what it wants is unknown. */
export function swapUnreadable(stream: string, cause: unknown): RuntimeError {
  return new RuntimeError('SWAP_UNREADABLE', 'The log of this swap does not fold into a state.', {
    ...whyOf(stream, cause),
    next: 'Run `swapfold explain` on the log and settle by hand what it shows, or import a better copy.',
    retry: 'operator',
  });
}

export function coinNotActive(coin: string): RuntimeError {
  return new RuntimeError('COIN_NOT_ACTIVE', 'The coin is not active on this node.', {
    facts: { coin },
    next: 'Activate the coin first. Nothing was written.',
    retry: 'later',
  });
}

/** No swap can start in this coin as it is activated here. */
export function coinWalletOnly(coin: string): RuntimeError {
  return new RuntimeError('COIN_WALLET_ONLY', 'The coin is active for its wallet only, not for swaps.', {
    facts: { coin },
    next:
      'Nothing was written. Activate the coin with a key that can sign swaps and with a swap contract, and make ' +
      'sure that neither the request nor the coins file excludes it from trading.',
  });
}

/** The runner hit a bug in this package. Other runners continue. */
export function runnerFailed(stream: string, cause: unknown): RuntimeError {
  return new RuntimeError('RUNNER_FAILED', 'The runner of this swap stopped because of a bug in swapfold.', {
    ...whyOf(stream, cause),
    next: 'The log is intact, and the runner restarts from it after a pause. Please report the bug anyway.',
    retry: 'operator',
  });
}

/** A wallet gave this swap a transaction of another swap: nothing of it is broadcast for this one. */
export function transactionTaken(
  stream: string,
  { tx_hash, holder }: { tx_hash: string; holder: string },
): RuntimeError {
  return new RuntimeError('TRANSACTION_TAKEN', 'A wallet gave two swaps the same transaction.', {
    facts: { stream, transaction: tx_hash, holder },
    next:
      'Nothing was written or sent for this swap, which asks its wallet again after a pause. Make sure that the ' +
      'adapter keeps prepared transactions of different swaps apart.',
    retry: 'later',
  });
}

export function draining(): RuntimeError {
  return new RuntimeError('RUNTIME_DRAINING', 'The node is shutting down and accepts nothing new.', {
    next: 'Nothing was written. Ask again once the node is back.',
    retry: 'later',
  });
}

/** The log returned an error: the records may be in it or not. */
export function logUnavailable(stream: string, cause: unknown): RuntimeError {
  return new RuntimeError('LOG_UNAVAILABLE', 'The event log gave no reliable answer.', {
    ...whyOf(stream, cause),
    next: 'Look at the swap again in a moment: the request may have been written anyway.',
    retry: 'later',
  });
}

/** Others wrote to the same stream first at every attempt. */
export function contested(stream: string): RuntimeError {
  const cause = new SwapfoldError('Others keep writing to the stream.', { code: 'LOG_CONFLICT', facts: { stream } });
  return logUnavailable(stream, cause);
}

/** What caused an error. For an unexpected error only its kind and place, because its text may quote anything. */
function whyOf(stream: string, cause: unknown): { readonly facts: ErrorFacts; readonly cause?: unknown } {
  if (cause instanceof SwapfoldError) return { facts: { stream, reason: cause.code }, cause };
  return { facts: { stream, reason: shortReason(cause), where: placeOf(cause) } };
}

/** A frame of a stack as the platform writes it: a function, and a file with its line. */
const FRAME = /^\s*at (?:[\w$.<> [\]]{1,80} )?\(?(?:[^()\s]*[/\\])?([\w.-]{1,60}:\d+:\d+)\)?$/;

/** Where an error was thrown, without its text: a text of several lines must not pass for a frame. */
function placeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || typeof cause.stack !== 'string') return undefined;
  const { stack, message } = cause;
  const text = stack.indexOf(message);
  const frame = stack
    .slice(text < 0 ? 0 : text + message.length)
    .split('\n')
    .find((line) => FRAME.test(line));
  if (frame === undefined) return undefined;
  const name = /^\s*at ([\w$.]{1,60}) \(/.exec(frame)?.[1];
  const file = FRAME.exec(frame)?.[1] ?? '';
  return redactText(name === undefined ? file : `${name} (${file})`);
}

/** The kind of an error and its code, without its text. */
export function shortReason(error: unknown): string {
  if (error instanceof SwapfoldError) return error.code;
  if (!(error instanceof Error)) return typeof error;
  const { code, name } = error as { readonly code?: unknown; readonly name: unknown };
  const kind = isName(name) ? name : 'Error';
  return isName(code) ? `${kind} ${code}` : kind;
}

/** Whether it looks like an identifier, and not like something that an adapter put in the place of a name. */
function isName(value: unknown): value is string {
  return (
    typeof value === 'string' && /^[A-Za-z]\w{0,39}$/.test(value) && redactText(value) === value && !/\d{4}/.test(value)
  );
}

/** Whether a wallet gave two swaps the same transaction, so another answer from it helps. */
export function isTaken(error: unknown): error is SwapfoldError {
  return error instanceof SwapfoldError && error.code === 'TRANSACTION_TAKEN';
}

/** Whether an append was refused because the stream holds a different number of records than expected. */
export function isConflict(error: unknown): boolean {
  return error instanceof SwapfoldError && error.code === 'LOG_CONFLICT';
}

/** Whether no log would ever accept the records. */
export function isRefused(error: unknown): boolean {
  return error instanceof SwapfoldError && error.code === 'LOG_RECORD_INVALID';
}

/** Whether a stream can never be read: trying again later would not help. */
export function isDamage(error: unknown): boolean {
  return error instanceof SwapfoldError && error.code === 'LOG_DAMAGED';
}
