export type { Signer } from '../../ports/signer.ts';
export { BackendSilent } from '../../ports/silence.ts';
export { NodeRedirects } from '../accounts/direct-fetch.ts';
export { type NodeAddress, NodeRefusal } from '../accounts/node.ts';
export { type QuorumMemory, quorumMemory } from '../accounts/quorum.ts';
export { Disagreement, TooFew } from '../accounts/silence.ts';
export { EvmAccount, type EvmAccountOptions } from './account.ts';
export { type AccountStates, accountStates, type StatesAsked } from './account-states.ts';
export { createEvmChain, type EvmChain, type EvmChainOptions } from './adapter.ts';
export { addressText, readAddress } from './address.ts';
export { type BatchesOptions, connectBatches, mergedNode } from './batches.ts';
export { type CoinsToCheck, checkEvmCoins, checkEvmTokens, paysWatchers } from './check-coin.ts';
export type { EvmCoin, EvmGasLimits } from './coin.ts';
export { type EvmEntry, readEvmEntry } from './coin-entry.ts';
export { swapContractAbi, swapContractBytecode, swapContractCompiler } from './contract/artefact.ts';
export { erc20Balance, tokenDecimals } from './contract-calls.ts';
export { hearFinality } from './depth.ts';
export { EVM_ENTRY_FIELDS, type EvmEntryFieldName } from './entry-fields.ts';
export { type EvmCoinCode, EvmCoinError } from './error.ts';
export { type EventsAsked, whyNoEvents } from './event-search.ts';
export { createGasStation, type GasStation, type GasStationOptions } from './gas-station.ts';
export { heldToEvmChain } from './held-node.ts';
export { type ConnectedEvmNode, connectEvmNode, type EvmNode } from './node.ts';
export { createEvmNodeReader, type EvmNodeReader } from './node-reader.ts';
export type { PriceRule } from './prices.ts';
export { createEvmQuorumReader, type EvmQuorumOptions } from './quorum-reader.ts';
export {
  type Call,
  CallReverted,
  ContractAbsent,
  type EvmBlock,
  type EvmLook,
  type EvmReader,
  type EvmReceipt,
  type EvmRefusal,
  type Known,
  type Log,
  type LogRange,
} from './reader.ts';
export { accountOf, longKey, type Price } from './transaction.ts';
export { type EvmVoiceOptions, evmVoiceOf } from './voice.ts';
export { costOf, type EvmWithdrawal, type EvmWithdrawn, type WithdrawalFee } from './withdraw.ts';
