/** What an engine wants, by its own journal, besides what the state asks for. */
export type KeptEffect =
  /** Watch that the end of a finished swap stays, and repair one that a chain has undone. */
  | 'guard'
  /** End a swap whose coins are lost. */
  | 'closeLost'
  /** Answer an operator's order to recover if nothing of the swap can be recovered yet. */
  | 'recover';

/** What ends a swap. */
export type ClosingEffect = 'finishRefund' | 'finish';

/** Effects that both sides of a swap want, each on its own part of it. */
type SharedEffect = KeptEffect | ClosingEffect | 'start' | 'negotiate';

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
