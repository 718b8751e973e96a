export type {
  ContractCallAnswer,
  DecodedInput,
  DecodedOutput,
  DecodedScript,
  DecodedTransactionAnswer,
  Multisig,
  ValidAddress,
  ValidShieldedAddress,
} from './chain-answers.ts';
export {
  createSmartChainClient,
  type NewToken,
  type SignedMessage,
  type SmartChainClient,
  type TokenTransfer,
} from './client.ts';
export { type SmartChainRpcCode, SmartChainRpcError } from './errors.ts';
export type { ExchangeOptions as SmartChainClientOptions, FetchLike } from './exchange.ts';
export type { TokenAddresses, TokenBalance, TokenInfo } from './token-answers.ts';
