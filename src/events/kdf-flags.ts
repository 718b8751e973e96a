import { SwapfoldError } from '../primitives/error.ts';
import { type Millis, toUnixSeconds, type UnixSeconds } from '../primitives/time.ts';
import { catalog, type Role } from './catalog.ts';

/** What the real node derives from a log, exactly by its rules. */
export type KdfFlags = {
  /** The last event is Finished. */
  readonly finished: boolean;
  /** Null while unfinished; else whether no event of the error class occurs anywhere. */
  readonly success: boolean | null;
  /** Whether the real node would let `recover_funds_of_swap` try: a scan of event names, not a statement about coins. */
  readonly recoverable: boolean;
};

const TAKER_SETTLED = [
  'StartFailed',
  'NegotiateFailed',
  'TakerFeeSendFailed',
  'MakerPaymentValidateFailed',
  'MakerPaymentWaitConfirmFailed',
  'TakerPaymentRefunded',
  'TakerPaymentRefundedByWatcher',
  'MakerPaymentSpendConfirmed',
];

const MAKER_SETTLED = [
  'StartFailed',
  'NegotiateFailed',
  'TakerFeeValidateFailed',
  'TakerPaymentSpendConfirmed',
  'MakerPaymentRefunded',
];

/**
 * The three flags of a log, given its event types in order.
 *
 * @example
 * ```ts
 * import { kdfFlags } from 'swapfold/events';
 *
 * const types = ['Started', 'Negotiated', 'TakerFeeSent', 'TakerPaymentTransactionFailed'];
 * kdfFlags('taker', types); // → { finished: false, success: null, recoverable: false }
 * kdfFlags('taker', [...types, 'Finished']); // → {
 * //   finished: true, success: false, recoverable: true,
 * // }
 * ```
 */
export function kdfFlags(role: Role, types: readonly string[]): KdfFlags {
  const finished = types.at(-1) === 'Finished';
  const success = finished ? types.every((type) => catalog[role].get(type)?.errorClass === false) : null;
  return { finished, success, recoverable: finished && recoverable(role, new Set(types)) };
}

function recoverable(role: Role, types: ReadonlySet<string>): boolean {
  if (role === 'maker') return !MAKER_SETTLED.some((type) => types.has(type));
  if (TAKER_SETTLED.some((type) => types.has(type))) return false;
  if (types.has('MakerPaymentSpendConfirmFailed')) return true;
  return !types.has('MakerPaymentSpent') && !types.has('MakerPaymentSpentByWatcher');
}

/**
 * The second in which the swap finished.
 *
 * @throws SwapfoldError SWAP_NOT_FINISHED with the real node's text where the last event is not Finished.
 *
 * @example
 * ```ts
 * import { finishedAt } from 'swapfold/events';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const { events } = buildSwap({ role: 'taker', path: ['Started', 'StartFailed', 'Finished'] });
 * events.at(-1)?.at; // → 1734566402180
 * finishedAt(events); // → 1734566402
 * finishedAt(events.slice(0, 2)); // throws SWAP_NOT_FINISHED
 * ```
 */
export function finishedAt(events: readonly { readonly type: string; readonly at: Millis }[]): UnixSeconds {
  const last = events.at(-1);
  if (last?.type === 'Finished') return toUnixSeconds(last.at);
  const text = last === undefined ? "Can't get finished_at, events are empty" : 'Last swap event must be Finished';
  throw new SwapfoldError(text, {
    code: 'SWAP_NOT_FINISHED',
    next: 'Ask for the end time only of finished swaps.',
  });
}

/** `my_info` of the real node's status answer: null when the first event is not Started. */
export type MyInfo = {
  readonly my_coin: string;
  readonly other_coin: string;
  readonly my_amount: string;
  readonly other_amount: string;
  readonly started_at: UnixSeconds;
};

type StartedShape = {
  readonly taker_coin: string;
  readonly maker_coin: string;
  readonly taker_amount: string;
  readonly maker_amount: string;
  readonly started_at: UnixSeconds;
};

/**
 * The coins and amounts of a swap as one side sees them: what it gives is its own.
 *
 * @example
 * ```ts
 * import { myInfo } from 'swapfold/events';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const amounts = { maker: '2.4', taker: '0.15' };
 * const info = myInfo('maker', buildSwap({ role: 'maker', path: ['Started'], amounts }).events);
 * `${info?.my_amount} ${info?.my_coin}`; // → '2.4 DOC'
 * `${info?.other_amount} ${info?.other_coin}`; // → '0.15 MARTY'
 * ```
 */
export function myInfo(
  role: Role,
  events: readonly { readonly type: string; readonly data: unknown }[],
): MyInfo | null {
  const first = events[0];
  if (first?.type !== 'Started') return null;
  const started = first.data as StartedShape;
  const taker = { coin: started.taker_coin, amount: started.taker_amount };
  const maker = { coin: started.maker_coin, amount: started.maker_amount };
  const [mine, other] = role === 'taker' ? [taker, maker] : [maker, taker];
  return {
    my_coin: mine.coin,
    other_coin: other.coin,
    my_amount: mine.amount,
    other_amount: other.amount,
    started_at: started.started_at,
  };
}
