import type { Balances, UtxoChain } from '../chains/utxo/adapter.ts';
import type { Answer } from '../ports/chain.ts';

/** A coin that can be used. */
export type ActiveCoin = {
  readonly ticker: string;
  /** As its network writes it. */
  readonly address: string;
  readonly chain: UtxoChain;
  /** Confirmations that a payment of the other side needs. */
  readonly requiredConfirmations: number;
  readonly requiresNotarization: boolean;
  /** Confirmations from which the reward of a block may be spent; null for coins without. */
  readonly matureConfirmations: number | null;
  readonly balances: () => Promise<Answer<Balances>>;
  /** Lets go of connections. */
  readonly close: () => void;
};
