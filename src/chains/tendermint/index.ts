export type { Signer } from '../../ports/signer.ts';
export { BackendSilent } from '../../ports/silence.ts';
export { type NodeAddress, NodeRefusal } from '../accounts/node.ts';
export { type QuorumMemory, quorumMemory } from '../accounts/quorum.ts';
export { Disagreement, TooFew } from '../accounts/silence.ts';
export { TendermintAccount, type TendermintAccountOptions } from './account.ts';
export { createTendermintChain, type TendermintChain, type TendermintChainOptions } from './adapter.ts';
export type { TendermintCoin, TendermintGasLimits, TendermintNetwork } from './coin.ts';
export { fundsOf, type TendermintFunds } from './funds.ts';
export { heldToTendermintChain } from './held-node.ts';
export { type ConnectedTendermintNode, connectTendermintNode, type TendermintNode } from './node.ts';
export { createTendermintNodeReader, type TendermintIdentity, type TendermintNodeReader } from './node-reader.ts';
export { createTendermintQuorumReader, type TendermintQuorumOptions } from './quorum-reader.ts';
export type {
  AccountState,
  Included,
  PaymentEvent,
  TendermintBlock,
  TendermintLook,
  TendermintReader,
  TendermintRefusal,
} from './reader.ts';
export { type TendermintVoiceOptions, tendermintVoiceOf } from './voice.ts';
export type { TendermintWithdrawal, TendermintWithdrawn } from './withdraw.ts';
