export { type Amounts, amountsOf } from '../primitives/amounts.ts';
export {
  type DecimalText,
  decimalOf,
  fromBaseUnits,
  isDecimalText,
  sameDecimal,
  toBaseUnits,
  toPlainDecimal,
} from '../primitives/decimal.ts';
export { hash160, hash256, keccak256, ripemd160, sha256 } from '../primitives/hash.ts';
export { bytesToHex, hexToBytes, isHex, sameBytes } from '../primitives/hex.ts';
export { type Seconds, type UnixSeconds, unixSecondsOf } from '../primitives/time.ts';
export { concatBytes } from './byte-writer.ts';
export {
  type ContractCall,
  contractCallScript,
  contractCallsOf,
  decodeContractCall,
  gasCost,
  type PlacedCall,
} from './contract-output.ts';
export {
  BURN_KEY,
  checkDexFee,
  DEFAULT_MIN_TX_AMOUNT,
  DEX_FEE_KEY_HASH,
  type DexFee,
  type DexFeeCheck,
  type DexFeeCheckParameters,
  type DexFeeEra,
  type DexFeeParameters,
  dexFee,
  feeOutputs,
  feeProblem,
  feeScripts,
  HIGHEST_PLAUSIBLE_MINIMUM,
  isFeeExempt,
} from './dex-fee.ts';
export { HtlcSpendError, HtlcTermsError } from './error.ts';
export { feeDiffersFromNode, feeExpired, feeOfAnotherSender, feeTooOld } from './error-texts.ts';
export {
  contractSwapId,
  decodeSwapCall,
  decodeTransfer,
  ERC20_PAYMENT,
  ERC20_TRANSFER,
  ETH_PAYMENT,
  encodeSwapCall,
  NO_TOKEN,
  RECEIVER_SPEND,
  SENDER_REFUND,
  type SwapCall,
  type SwapCallArguments,
} from './evm-calls.ts';
export { decodeEvmTransaction, type EvmCall, type EvmTransaction, evmAddress, evmCall } from './evm-transaction.ts';
export { type ExtractSecret, extractSecret, NO_SECRET_TEXT } from './extract-secret.ts';
export {
  completeSpendPreimage,
  type HtlcBranch,
  type HtlcInput,
  type HtlcUnlocking,
  htlcInputOfHex,
  htlcInputScripts,
  type InputScripts,
  parseHtlcInput,
} from './htlc-input.ts';
export { inputKey, type KeyUnlocking, keyInputScripts, keyScriptLike } from './key-input.ts';
export { type KeyRule, secp256k1KeyProblem } from './key-rule.ts';
export { type HtlcKeys, htlcKeys, type PaymentKeys, type StoredPartyKeys, storedKey } from './keys.ts';
export {
  BASE_LOCK_DURATION,
  isRefundable,
  isWatchedLockDuration,
  type LockDurationParameters,
  lockDuration,
  lockDurations,
  type MakerLockMultiplier,
  makerLockMultiplier,
  makerPaymentLock,
  makerPaymentWait,
  makerSpendDeadline,
  orderbookTicker,
  takerPaymentLock,
  watcherRefundFrom,
  watcherSpendFrom,
} from './lock-times.ts';
export {
  dexFeeTotal,
  type LockedAmounts,
  lockedBySwap,
  lockedBySwaps,
  type RunningSwap,
  type StoredTradeFee,
} from './locked-amount.ts';
export { type ModulePayment, moduleSwapId } from './module-swap-id.ts';
export {
  type BurnRule,
  checkedProfile,
  FREE_NETWORK,
  KDF_NETWORK,
  type NetworkProfile,
  NetworkProfileError,
  type Ratio,
  type TradingFee,
} from './network-profile.ts';
export {
  type CarriedData,
  findPaymentOutput,
  type LockedPayment,
  paymentOutputs,
  paymentProblem,
  paymentScript,
  type TakenPayment,
  takenBy,
} from './payment.ts';
export {
  type QtumAccount,
  type QtumAddressForm,
  qtumAccount,
  qtumContractAddress,
  qtumWalletAddress,
  readQtumAddress,
} from './qtum-address.ts';
export {
  type HtlcTerms,
  htlcRedeemScript,
  htlcTermsProblem,
  opReturnData,
  opReturnScript,
  p2pkhScript,
  p2shScript,
  p2wpkhScript,
  p2wshScript,
  paidScript,
  parseHtlcRedeemScript,
  parseScript,
  payToScript,
  pushData,
  type ScriptOp,
  type ScriptScheme,
} from './script.ts';
export { SECRET_BYTES, scriptHash160, secretHashMatches, secretHashOf } from './secret-hash.ts';
export type { ShieldedPart } from './shielded.ts';
export {
  OVERWINTER_BRANCH_ID,
  SAPLING_BRANCH_ID,
  SIGHASH_ALL,
  SIGHASH_ANYONECANPAY,
  SIGHASH_FORKID,
  SIGHASH_NONE,
  SIGHASH_SINGLE,
  type SignableTransaction,
  type SignatureHasher,
  type SignedPart,
  signatureHasher,
  witnessSignatureHash,
} from './signature-hash.ts';
export {
  BITCOIN_FORM,
  type BuiltSpend,
  KDF_SPEND_SIZE,
  SMART_CHAIN_FORM,
  type SpendRequest,
  type SpendSignature,
  signedSpend,
  spendSize,
  type TransactionForm,
  type UnsignedSpend,
  unsignedSpend,
  virtualSize,
} from './spend.ts';
export { accountOfAddress, tendermintAccount, tendermintAddress } from './tendermint-address.ts';
export {
  frameworkLockBlocks,
  LEAST_LOCK_BLOCKS,
  lockBlocks,
  MOST_LOCK_BLOCKS,
  makerLockBlocks,
} from './tendermint-lock.ts';
export {
  type BankSend,
  type ClaimHtlc,
  type CreateHtlc,
  coinsText,
  decodeTendermintMessage,
  encodeTendermintMessage,
  type HtlcModule,
  htlcModuleOf,
  type ModuleCoin,
  type OtherMessage,
  type TendermintMessage,
} from './tendermint-messages.ts';
export {
  decodeStoredHtlc,
  encodeHtlcQuery,
  encodeStoredHtlc,
  htlcQueryPath,
  type StoredHtlc,
} from './tendermint-stored.ts';
export {
  decodeTendermintTransaction,
  encodeTendermintTransaction,
  type SigningContext,
  signingHash,
  type TendermintDraft,
  type TendermintTransaction,
  tendermintId,
  unsignedParts,
} from './tendermint-transaction.ts';
export {
  allowanceCall,
  approvalCall,
  balanceCall,
  type ContractPayment,
  contractPaymentHash,
  decodeNumberAnswer,
  decodeStoredPayment,
  type StoredPayment,
  storedPaymentCall,
  TOKEN_DECIMALS,
  transferCall,
} from './token-calls.ts';
export {
  type DecodedTransaction,
  decodeTransaction,
  displayHash,
  FINAL_SEQUENCE,
  isTransactionProblem,
  LOCKED_SEQUENCE,
  MAX_TRANSACTION_BYTES,
  REPLACEABLE_SEQUENCE,
  SAPLING_GROUP_ID,
  type TransactionFormat,
  type TransactionInput,
  type TransactionOutput,
  type TransactionProblem,
} from './transaction.ts';
export { encodeTransaction, type OutPoint, transactionId } from './transaction-encoding.ts';
export {
  type HashFamily,
  identifyTransaction,
  type TransactionIdentity,
  type UncheckableId,
} from './transaction-id.ts';
