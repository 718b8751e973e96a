import type { Balances, UtxoChain } from '../chains/utxo/adapter.ts';
import type { Answer } from '../ports/chain.ts';

/** A coin that can be used. */
export type ActiveCoin = {
  readonly ticker: string;
  /** As its network writes it. */
  readonly address: string;
  readonly chain: UtxoChain;
  readonly decimals: number;
  /** The output script of an address; null for a text that is none of this network. */
  readonly scriptOf: (address: string) => Uint8Array | null;
  /** Confirmations that a payment of the other side needs. */
  readonly requiredConfirmations: number;
  readonly requiresNotarization: boolean;
  /** Whether nobody may trade it here. */
  readonly walletOnly: boolean;
  /** Confirmations from which the reward of a block may be spent; null for coins without. */
  readonly matureConfirmations: number | null;
  /** How the wallet is funded, as the real node tells it to others (`kdf-wire` §6); bytes in hex. */
  readonly protocolInfo: string;
  readonly balances: () => Promise<Answer<Balances>>;
  /** Lets go of connections. */
  readonly close: () => void;
};
