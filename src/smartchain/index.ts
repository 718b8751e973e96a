export type { DecodedTransaction, TransactionInput, TransactionOutput } from '../htlc/transaction.ts';
export type { OutPoint } from '../htlc/transaction-encoding.ts';
export { type Block, decodeBlock, encodeBlock, type IdentifiedTransaction } from './chain/block.ts';
export type { FeeEstimator } from './chain/fee-estimator.ts';
export type { Ledger } from './chain/ledger.ts';
export type { Mempool, MempoolEntry } from './chain/mempool.ts';
export type { MiningTerms } from './chain/miner.ts';
export type { Refusal } from './chain/refusal.ts';
export { DEFAULT_RELAY_POLICY, type RelayPolicy } from './chain/relay-policy.ts';
export { ownerKey, type ScriptOwner, scriptOwner } from './chain/script-owner.ts';
export { type BlockNode, type BlockTree, type ChainChange, chainTips } from './chain/tree.ts';
export { type Address, decodeAddress, encodeAddress } from './encoding/address.ts';
export { SmartChainError, type SmartChainErrorCode } from './error.ts';
export { secretKeyOfSeed } from './keys/seed.ts';
export { decodeWif, encodeWif, type WifKey } from './keys/wif.ts';
export { openSmartChain, type Refused, type SmartChain, type SmartChainOptions } from './node.ts';
export { type ChainParams, DEFAULT_PARAMS, type Network, PREFIXES, type Prefixes } from './params.ts';
export { snapshotFile } from './snapshot/file-store.ts';
export type { SnapshotStore } from './snapshot/store.ts';
export type { TokenMove } from './tokens/move.ts';
export { payloadOf } from './tokens/move.ts';
export { DEAD_KEY, payToKeyScript } from './tokens/scripts.ts';
export { decodeChainTransaction, encodeChainTransaction, transactionIdOf } from './transaction.ts';
export type { Keyring, WalletKey } from './wallet/keyring.ts';
export { buildPayment } from './wallet/send.ts';
export { tokenBalance } from './wallet/token-balance.ts';
export {
  type Built,
  buildCreate,
  buildTransfer,
  type CreateOptions,
  type TokenMaker,
  type TransferOptions,
} from './wallet/token-transactions.ts';
export { openWallet, type Wallet, type WalletContent, type WalletOptions, type WalletStore } from './wallet/wallet.ts';
