import type { Secret } from '../primitives/secret.ts';
import type { EvmNft } from './evm-activator.ts';

/** A chain of which providers know the collectibles, as they name it. */
export type NftChain = 'AVALANCHE' | 'BSC' | 'ETH' | 'FANTOM' | 'POLYGON';

export type NftsAsked = {
  /** Address of the provider. It may hold credentials, which no text shows. */
  readonly url: Secret<string>;
  readonly chain: NftChain;
  /** 0x and 40 hex digits, of whatever case. */
  readonly owner: string;
  /** Ends the asking. */
  readonly signal?: AbortSignal;
};

/**
 * Why nothing is known of the collectibles of an account.
 *
 * - `transport`: nobody answers, or not with success, or one of the collectibles cannot be read.
 * - `internal`: what is answered is no JSON.
 * - `aborted`: the asking was ended.
 */
export type NftFault = { readonly kind: 'transport' | 'internal' | 'aborted'; readonly message: string };

export type NftsAnswer =
  | {
      readonly ok: true;
      /** By contract in lower case and token id: `0x…,12`. */
      readonly value: Readonly<Record<string, EvmNft>>;
    }
  | { readonly ok: false; readonly fault: NftFault };

/** Whoever knows which collectibles an account has. What goes wrong outside is a fault. @throws only for a mistake in the adapter */
export interface NftProvider {
  nftsOf(asked: NftsAsked): Promise<NftsAnswer>;
}
