import type { DecodedTransaction, TransactionOutput } from '../../htlc/transaction.ts';
import type { OutPoint } from '../../htlc/transaction-encoding.ts';
import type { ChainParams } from '../params.ts';
import { maxMoney } from './check-transaction.ts';
import { invalid, type Refusal } from './refusal.ts';

/** An output that can be spent. */
export type Coin = {
  readonly output: TransactionOutput;
  /** Height of its block; undefined while it is unconfirmed. */
  readonly height: number | undefined;
  readonly coinbase: boolean;
};

/** Coins by outpoint; undefined if unknown or spent. */
export type CoinView = (outPoint: OutPoint) => Coin | undefined;

/** What the inputs of a transaction add up to. */
export type Inputs = {
  readonly coins: readonly Coin[];
  /** Satoshis for the miner. */
  readonly fee: bigint;
};

export type InputTerms = {
  readonly coins: CoinView;
  /** Height of the block that would include the transaction. */
  readonly height: number;
  readonly params: ChainParams;
};

/** Finds the coins that a transaction spends and checks their ages and sums. */
export function checkInputs(transaction: DecodedTransaction, terms: InputTerms): Inputs | Refusal {
  const { height, params } = terms;
  const coins: Coin[] = [];
  for (const input of transaction.inputs) {
    const coin = terms.coins(input);
    if (coin === undefined) return { kind: 'missing-inputs' };
    coins.push(coin);
  }
  const tooYoung = coins.some((coin) => coin.coinbase && height - (coin.height ?? height) < params.maturity);
  if (tooYoung) return invalid('bad-txns-premature-spend-of-coinbase');
  const most = maxMoney(params);
  const brought = coins.reduce((total, { output }) => total + output.value, 0n);
  if (brought > most) return invalid('bad-txns-inputvalues-outofrange');
  const given = transaction.outputs.reduce((total, { value }) => total + value, 0n);
  return given > brought ? invalid('bad-txns-in-belowout') : { coins, fee: brought - given };
}

/** Narrows the answer of {@link checkInputs}. */
export function isRefusal(answer: Inputs | Refusal): answer is Refusal {
  return 'kind' in answer;
}
