import type { UserActionType } from '../events/enable-eth.ts';
import type { EnableEthRequest } from '../events/enable-eth-request.ts';
import type { TaskErrorType } from '../events/task-error.ts';
import type { DecimalText } from '../primitives/decimal.ts';
import type { JsonObject } from '../primitives/json.ts';
import type { Secret } from '../primitives/secret.ts';
import type { ActiveCoin, Balances } from './coin-wallet.ts';

/** What is found out about an activation while it goes on, in the words of the specification (§3.2). */
export type EvmActivationStep =
  | 'ActivatingCoin'
  | 'RequestingWalletBalance'
  | 'Finishing'
  | 'WaitingForDeviceToConnect'
  | 'FollowHwDeviceInstructions';

/** A token of the coin that is activated with it. */
export type EvmTokenOrder = {
  readonly ticker: string;
  /** 0x and 40 hex digits. */
  readonly contract: string;
  /** Confirmations that a payment needs; null where the coin decides. */
  readonly requiredConfirmations: number | null;
  /** Its entry of the coins file; null for one that is not there. */
  readonly entry: JsonObject | null;
  /** Of a token that is active already, and stays as it is: its digits after the point and its account. Absent for one that is to be activated. */
  readonly kept?: { readonly decimals: number; readonly address: string };
};

/** What is to be activated. All that can be told without asking anyone has been checked. */
export type EvmActivationOrder = {
  readonly ticker: string;
  readonly chainId: number;
  /** Its entry of the coins file. */
  readonly entry: JsonObject;
  readonly tokens: readonly EvmTokenOrder[];
  /** Whether the tokens alone are to be in use: the chain's own coin was taken out before, or something else has it. */
  readonly passive: boolean;
  /** As the client sent it, with its secrets. */
  readonly request: EnableEthRequest;
};

/** In coin units. */
export type EvmBalance = Balances;

/** Balances by ticker: the coin's own and its tokens'. */
export type EvmBalances = Readonly<Record<string, EvmBalance>>;

export type EvmHdAddress = {
  readonly address: string;
  readonly derivationPath: string;
  readonly chain: 'External' | 'Internal';
  readonly balance: EvmBalances;
};

export type EvmHdAccount = {
  readonly index: number;
  readonly derivationPath: string;
  readonly total: EvmBalances;
  readonly addresses: readonly EvmHdAddress[];
};

/** Whose coins they are: one address, or the accounts of a wallet with many. */
export type EvmWallet =
  | {
      readonly kind: 'address';
      /** In the mixed case of EIP-55. */
      readonly address: string;
      /** Public key without compression, 130 hex digits. */
      readonly pubkey: string;
      /** Null where none were asked for. */
      readonly balances: EvmBalances | null;
    }
  | { readonly kind: 'hd'; readonly accounts: readonly EvmHdAccount[] };

export type EvmNft = {
  readonly token_address: string;
  readonly token_id: string;
  readonly chain: string;
  readonly contract_type: string;
  readonly amount: DecimalText;
};

export type ActivatedEvm = {
  /** Height of the best block. */
  readonly block: number;
  readonly wallet: EvmWallet;
  /** As swaps use them: the chain's own coin, if it is to be in use, then its tokens that were not active. */
  readonly coins: readonly ActiveCoin[];
  /** By contract in lower case and token id: `0x…,12`. */
  readonly nfts: Readonly<Record<string, EvmNft>>;
  /** Lets go of connections. It is called once, whether or not the coin is used. */
  readonly close: () => void;
};

/**
 * Why an activation came to nothing: the type and data of the error that its client is told. `passing`: someone who was asked did not answer, or not as
 * is needed, so that the same activation may succeed later.
 */
export type EvmActivationFault = {
  readonly type: TaskErrorType;
  readonly data: unknown;
  /** @defaultValue that of the type */
  readonly text?: string;
  /** Whether the same activation may succeed later. @defaultValue false */
  readonly passing?: true;
};

export type EvmActivationResult =
  | { readonly ok: true; readonly value: ActivatedEvm }
  | { readonly ok: false; readonly fault: EvmActivationFault };

/** How an activation speaks to whoever asked for it. */
export type EvmActivationTalk = {
  /**
   * Ends the work, whose result is no longer awaited. The activator must release everything that it holds before its
   * promise settles.
   */
  readonly signal: AbortSignal;
  /** Tells a step, once it is durable. @throws once the work was ended */
  readonly tell: (step: EvmActivationStep) => Promise<void>;
  /**
   * Asks the user for what a device asks for. The work goes on meanwhile with all that it holds, the device's session among it.
   *
   * @throws once the work was ended, also because nobody answered in time
   */
  readonly ask: (what: UserActionType) => Promise<Secret<string>>;
};

/**
 * Activates coins of EVM chains with their tokens.
 *
 * It may be asked for several coins at the same time. It settles after `signal` was aborted too, soon, and holds nothing then.
 */
export interface EvmActivator {
  /** What goes wrong outside is a fault. @throws only for a mistake in the adapter */
  activate(order: EvmActivationOrder, talk: EvmActivationTalk): Promise<EvmActivationResult>;
}
