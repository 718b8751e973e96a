import type { Role } from '../../events/catalog.ts';
import { standardLists } from '../../events/event-lists.ts';
import { decodeSavedSwap, type SwapLog } from '../../events/saved-swap.ts';
import type { JsonObject } from '../../primitives/json.ts';
import { savedSwapHeadOf } from './swap-head.ts';
import { storedEventBody } from './swap-payloads.ts';
import { type SwapEra, type SwapTerms, type SwapTermsOptions, swapTerms } from './swap-terms.ts';
import { swapTimeline } from './swap-timeline.ts';
import { type SwapTransactions, swapTransactions } from './swap-transactions.ts';

export type BuildSwapOptions = SwapTermsOptions & {
  readonly role: Role;
  /** Event types in order. A legal path of the role's chart gives a swap that holds together; any other list is built too. */
  readonly path: readonly string[];
  /** Whether the node uses watchers. By default it does where the path names one. */
  readonly watchers?: boolean;
};

/**
 * A stored swap that follows the path, as a node of the era would have it: keys, secret, scripts, transactions, ids, lock
 * times and timestamps all fit together. Everything is derived from the seed and the options.
 *
 * Both roles' logs of one seed tell of the same swap. Coins are UTXO coins; signatures are no real ones.
 *
 * @throws RangeError for terms out of bounds, see {@link swapTerms}.
 *
 * @example
 * ```ts
 * import { replaySwap } from 'swapfold';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const path = ['Started', 'Negotiated', 'TakerFeeSent', 'MakerPaymentValidateFailed', 'Finished'];
 * const log = buildSwap({ role: 'taker', path, makerCoin: 'KMD', takerCoin: 'LTC', seed: 7 });
 * log.events.map(({ type }) => type).join() === path.join(); // → true
 * replaySwap(log).anomalies; // → []
 * ```
 */
export function buildSwap(options: BuildSwapOptions): SwapLog {
  const terms = swapTerms(options);
  return decodeSavedSwap(savedSwapOf(options, { terms, transactions: swapTransactions(terms) }));
}

export type BuildSwapPairOptions = SwapTermsOptions & {
  /** @defaultValue the path of success of the era */
  readonly takerPath?: readonly string[];
  /** @defaultValue the path of success of the era */
  readonly makerPath?: readonly string[];
  readonly watchers?: boolean;
};

/** The logs of both parties of one swap, with its terms and transactions. */
export type SwapPair = {
  readonly taker: SwapLog;
  readonly maker: SwapLog;
  readonly terms: SwapTerms;
  readonly transactions: SwapTransactions;
};

/**
 * Both parties' logs of one swap. @throws RangeError for terms out of bounds, see {@link swapTerms}.
 *
 * @example
 * ```ts
 * import { replaySwap } from 'swapfold';
 * import { buildSwapPair } from 'swapfold/testing';
 *
 * const { taker, maker, transactions } = buildSwapPair({ amounts: { maker: '1.5', taker: '3' } });
 * taker.head.uuid === maker.head.uuid; // → true
 * [replaySwap(taker).outcome, replaySwap(maker).outcome]; // → ['completed', 'completed']
 * JSON.stringify(maker.events).includes(transactions.takerPayment().tx_hash); // → true
 * ```
 */
export function buildSwapPair(options: BuildSwapPairOptions = {}): SwapPair {
  const { era = 'current', watchers = false } = options;
  const { takerPath = successPath('taker', { era, watchers }), makerPath = successPath('maker', { era }) } = options;
  const terms = swapTerms(options);
  const transactions = swapTransactions(terms);
  const log = (role: Role, path: readonly string[]) =>
    decodeSavedSwap(savedSwapOf({ ...options, role, path }, { terms, transactions }));
  return { taker: log('taker', takerPath), maker: log('maker', makerPath), terms, transactions };
}

function savedSwapOf(
  { role, path, watchers = path.some((type) => type.includes('Watcher')) }: BuildSwapOptions,
  parts: { readonly terms: SwapTerms; readonly transactions: SwapTransactions },
): JsonObject {
  const times = swapTimeline(role, path, parts.terms);
  const events = path.map((type, seq) => ({
    timestamp: times[seq] as number,
    event: storedEventBody(role, type, parts),
  }));
  return { ...savedSwapHeadOf(role, parts.terms, { path, watchers }), events };
}

const NOT_YET: Readonly<Record<SwapEra, readonly string[]>> = {
  current: [],
  '2021': [
    'TakerPaymentInstructionsReceived',
    'MakerPaymentInstructionsReceived',
    'MakerPaymentSpendConfirmed',
    'MakerPaymentSpendConfirmFailed',
  ],
  '2019': [
    'TakerPaymentInstructionsReceived',
    'MakerPaymentInstructionsReceived',
    'MakerPaymentSpendConfirmed',
    'MakerPaymentSpendConfirmFailed',
    'TakerPaymentSpendConfirmStarted',
    'TakerPaymentSpendConfirmed',
    'TakerPaymentSpendConfirmFailed',
  ],
};

/** Whether nodes of an era do not store events of this type yet. */
export function isYetToCome(type: string, era: SwapEra): boolean {
  return NOT_YET[era].includes(type) || (era !== 'current' && type.includes('Watcher'));
}

/**
 * The event types of a swap in which nothing goes wrong, as a node of the era stores them.
 *
 * @example
 * ```ts
 * import { successPath } from 'swapfold/testing';
 *
 * successPath('maker').at(-2); // → 'TakerPaymentSpendConfirmed'
 * successPath('taker').includes('WatcherMessageSent'); // → false
 * successPath('taker', { watchers: true }).includes('WatcherMessageSent'); // → true
 * successPath('taker', { era: '2021' }).includes('MakerPaymentSpendConfirmed'); // → false
 * ```
 */
export function successPath(
  role: Role,
  { era = 'current', watchers = false }: { readonly era?: SwapEra; readonly watchers?: boolean } = {},
): readonly string[] {
  const { success } = standardLists(role, { watchers: watchers && era === 'current' });
  // Here the taker claims itself.
  return success.filter((type) => type !== 'MakerPaymentSpentByWatcher' && !NOT_YET[era].includes(type));
}
