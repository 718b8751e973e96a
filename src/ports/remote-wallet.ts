import type { Secret } from '../primitives/secret.ts';

/**
 * Why a wallet did not do what it was asked.
 *
 * - `refused`: its user, or the wallet by a rule of its own, said no; {@link RemoteFault.code} tells which.
 * - `timeout`: nobody answered in the time given. What was asked may be done all the same.
 * - `ended`: the session is over, or whoever asked ended it.
 */
export type RemoteFaultKind = 'refused' | 'timeout' | 'ended';

export type RemoteFault = {
  readonly kind: RemoteFaultKind;
  /** A text of the adapter's own. */
  readonly message: string;
  /** The wallet's number for its refusal, where it named one: 4001 where its user said no (EIP-1193). */
  readonly code?: number;
};

export type RemoteAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: RemoteFault };

export type RemoteRequest = {
  /** By CAIP-2, such as `eip155:137`. */
  readonly chain: string;
  readonly method: string;
  readonly params: readonly unknown[];
  /** Ends the asking. What was asked may be done all the same. */
  readonly signal: AbortSignal;
};

/** A session that the user of a wallet has agreed to. */
export interface RemoteSession {
  /** Chains that it is for, by CAIP-2. */
  readonly chains: readonly string[];
  /** Accounts that it is for, by CAIP-10, such as `eip155:137:0x…`. */
  readonly accounts: readonly string[];
  /** Asks the wallet, whose user may have to confirm. It settles once `signal` was aborted, also where the wallet is silent. */
  request(request: RemoteRequest): Promise<RemoteAnswer>;
}

/** Wallets elsewhere that hold their keys themselves, over whatever relay. */
export interface RemoteWallets {
  /** The session of a topic; null where there is none, or none any more. */
  session(topic: Secret<string>): Promise<RemoteSession | null>;
}
