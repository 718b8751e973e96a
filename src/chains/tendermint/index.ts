export type { Signer } from '../../ports/signer.ts';
export { TendermintAccount, type TendermintAccountOptions } from './account.ts';
export { createTendermintChain, type TendermintChain, type TendermintChainOptions } from './adapter.ts';
export type { GasLimits, TendermintCoin, TendermintNetwork } from './coin.ts';
export { type ConnectedNode, connectNode, type NodeAddress, NodeRefusal, type TendermintNode } from './node.ts';
export { type ChainIdentity, createNodeReader, type NodeReader } from './node-reader.ts';
export { createQuorumReader, type QuorumOptions } from './quorum-reader.ts';
export {
  type AccountState,
  BackendSilent,
  type Block,
  Disagreement,
  type Included,
  type Look,
  type PaymentEvent,
  type Reader,
  type Refusal,
  TooFew,
} from './reader.ts';
export type { Withdrawal, Withdrawn } from './withdraw.ts';
