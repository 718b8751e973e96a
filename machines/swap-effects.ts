/** Effects that both sides of a swap want, each on its own part of it. */
type SharedEffect = 'start' | 'negotiate' | 'finishRefund' | 'finish';

/** Effects that a taker's swap wants. */
export type TakerSwapEffect =
  | SharedEffect
  | 'sendTakerFee'
  | 'waitForMakerPayment'
  | 'validateMakerPayment'
  | 'sendTakerPayment'
  | 'findTakerPayment'
  | 'waitForTakerPaymentSpend'
  | 'findTakerPaymentSpend'
  | 'spendMakerPayment'
  | 'confirmMakerPaymentSpend'
  | 'refundTakerPayment';

/** Effects that a maker's swap wants. */
export type MakerSwapEffect =
  | SharedEffect
  | 'waitForTakerFee'
  | 'sendMakerPayment'
  | 'findMakerPayment'
  | 'waitForTakerPayment'
  | 'validateTakerPayment'
  | 'spendTakerPayment'
  | 'confirmTakerPaymentSpend'
  | 'findMakerPaymentSpend'
  | 'refundMakerPayment';

export type SwapEffect = TakerSwapEffect | MakerSwapEffect;
