import type { Guards } from '../definition.ts';
import { engineAfter, engineWithout } from '../edges.ts';
import { secretIsPublic, type TakerSwapContext } from './context.ts';

/** Conditions of edges. Each annotation below states one of them in event types. */
export const takerSwapGuards = {
  takerPaymentUncertain: ({ takerPaymentUncertain }) => takerPaymentUncertain,
  secretUnknown: ({ secret }) => secret === null,
  secretIsPublic,
} as const satisfies Guards<TakerSwapContext>;

/** The payment, whose sending was reported as failed, is found on the chain. Before the validation nothing was sent. */
export const takerPaymentUncertain = engineAfter('MakerPaymentValidatedAndConfirmed');

/** The secret is found on the chain, once, even if the real node had stopped looking. */
export const secretUnknown = engineWithout('TakerPaymentSpent');

/** A failed or lost claim is repeated, whatever happened in between. */
export const secretShown = engineAfter(
  'TakerPaymentSpent',
  'MakerPaymentSpent',
  'MakerPaymentSpentByWatcher',
  'MakerPaymentSpendFailed',
);
