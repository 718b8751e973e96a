import type { JsonObject } from '../../primitives/json.ts';

/** What the caller of a v2 method gets besides the text; a legacy caller gets only the text. */
export type FailureKind = {
  /** `error_type`. */
  readonly type: string;
  /** `error_data`; the member is absent where this is. */
  readonly data?: unknown;
  /** HTTP status of the answer to a v2 call. */
  readonly status: number;
  /** Members beside `error` for a legacy caller, where the text then stands alone, without a place before it. */
  readonly beside?: JsonObject;
};

/**
 * A call that is answered with an error. It is not a fault of the program and ends in the answer, so it carries only what the caller may see.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { createAccess, RpcFailure } from 'swapfold/rpc';
 *
 * const { check } = createAccess({ password: new Secret('only I know') });
 * const guess = async () => check({ address: '127.0.0.1', local: true }, 'a guess');
 * const fault: unknown = await guess().catch((error: unknown) => error);
 * fault instanceof RpcFailure && fault.message.slice(-16); // → 'attempts left: 9'
 * fault instanceof RpcFailure && fault.kind.type; // → 'UserpassIsInvalid'
 * ```
 */
export class RpcFailure extends Error {
  readonly kind: FailureKind;

  constructor(message: string, kind: FailureKind) {
    super(message);
    this.name = 'RpcFailure';
    this.kind = kind;
  }
}

/** A failure without its own type, like most failures of legacy methods. */
export function internalFailure(message: string): RpcFailure {
  return new RpcFailure(message, { type: 'Internal', data: message, status: 500 });
}

/** Where a failure comes from: the file without its ending and the line, as in `electrum:41]`. Both vary from release to release. */
export type Place = { readonly file: string; readonly line: string };

/** The first frame outside of this file. */
export function placeOf({ stack = '' }: Error): Place {
  for (const [, path = '', line = '0'] of stack.matchAll(FRAME)) {
    const file = path.split(/[/\\]/).at(-1) ?? '';
    if (file !== 'failure') return { file, line };
  }
  return { file: 'dispatch', line: '0' };
}

const FRAME = /^ {4}at .*?([^\s(]+)\.[cm]?[jt]s:(\d+):\d+\)?$/gm;
