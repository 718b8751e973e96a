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
 * `engine`: from any state, and only the chains say what is settled. `kdf`: as the real node, which asks for a finished swap
 * and trusts its log.
 */
export type RecoveryMode = 'engine' | 'kdf';

/**
 * What the owner of a swap can do to get coins out of it, given what is known of both chains. Pure: while a fact is missing that
 * decides, the answer names it, so that the caller looks it up and asks again, at most six times. Nothing is done on the strength
 * of a look-up that failed.
 *
 * @param options.mode The rule to go by. @defaultValue 'engine'
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
