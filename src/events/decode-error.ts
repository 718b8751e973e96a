import { SwapfoldError } from '../primitives/error.ts';

/** Codes of faults for which a stored swap is refused. */
export type DecodeCode =
  | 'NOT_JSON'
  | 'NOT_A_SWAP'
  | 'NODE_REFUSED'
  | 'TOO_DEEP'
  | 'ROLE_UNKNOWN'
  | 'PROTOCOL_UNSUPPORTED'
  | 'FIELD_INVALID'
  | 'FIELD_MISSING'
  | 'LINE_INVALID';

export type DecodePlace = {
  /** JSON pointer to the value, such as `/events/0/event/data/maker`. */
  readonly path: string;
  /** Position of the event in its log, from 0. */
  readonly seq?: number | undefined;
  readonly event?: string | undefined;
  readonly expected?: string | undefined;
  readonly found?: string | undefined;
};

/**
 * A stored swap that cannot be read: which rule, at which place, what was expected and what was found.
 *
 * @example
 * ```ts
 * import { DecodeError, decodeSwaps } from 'swapfold/events';
 *
 * const [swap] = decodeSwaps({ uuid: '3447b727-fe93-4357-8e5a-8cf2699b7e86', events: [null] });
 * const error = swap?.ok === false ? swap.error : undefined;
 * error instanceof DecodeError && error.place; // → {
 * //   path: '/success_events', expected: 'an array of event names', found: 'nothing',
 * // }
 * ```
 */
export class DecodeError extends SwapfoldError {
  declare readonly code: DecodeCode;
  readonly place: DecodePlace;

  constructor(code: DecodeCode, message: string, { next, ...place }: DecodePlace & { readonly next?: string }) {
    super(message, {
      code,
      facts: { place: place.path === '' ? '/' : place.path, ...factsOf(place) },
      next: next ?? "Compare the log with the node's answer to my_swap_status.",
    });
    this.place = place;
  }
}

function factsOf({ event, seq, expected, found }: DecodePlace) {
  return { event, seq, expected, found };
}

/** One step of a JSON pointer, escaped (RFC 6901). */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
