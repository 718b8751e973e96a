import type { Role } from '../../events/catalog.ts';
import { makerSpendDeadline } from '../../htlc/lock-times.ts';
import type { SwapTerms } from './swap-terms.ts';

type FailureText = string | ((terms: SwapTerms) => string);

const waitedTooLong = (until: number) =>
  `rpc_clients:158] Waited too long until ${until} for transaction to be confirmed`;

const TAKER: Readonly<Record<string, FailureText>> = {
  StartFailed: ({ takerCoin, takerAmount }) =>
    `taker_swap:1046] !check_balance_for_taker_swap check_balance:75] Not enough ${takerCoin} for swap: available 0, required at least ${takerAmount}, locked by swaps None`,
  NegotiateFailed: 'taker_swap:1105] "lp_swap:411] Timeout (181 > 180)"',
  TakerFeeSendFailed: 'taker_swap:1280] utxo_common:1512] Not enough balance',
  MakerPaymentValidateFailed:
    "taker_swap:1366] Error waiting for 'maker-payment' data: lp_swap:411] Timeout (691 > 690)",
  MakerPaymentWaitConfirmFailed: ({ makerPaymentWait }) =>
    `taker_swap:1450] !wait for maker payment confirmations: ${waitedTooLong(makerPaymentWait)}`,
  TakerPaymentTransactionFailed: 'taker_swap:1622] utxo_common:1390] Transport error',
  TakerPaymentDataSendFailed: 'taker_swap:1640] Timeout (600 > 600)',
  TakerPaymentWaitConfirmFailed: ({ takerLock }) =>
    `taker_swap:1698] !taker_coin.wait_for_confirmations: ${waitedTooLong(takerLock)}`,
  TakerPaymentWaitForSpendFailed: ({ takerLock }) =>
    `taker_swap:1720] utxo_common:1840] Waited too long until ${takerLock} for transaction to be spent `,
  MakerPaymentSpendFailed: 'taker_swap:1790] utxo_common:1600] Transport error',
  MakerPaymentSpendConfirmFailed: ({ takerLock }) =>
    `taker_swap:1835] !wait for maker payment spend confirmations: ${waitedTooLong(takerLock + 3700)}`,
  TakerPaymentRefundFailed: 'taker_swap:1910] "utxo_common:1660] Transport error"',
};

const MAKER: Readonly<Record<string, FailureText>> = {
  StartFailed: ({ makerCoin, makerAmount }) =>
    `maker_swap:620] !check_balance_for_maker_swap check_balance:75] Not enough ${makerCoin} for swap: available 0, required at least ${makerAmount}, locked by swaps None`,
  NegotiateFailed: 'maker_swap:690] "lp_swap:411] Timeout (181 > 180)"',
  TakerFeeValidateFailed: 'maker_swap:790] lp_swap:411] Timeout (691 > 690)',
  MakerPaymentTransactionFailed: 'maker_swap:905] utxo_common:1390] Transport error',
  MakerPaymentDataSendFailed: 'maker_swap:930] Timeout (600 > 600)',
  MakerPaymentWaitConfirmFailed: ({ makerPaymentWait }) =>
    `maker_swap:960] !wait for maker payment confirmations: ${waitedTooLong(makerPaymentWait)}`,
  TakerPaymentValidateFailed: 'lp_swap:411] Timeout (4771 > 4770)',
  TakerPaymentWaitConfirmFailed: ({ makerStartedAt, lockDuration }) =>
    `maker_swap:1020] !taker_coin.wait_for_confirmations: ${waitedTooLong(makerSpendDeadline(makerStartedAt, lockDuration))}`,
  TakerPaymentSpendFailed:
    'maker_swap:1105] !taker_coin.send_maker_spends_taker_payment: utxo_common:1600] Transport error',
  TakerPaymentSpendConfirmFailed: ({ makerLock }) =>
    `maker_swap:1150] !wait for taker payment spend confirmations: ${waitedTooLong(makerLock + 3700)}`,
  MakerPaymentRefundFailed:
    'maker_swap:1230] !maker_coin.send_maker_refunds_payment: utxo_common:1660] Transport error',
};

/** An error text of the form that the real node stores with the event. */
export function failureText(role: Role, type: string, terms: SwapTerms): string {
  const text = (role === 'taker' ? TAKER : MAKER)[type] ?? 'lp_swap:1] Unknown error';
  return typeof text === 'string' ? text : text(terms);
}
