export type { Signer } from '../../ports/signer.ts';
export { NodeRedirects } from '../accounts/direct-fetch.ts';
export { type NodeAddress, NodeRefusal } from '../accounts/node.ts';
export { type QuorumMemory, quorumMemory } from '../accounts/quorum.ts';
export { BackendSilent, Disagreement, TooFew } from '../accounts/silence.ts';
export { listedBehind, Silences } from '../accounts/silences.ts';
export { whySilent } from '../accounts/why-silent.ts';
export { EvmAccount, type EvmAccountOptions } from './account.ts';
export { type AccountStates, accountStates, type StatesAsked } from './account-states.ts';
export { createEvmChain, type EvmChain, type EvmChainOptions } from './adapter.ts';
export { addressText, readAddress } from './address.ts';
export { type BatchesOptions, connectBatches, mergedNode } from './batches.ts';
export { type CoinsToCheck, checkEvmCoins, checkEvmTokens, paysWatchers } from './check-coin.ts';
export type { EvmCoin, GasLimits } from './coin.ts';
export { type EvmEntry, readEvmEntry } from './coin-entry.ts';
export { swapContractAbi, swapContractBytecode, swapContractCompiler } from './contract/artefact.ts';
export { tokenBalance, tokenDecimals } from './contract-calls.ts';
export { hearFinality } from './depth.ts';
export { EVM_ENTRY_FIELDS, type EvmEntryFieldName } from './entry-fields.ts';
export { type EvmCoinCode, EvmCoinError } from './error.ts';
export { createGasStation, type GasStation, type GasStationOptions } from './gas-station.ts';
export { heldToChain } from './held-node.ts';
export { type ConnectedNode, connectNode, type EvmNode } from './node.ts';
export { createNodeReader, type NodeReader } from './node-reader.ts';
export type { PriceRule } from './prices.ts';
export { createQuorumReader, type QuorumOptions } from './quorum-reader.ts';
export {
  type Block,
  type Call,
  CallReverted,
  ContractAbsent,
  type Known,
  type Log,
  type LogRange,
  type Look,
  type Reader,
  type Receipt,
  type Refusal,
} from './reader.ts';
export { accountOf, longKey, type Price } from './transaction.ts';
export { type VoiceOptions, voiceOf } from './voice.ts';
export { costOf, type Withdrawal, type WithdrawalFee, type Withdrawn } from './withdraw.ts';
