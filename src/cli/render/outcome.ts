import type { PaymentEnd } from '../../replay/payment-ends.ts';

/** An outcome in few words: an end that the log does not bear out is not called one. */
export function outcomeText(outcome: string, end: PaymentEnd | null): string {
  return end === null || end.shown === 'confirmed' ? outcome : `${end.how} ${end.shown}`;
}
