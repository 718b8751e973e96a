import type { Guards } from '../definition.ts';
import { engineAfter, engineWithout } from '../edges.ts';
import type { MakerSwapContext } from './context.ts';

/** Conditions of edges. Each annotation below states one of them in event types. */
export const makerSwapGuards = {
  makerPaymentSent: ({ makerPayment }) => makerPayment !== null,
  makerPaymentNotSent: ({ makerPayment }) => makerPayment === null,
  takerPaymentValidated: ({ takerPaymentValidated }) => takerPaymentValidated,
} as const satisfies Guards<MakerSwapContext>;

/** The payment was sent before the swap was marked as failed, so it is on the chain and gets refunded. */
export const makerPaymentSent = engineAfter('MakerPaymentSent');

/** The payment, whose sending was reported as failed, is found on the chain. There is never a second one. */
export const makerPaymentNotSent = engineWithout('MakerPaymentSent');

/**
 * A claim shows the secret, so the maker claims only a payment that was found valid, even if a refund was on its way.
 */
export const takerPaymentValidated = engineAfter('TakerPaymentValidatedAndConfirmed');
