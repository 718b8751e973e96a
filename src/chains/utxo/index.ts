export type { ContractLog } from '../../htlc/contract-events.ts';
export type { Balances } from '../../ports/coin-wallet.ts';
export type { Signer, WalletSigner } from '../../ports/signer.ts';
export { BackendSilent } from '../../ports/silence.ts';
export type { EntryField } from '../entry-field.ts';
export { CoinEntryError } from '../entry-reader.ts';
export { createUtxoChain, type UtxoChain, type UtxoChainOptions } from './adapter.ts';
export { type AddressForm, addressScript, keyAddress } from './address.ts';
export type { FeeQuestion, FeeRate, FeeRule, UtxoCoin } from './coin.ts';
export { type EntryTerms, readUtxoEntry, type UtxoEntry } from './coin-entry.ts';
export {
  connectDaemon,
  type DaemonAccess,
  type DaemonAnswer,
  type DaemonCall,
  type DaemonClient,
} from './daemon/client.ts';
export type { OwnAddress } from './daemon/own-coins.ts';
export { createDaemonReader, type DaemonReaderOptions } from './daemon/reader.ts';
export type { ElectrumBackend, ElectrumVoice, Panel, Told } from './electrum/panel.ts';
export { createElectrumReader, type ElectrumReaderOptions } from './electrum/reader.ts';
export { ELECTRUM_PROTOCOLS, type ElectrumProtocol, type ElectrumServerEntry } from './electrum/server.ts';
export { type ElectrumServers, keepServers, type ServersOptions } from './electrum/servers.ts';
export { ENTRY_FIELDS, type EntryFieldName } from './entry-fields.ts';
export type { MergeTerms } from './merge.ts';
export { createQrc20Chain, type Qrc20Chain, type Qrc20ChainOptions } from './qrc20/adapter.ts';
export type { ContractLook, ContractReader, Place, Qrc20Receipt } from './qrc20/contracts.ts';
export { createDaemonContracts } from './qrc20/daemon-contracts.ts';
export { createElectrumContracts } from './qrc20/electrum-contracts.ts';
export type { Qrc20Token } from './qrc20/token.ts';
export type { TokenWithdrawal, TokenWithdrawn } from './qrc20/withdraw.ts';
export type { ChainIndex, Seen, Tip, UtxoReader, UtxoRefusal } from './reader.ts';
export { Reservations } from './reservations.ts';
export { ownScripts } from './sign-coins.ts';
export type { UtxoWithdrawal, UtxoWithdrawn } from './withdraw.ts';
