export type { Signer } from '../../ports/signer.ts';
export { type NodeAddress, NodeRefusal } from '../accounts/node.ts';
export { type QuorumMemory, quorumMemory } from '../accounts/quorum.ts';
export { BackendSilent, Disagreement, TooFew } from '../accounts/silence.ts';
export { TendermintAccount, type TendermintAccountOptions } from './account.ts';
export { createTendermintChain, type TendermintChain, type TendermintChainOptions } from './adapter.ts';
export type { GasLimits, TendermintCoin, TendermintNetwork } from './coin.ts';
export { type Funds, fundsOf } from './funds.ts';
export { heldToChain } from './held-node.ts';
export { type ConnectedNode, connectNode, type TendermintNode } from './node.ts';
export { type ChainIdentity, createNodeReader, type NodeReader } from './node-reader.ts';
export { createQuorumReader, type QuorumOptions } from './quorum-reader.ts';
export type {
  AccountState,
  Block,
  Included,
  Look,
  PaymentEvent,
  Reader,
  Refusal,
} from './reader.ts';
export { type VoiceOptions, voiceOf } from './voice.ts';
export type { Withdrawal, Withdrawn } from './withdraw.ts';
