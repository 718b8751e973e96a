export type {
  AddressRequest,
  ButtonQuestion,
  ConnectOptions,
  DeviceFault,
  DeviceFaultKind,
  DeviceFee,
  DeviceInfo,
  DevicePublicKey,
  DeviceSession,
  DeviceStep,
  DeviceTransaction,
  HardwareWallet,
  PassphraseQuestion,
  PinQuestion,
  PublicKeyRequest,
  SignedByDevice,
  SignRequest,
} from '../ports/hardware-wallet.ts';
export type {
  RemoteAnswer,
  RemoteFault,
  RemoteFaultKind,
  RemoteRequest,
  RemoteSession,
  RemoteWallets,
} from '../ports/remote-wallet.ts';
export { DeviceError, type DeviceUser, followDevice } from './device-error.ts';
export { type AccountSigner, type AccountSignerOptions, deviceAccount } from './evm/account.ts';
export { type RemoteAccount, type RemoteAccountOptions, RemoteWalletError, remoteAccount } from './remote/account.ts';
export { andThen } from './steps.ts';
export { hwErrorName } from './trezor/faults.ts';
export type { DeviceLink, LinkListener } from './trezor/link.ts';
export { createTrezorWallet, type DeviceLook, type TrezorWalletOptions } from './trezor/wallet.ts';
