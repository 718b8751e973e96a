import type { SmartChain } from '../../smartchain/node.ts';
import type { Wallet } from '../../smartchain/wallet/wallet.ts';

/** Whose answers to give where the specification and the node differ. */
export type SmartChainCompatibility = 'specification' | 'node';

/** What the methods work on. */
export type NodeContext = {
  readonly chain: SmartChain;
  readonly wallet: Wallet;
  /**
   * `node` answers as the real node does where the specification says otherwise: `tokeninfo.supply` as a whole number,
   * `txnotarizedconfirmed` as an object, supply texts with the rounding of doubles.
   */
  readonly compatibility: SmartChainCompatibility;
  /** Whether tokens can be made. */
  readonly tokens: boolean;
  /** Estimates fees. @defaultValue the chain's own estimator */
  readonly estimator?: SmartChain['fees'];
  /** Ends the node after the answer has left. */
  readonly stop: () => void;
};
