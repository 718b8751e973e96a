import { BITCOIN_FORM, SMART_CHAIN_FORM, type TransactionForm } from '../htlc/spend.ts';

const SMART_CHAIN_COINS = new Set(['KMD', 'DOC', 'MARTY', 'RICK', 'MORTY', 'VRSC', 'DEX', 'ZEC']);

/** The form of a coin's transactions: the smart chains' form for their family, Bitcoin's original form for all others. */
export function formOfCoin(coin: string): TransactionForm {
  return SMART_CHAIN_COINS.has(coin) ? SMART_CHAIN_FORM : BITCOIN_FORM;
}
