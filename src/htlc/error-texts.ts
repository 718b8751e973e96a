import { debugText } from '../primitives/debug-text.ts';
import type { DecimalText } from '../primitives/decimal.ts';
import type { Height, Seconds, UnixSeconds } from '../primitives/time.ts';
import { timeoutText } from './negotiation.ts';

// Texts of KDF's failure events, without its code locations, which change with every build. `e` is the text of the error that caused the failure. A
// chain's own refusal to send or to look up is stored unchanged, so it has no builder. Neither have failures that no engine here can have: a message
// that is read before it counts, rewards of watchers, a refund or a spend that is given up after one refusal. The texts of NegotiateFailed are in
// check-negotiation.ts.

type Role = 'taker' | 'maker';

/**
 * A step that was reached too late, by the host's clock in seconds since 1970. TakerFeeSendFailed; TakerPaymentTransactionFailed;
 * MakerPaymentTransactionFailed; TakerPaymentSpendFailed of a maker.
 */
export function pastDeadline(now: UnixSeconds, limit: UnixSeconds): string {
  return `Timeout ${now} > ${limit}`;
}

/** The same if the chain's block count decides. TakerPaymentSpendFailed of a maker. */
export function pastBlock(now: Height, limit: Height): string {
  return `Timeout ${now} > ${limit} blocks`;
}

/** StartFailed of a taker: the cost of sending its fee is unknown. */
export function dexFeeCostUnknown(e: string): string {
  return `!taker_coin.get_fee_to_send_taker_fee ${e}`;
}

/** StartFailed: the cost of sending the own payment is unknown. */
export function senderFeeUnknown(role: Role, e: string): string {
  return `!${role}_coin.get_sender_trade_fee ${e}`;
}

/** StartFailed: the cost of spending the other's payment is unknown. */
export function receiverFeeUnknown(role: Role, e: string): string {
  return `!${role === 'taker' ? 'maker' : 'taker'}_coin.get_receiver_trade_fee ${e}`;
}

/** StartFailed: the balance is insufficient or unknown. `e` is one of the next five texts. */
export function balanceCheckFailed(role: Role, e: string): string {
  return `!check_balance_for_${role}_swap ${e}`;
}

/** StartFailed: the height of a chain is unknown. The maker coin is asked first. */
export function currentBlockUnknown(coin: Role, e: string): string {
  return `!${coin}_coin.current_block ${e}`;
}

/** Amounts of an insufficient balance, in coin units. */
export type Shortage = {
  readonly coin: string;
  readonly available: DecimalText;
  /** Volume, and the fees that are paid in the same coin. */
  readonly required: DecimalText;
  /** Amount held by running swaps; null if unknown. */
  readonly locked: DecimalText | null;
};

/** Inside StartFailed: too little of the traded coin. */
export function notEnough({ coin, ...amounts }: Shortage): string {
  return `Not enough ${coin} for swap: ${shortage(amounts)}`;
}

/** Inside StartFailed: too little of the coin that pays a token's network fees. */
export function notEnoughBaseCoin({ coin, ...amounts }: Shortage): string {
  return `Not enough base coin ${coin} balance for swap: ${shortage(amounts)}`;
}

function shortage({ available, required, locked }: Omit<Shortage, 'coin'>): string {
  const option = locked === null ? 'None' : `Some(BigDecimal(${debugText(locked)}))`;
  return `available ${available}, required at least ${required}, locked by swaps ${option}`;
}

/** Inside StartFailed: a volume that the coin cannot send. Both in coin units. */
export function volumeTooLow(coin: string, volume: DecimalText, options: { readonly minimum: DecimalText }): string {
  return `The volume ${volume} of the ${coin} coin less than minimum transaction amount ${options.minimum}`;
}

/** Inside StartFailed: the coin's node did not answer. */
export function transportError(e: string): string {
  return `Transport error: ${e}`;
}

/** Inside StartFailed: anything else. */
export function internalError(e: string): string {
  return `Internal error: ${e}`;
}

/** MakerPaymentValidateFailed: the maker's payment message did not arrive in time. */
export function makerPaymentMessageMissing(elapsed: Seconds, limit: Seconds): string {
  return `Error waiting for 'maker-payment' data: ${timeoutText(elapsed, limit)}`;
}

/** MakerPaymentValidateFailed: the payment does not fulfil its terms. `e` is one of the texts for a wrong payment. */
export function makerPaymentInvalid(e: string): string {
  return `!validate maker payment: ${e}`;
}

/** TakerPaymentValidateFailed: the payment does not fulfil its terms. `e` is one of the texts for a wrong payment. */
export function takerPaymentInvalid(e: string): string {
  return `!taker_coin.validate_taker_payment: ${e}`;
}

/** Wrong payment: the transaction has no outputs. */
export function paymentWithoutOutputs(): string {
  return 'Payment tx has no outputs';
}

/** Wrong payment: output 0 does not pay to the script of the terms. */
export function paymentScriptWrong(found: string, expected: string): string {
  return `Provided payment tx script pubkey doesn't match expected ${found} ${expected}`;
}

/** Wrong payment: output 0 does not pay the amount of the terms, in base units. */
export function paymentValueWrong(found: bigint, expected: bigint): string {
  return `Provided payment tx output value doesn't match expected ${found} ${expected}`;
}

/** Wrong payment, in own words: it is the reward of a block, which nobody can spend before it has so many confirmations. */
export function paymentImmature(maturity: number): string {
  return `Provided payment tx is the reward of a block, which can be spent from ${maturity} confirmations on`;
}

