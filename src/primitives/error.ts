/** Whether a retry can help: never, later without anyone's action, or only after an operator acted. */
export type Retry = 'never' | 'later' | 'operator';

export type ErrorFacts = Readonly<Record<string, string | number | bigint | boolean | null | undefined>>;

export type SwapfoldErrorOptions = {
  /** Stable, grep-able code, documented in docs/reference/errors.md. */
  readonly code: string;
  /** Values that locate the fault, each with its unit in the name or the text. Never a secret. */
  readonly facts?: ErrorFacts;
  /** What a person should do next. */
  readonly next?: string;
  /** @defaultValue 'never' */
  readonly retry?: Retry;
  readonly cause?: unknown;
};

/**
 * Base of every error that this package throws.
 *
 * The text is for people: a short message with its code, the facts in aligned rows, what to do next, where the
 * documentation is, and the message of the cause.
 *
 * @example
 * ```ts
 * import { decodeSwapsText, SwapfoldError } from 'swapfold';
 *
 * const [swap] = decodeSwapsText('{"uuid": "3447b727-fe93-4357-8e5a-8cf2699b7e86", "events": [');
 * const error = swap?.ok === false ? swap.error : undefined;
 * error instanceof SwapfoldError; // → true
 * error?.code; // → 'NOT_JSON'
 * error?.retry; // → 'never'
 * ```
 */
export class SwapfoldError extends Error {
  readonly code: string;
  readonly facts: ErrorFacts;
  readonly retry: Retry;
  readonly shortMessage: string;
  readonly next: string | undefined;

  constructor(shortMessage: string, options: SwapfoldErrorOptions) {
    super(renderError(shortMessage, options), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.shortMessage = shortMessage;
    this.code = options.code;
    this.facts = options.facts ?? {};
    this.retry = options.retry ?? 'never';
    this.next = options.next;
  }
}

function renderError(shortMessage: string, options: SwapfoldErrorOptions): string {
  const rows = Object.entries(options.facts ?? {}).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const lines = [`[${options.code}] ${shortMessage}`];
  if (rows.length > 0) lines.push('', ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${String(value)}`));
  if (options.next !== undefined) lines.push('', options.next);
  lines.push('', `Docs: docs/reference/errors.md#${options.code.toLowerCase()}`);
  if (options.cause instanceof Error) lines.push(`Details: ${options.cause.message}`);
  return lines.join('\n');
}
