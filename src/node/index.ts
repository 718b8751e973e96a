export { createNftProvider, type NftProviderOptions } from '../chains/evm/nft/provider.ts';
export type { EvmNft } from '../ports/evm-activator.ts';
export type { NftChain, NftFault, NftProvider, NftsAnswer, NftsAsked } from '../ports/nft-provider.ts';
export { ActivationFailure, type ActivationFailureKind } from './activation-failure.ts';
export type { Activation } from './activations/events.ts';
export type { ActiveCoin } from './active-coin.ts';
export { CoinInUse } from './coin-in-use.ts';
export type { CoinTable } from './coin-table.ts';
export { type CoinsFile, coinsOf, readCoinsFile } from './coins-file.ts';
export { type NodeConfig, nodeConfigOf, readNodeConfig } from './config.ts';
export type { Disabled } from './disable-coin.ts';
export { NodeError } from './error.ts';
export { type HdWallet, walletOfWords } from './hd-keys.ts';
export { type KeyWallet, walletOfPassphrase } from './keys.ts';
export { type NetworkConfig, networkConfigOf } from './network-config.ts';
export {
  type Compatibility,
  createNode,
  type NodeOptions,
  type NodeParts,
  type TradingNode,
} from './node.ts';
export type {
  MakerMatch,
  MakerOrder,
  MakerTerms,
  OrderEnd,
  OrderType,
  TakerMatch,
  TakerOrder,
} from './orders/model.ts';
export type { Offer } from './orders/offer.ts';
export type { NodeOrders } from './orders/orders.ts';
export { OrderRefusal, type OrderRefusalKind } from './orders/refusal.ts';
