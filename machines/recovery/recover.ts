import type { MakerSwapContext } from '../maker-swap/context.ts';
import type { TakerSwapContext } from '../taker-swap/context.ts';
import type { Recovery, RecoveryFacts } from './facts.ts';
import { recoverMaker, recoverMakerAsKdf } from './maker.ts';
import { recoverTaker, recoverTakerAsKdf } from './taker.ts';

/** The fold of a swap's log, with the role of its owner. */
export type RecoverableSwap =
  | { readonly role: 'taker'; readonly context: TakerSwapContext }
  | { readonly role: 'maker'; readonly context: MakerSwapContext };

/**
 * `engine`: from any state; only the chains say what is settled. `kdf`: like the real node, which requires a finished
 * swap and trusts its log.
 */
export type RecoveryMode = 'engine' | 'kdf';

/**
 * What the owner of a swap can do to get coins out of it, given what is known of both chains. Pure: while a decisive
 * fact is missing, the answer names it, and the caller looks it up and asks again, at most six times. A failed look-up
 * never justifies an action.
 *
 * @param options.mode The rule to follow. @defaultValue 'engine'
 *
 * @example
 * ```ts
 * import { catalog, type TakerEvent } from 'swapfold/events';
 * import { type MachineEvent, recoverFunds, takerSwap } from 'swapfold/machines';
 * import { compile, fold } from 'swapfold/replay';
 * import { buildSwapPair } from 'swapfold/testing';
 *
 * const events: readonly MachineEvent[] = buildSwapPair().taker.events.slice(0, 8);
 * const isKnown = (event: MachineEvent): event is TakerEvent => catalog.taker.has(event.type);
 * const { context } = fold(compile(takerSwap), events.filter(isKnown));
 * recoverFunds({ role: 'taker', context }, {}); // → { look: 'ownPaymentSpend' }
 * const ownPaymentSpend = { ok: false, error: 'timeout' } as const;
 * const { reason } = { reason: '', ...recoverFunds({ role: 'taker', context }, { ownPaymentSpend }) };
 * reason; // → 'lookUpFailed'
 * ```
 */
export function recoverFunds(
  swap: RecoverableSwap,
  facts: RecoveryFacts,
  options: { readonly mode?: RecoveryMode } = {},
): Recovery {
  const asKdf = options.mode === 'kdf';
  if (swap.role === 'taker') return (asKdf ? recoverTakerAsKdf : recoverTaker)(swap.context, facts);
  return (asKdf ? recoverMakerAsKdf : recoverMaker)(swap.context, facts);
}
