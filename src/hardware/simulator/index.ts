export {
  type RemoteTrouble,
  type SimulatedRemoteWallet,
  type SimulatedRemoteWalletOptions,
  simulatedRemoteWallet,
} from '../remote/simulated-wallet.ts';
export {
  type DeviceTraffic,
  type DeviceTrouble,
  type SimulatedDevice,
  type SimulatedDeviceOptions,
  startSimulatedDevice,
} from './device.ts';
export { type PinGrid, placesOf } from './pin-pad.ts';
export type { Buttons, DeviceScreen, DeviceSettings } from './settings.ts';
