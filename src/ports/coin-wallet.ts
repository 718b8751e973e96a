import type { DecimalText } from '../primitives/decimal.ts';
import type { JsonObject, JsonValue } from '../primitives/json.ts';
import type { Answer, Chain, ChainFeed } from './chain.ts';

/** What an address holds, in coin units. */
export type Balances = { readonly spendable: DecimalText; readonly unspendable: DecimalText };

/** A withdrawal from a wallet to an address. */
export type WithdrawalOrder = {
  /** As its network writes it. */
  readonly to: string;
  /** In coin units; null for everything available. */
  readonly amount: DecimalText | null;
  /** The fee as the caller names it, in the form of the coin's family; null for the current usual fee. */
  readonly fee: JsonObject | null;
};

/** A signed, unsent transaction with its effect on the wallet, in coin units. */
export type SignedWithdrawal = {
  readonly tx_hex: string;
  readonly tx_hash: string;
  /** The address that gets it. */
  readonly to: string;
  readonly spent: DecimalText;
  readonly received: DecimalText;
  /** Its cost, with the members that the real node has for the coin's family. */
  readonly fee_details: JsonObject;
};

/** Why a wallet refuses a request, by the names of the real node (`WithdrawError`). */
export type WalletRefusal = {
  readonly type:
    | 'InvalidAddress'
    | 'InvalidFeePolicy'
    | 'InvalidFee'
    | 'InvalidRequest'
    | 'AmountTooLow'
    | 'NotSufficientBalance'
    | 'NotSufficientPlatformBalanceForFee'
    | 'HwError'
    | 'Transport';
  readonly text: string;
  /** Absent where the name has none. */
  readonly data?: JsonValue;
};

export type WalletAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: WalletRefusal };

/** What an owner does with the coins of an address, besides swaps. Each family of coins has its own. */
export interface CoinWallet {
  /**
   * Makes and signs a withdrawal, but does not send it. It takes nothing that a signed transaction of a swap takes, and leaves what swaps will still
   * need.
   */
  withdraw(order: WithdrawalOrder): Promise<WalletAnswer<SignedWithdrawal>>;
  /** Sends a signed transaction and answers its id, unless it takes what a swap has signed for. */
  send(tx_hex: string): Promise<WalletAnswer<string>>;
}

/** Writes an address in another form of its network; a problem is in the real node's words. */
export type AddressConversion = (
  from: string,
  to: JsonValue,
) => { readonly ok: true; readonly address: string } | { readonly ok: false; readonly problem: string };

/** What an address holds, in coin units. */
export type HeldBy = { readonly address: string; readonly balances: Balances };

/** A coin that can be used: of a UTXO chain, of an account, or a token. */
export type ActiveCoin = {
  readonly ticker: string;
  /** As its network writes it. */
  readonly address: string;
  readonly chain: Chain & ChainFeed;
  /** Ticker of the coin that pays its fees, if that is another: a token's platform. */
  readonly platform: string | null;
  /** Confirmations that a payment of the other side needs. */
  readonly requiredConfirmations: number;
  readonly requiresNotarization: boolean;
  /** Whether trading it here is not allowed. */
  readonly walletOnly: boolean;
  /** Confirmations from which the reward of a block may be spent; null for coins without. */
  readonly matureConfirmations: number | null;
  /** How the wallet is funded, in the form that the real node sends to others; bytes in hex. */
  readonly protocolInfo: string;
  /** Whether this chain can pay to the other side's wallet; null if the other side says nothing. */
  readonly supports: (info: string | null) => boolean;
  /** Whether the answer to its activation states what swaps hold of it (specification §4.5, ETH-type). */
  readonly tellsHeld: boolean;
  readonly wallet: CoinWallet;
  /** Absent if addresses have one form. */
  readonly convert?: AddressConversion;
  readonly balances: () => Promise<Answer<Balances>>;
  /** What the wallet's other addresses hold that were known at its activation. Absent if there are none. */
  readonly others?: (() => Promise<Answer<readonly HeldBy[]>>) | undefined;
  /** Closes connections. */
  readonly close: () => void;
};