/** MakerPaymentWaitConfirmFailed of either side. */
export function makerPaymentUnconfirmed(e: string): string {
  return `!wait for maker payment confirmations: ${e}`;
}

/** Inside each …ConfirmFailed: the confirmations did not come in time. `until` in seconds since 1970. */
export function waitedTooLongToConfirm(
  hash: string,
  options: { readonly until: UnixSeconds; readonly confirmations: number },
): string {
  return `Waited too long until ${options.until} for transaction ${hash} to be confirmed ${options.confirmations} times`;
}

/** TakerPaymentWaitForSpendFailed: nobody spent output 0 until the lock. The space at the end is KDF's. */
export function waitedTooLongForSpend(tx: string, until: UnixSeconds): string {
  return `Waited too long until ${until} for transaction ${tx} 0 to be spent `;
}

/** MakerPaymentSpendConfirmFailed. */
export function makerPaymentSpendUnconfirmed(e: string): string {
  return `!wait for maker payment spend confirmations: ${e}`;
}

/** TakerPaymentRefundFailed: the real node stores the reason in quotes. */
export function takerRefundNotSent(e: string): string {
  return debugText(e);
}

/** MakerPaymentRefundFailed. */
export function makerRefundNotSent(e: string): string {
  return `!maker_coin.send_maker_refunds_payment: ${e}`;
}

/** TakerFeeValidateFailed: the fee message did not arrive in time. Also TakerPaymentValidateFailed, for the payment message. */
export function messageMissing(elapsed: Seconds, limit: Seconds): string {
  return timeoutText(elapsed, limit);
}

/**
 * TakerFeeValidateFailed: an input of the fee transaction is not the taker's. The word payment is KDF's.
 *
 * @example
 * ```ts
 * import { feeOfAnotherSender } from 'swapfold/htlc';
 *
 * const error = feeOfAnotherSender();
 * error; // → 'Invalid sender: Taker payment does not belong to the verified public key'
 * ```
 */
export function feeOfAnotherSender(): string {
  return 'Invalid sender: Taker payment does not belong to the verified public key';
}

/**
 * TakerFeeValidateFailed: the fee was confirmed before the swap, so it belongs to another one.
 *
 * @example
 * ```ts
 * import { feeTooOld } from 'swapfold/htlc';
 *
 * const error = feeTooOld('c0ffee', 812_345);
 * error; // → 'Early confirmation: Fee tx c0ffee confirmed before min_block 812345'
 * ```
 */
export function feeTooOld(tx: string, minBlock: number): string {
  return `Early confirmation: Fee tx ${tx} confirmed before min_block ${minBlock}`;
}

/**
 * For a watcher: the fee is older than the lock duration of the swap's payments.
 *
 * @example
 * ```ts
 * import { feeExpired } from 'swapfold/htlc';
 *
 * const error = feeExpired('c0ffee');
 * error; // → 'Old transaction: Fee tx c0ffee is older than the lock duration'
 * ```
 */
export function feeExpired(tx: string): string {
  return `Old transaction: Fee tx ${tx} is older than the lock duration`;
}

/**
 * TakerFeeValidateFailed: the node holds another transaction under this id.
 *
 * @example
 * ```ts
 * import { feeDiffersFromNode } from 'swapfold/htlc';
 *
 * const error = feeDiffersFromNode('c0ffee', '0100');
 * error; // → "Provided dex fee tx c0ffee doesn't match tx data from rpc 0100"
 * ```
 */
export function feeDiffersFromNode(tx: string, found: string): string {
  return `Provided dex fee tx ${tx} doesn't match tx data from rpc ${found}`;
}

/** TakerFeeValidateFailed: the output does not pay to the fee address. */
export function feeScriptWrong(found: string, expected: string): string {
  return `Invalid receiver: Provided dex fee tx output script_pubkey doesn't match expected ${found} ${expected}`;
}

/** TakerFeeValidateFailed: the output pays too little. Both in base units. */
export function feeTooLow(found: bigint, expected: bigint): string {
  return `Provided dex fee tx output value is less than expected ${found} ${expected}`;
}

/** TakerFeeValidateFailed: the output does not exist. */
export function feeOutputMissing(tx: string, output: number): string {
  return `Provided dex fee tx ${tx} does not have output ${output}`;
}

/** TakerPaymentWaitConfirmFailed of a maker. */
export function takerPaymentUnconfirmed(e: string): string {
  return `!taker_coin.wait_for_confirmations: ${e}`;
}

/** TakerPaymentSpendConfirmFailed. */
export function takerPaymentSpendUnconfirmed(e: string): string {
  return `!wait for taker payment spend confirmations: ${e}`;
}

// The following texts are ours: the real node does not look beyond one swap.

/** A secret hash that another swap of the node has, in either role. Inside NegotiateFailed and everything that depends on the hash. */
export function secretHashTaken(uuid: string): string {
  return `the secret hash belongs to swap ${uuid} of this node, and a secret serves one swap`;
}

/** A payment that belongs to another swap of the node. Inside MakerPaymentValidateFailed and TakerPaymentValidateFailed. */
export function paymentTaken(hash: string, uuid: string): string {
  return `transaction ${hash} belongs to swap ${uuid} of this node, and a payment serves one swap`;
}

/** TakerFeeValidateFailed: a fee that belongs to another swap of the node. */
export function feeTaken(hash: string, uuid: string): string {
  return `transaction ${hash} belongs to swap ${uuid} of this node, and a fee serves one swap`;
}

/** TakerFeeValidateFailed: a fee that names another swap than this one. */
export function feeOfAnotherSwap(hash: string): string {
  return `Provided dex fee tx ${hash} names another swap than this one`;
}
