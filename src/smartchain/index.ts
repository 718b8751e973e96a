export { type Block, decodeBlock, encodeBlock, type IdentifiedTransaction } from './chain/block.ts';
export type { Refusal } from './chain/refusal.ts';
export { DEFAULT_POLICY, type RelayPolicy } from './chain/relay-policy.ts';
export { type BlockNode, type ChainChange, chainTips } from './chain/tree.ts';
export { type Address, decodeAddress, encodeAddress } from './encoding/address.ts';
export { decodeWif, encodeWif, type WifKey } from './encoding/wif.ts';
export { SmartChainError } from './error.ts';
export { secretKeyOfSeed } from './keys/seed.ts';
export { openSmartChain, type Refused, type SmartChain, type SmartChainOptions } from './node.ts';
export { type ChainParams, DEFAULT_PARAMS, type Network, PREFIXES, type Prefixes } from './params.ts';
export {
  type Built,
  buildCreate,
  buildTransfer,
  type CreateOptions,
  type TokenMaker,
  type TransferOptions,
} from './tokens/build.ts';
export { DEAD_KEY, payToKeyScript } from './tokens/scripts.ts';
export { decodeTransaction } from './transaction/decode.ts';
export { encodeTransaction, transactionIdOf } from './transaction/encode.ts';
export type { OutPoint, Transaction, TxInput, TxOutput } from './transaction/transaction.ts';
export { openWallet, type Wallet, type WalletContent, type WalletStore } from './wallet/wallet.ts';
