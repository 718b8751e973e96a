import type { HwFaultName } from '../../../machines/activation/task/errors.ts';
import type { DeviceFault, DeviceFaultKind, DeviceStep } from '../../ports/hardware-wallet.ts';
import { FAILURE } from './message-types.ts';

/** The text of each kind, unless the caller has a more specific one. */
const MESSAGES: Readonly<Record<DeviceFaultKind, string>> = {
  noDevice: 'No device was found.',
  wrongDevice: 'This is a different device, or the same one with a different passphrase.',
  pinInvalid: 'The device rejected the PIN.',
  cancelled: 'The user declined.',
  unplugged: 'The session with the device has ended.',
  timeout: 'The device does not answer.',
  busy: 'The device is busy.',
  unexpectedMessage: 'The device sent an unexpected message.',
  garbled: 'The device sent bytes that are not a message.',
  notInitialized: 'The device has no seed.',
  refused: 'The device refused.',
  signatureInvalid: 'The signature is not from the account on the transaction.',
  unsupported: 'The device does not support this request.',
};

export function faultOf(kind: DeviceFaultKind, message = MESSAGES[kind]): DeviceFault {
  return { kind, message };
}

export function failed(kind: DeviceFaultKind, message?: string): DeviceStep<never> {
  return { kind: 'failed', fault: faultOf(kind, message) };
}

const KIND_OF_FAILURE: Readonly<Record<number, DeviceFaultKind>> = {
  [FAILURE.unexpectedMessage]: 'unexpectedMessage',
  [FAILURE.actionCancelled]: 'cancelled',
  [FAILURE.pinCancelled]: 'cancelled',
  [FAILURE.pinInvalid]: 'pinInvalid',
  [FAILURE.pinMismatch]: 'pinInvalid',
  [FAILURE.invalidSignature]: 'signatureInvalid',
  [FAILURE.notInitialized]: 'notInitialized',
  [FAILURE.busy]: 'busy',
};

/**
 * What a refusal of the device means. Ignores its text: a device that echoes what its user entered would put that into
 * a log.
 */
export function faultOfFailure(code: number | undefined): DeviceFault {
  if (code === undefined) return faultOf('refused', 'The device refused without a reason.');
  const kind = KIND_OF_FAILURE[code] ?? 'refused';
  const message = kind === 'refused' ? `The device refused with code ${code}.` : MESSAGES[kind];
  return { kind, message, failureCode: code };
}

const NAMES: Readonly<Record<number, HwFaultName>> = {
  [FAILURE.unexpectedMessage]: 'UnexpectedMessage',
  [FAILURE.buttonExpected]: 'ButtonExpected',
  [FAILURE.dataError]: 'DataError',
  [FAILURE.actionCancelled]: 'UserCancelled',
  [FAILURE.pinExpected]: 'PinExpected',
  [FAILURE.pinCancelled]: 'UserCancelled',
  [FAILURE.pinInvalid]: 'InvalidPin',
  [FAILURE.invalidSignature]: 'InvalidSignature',
  [FAILURE.processError]: 'ProcessError',
  [FAILURE.notEnoughFunds]: 'NotEnoughFunds',
  [FAILURE.notInitialized]: 'NotInitialized',
  [FAILURE.pinMismatch]: 'InvalidPin',
  [FAILURE.wipeCodeMismatch]: 'WipeCodeMismatch',
  [FAILURE.invalidSession]: 'InvalidSession',
  [FAILURE.firmwareError]: 'FirmwareError',
};

const NAME_OF_KIND: Readonly<Record<DeviceFaultKind, HwFaultName>> = {
  noDevice: 'NoTrezorDeviceAvailable',
  wrongDevice: 'FoundUnexpectedDevice',
  pinInvalid: 'InvalidPin',
  cancelled: 'UserCancelled',
  unplugged: 'DeviceDisconnected',
  timeout: 'DeviceDisconnected',
  busy: 'ProcessError',
  unexpectedMessage: 'UnexpectedMessage',
  garbled: 'UnexpectedMessage',
  notInitialized: 'NotInitialized',
  refused: 'FailureMessageNotFound',
  signatureInvalid: 'InvalidSignature',
  unsupported: 'DataError',
};

/**
 * The trading framework's name for a fault, as its tasks report it. A fault without a name there gets the nearest one:
 * a timeout is a disconnected device, and invalid bytes are an unexpected message. In `error_data` of an `HwError` a
 * disconnected device (`DeviceDisconnected`) is reported as `NoTrezorDeviceAvailable`.
 *
 * @example
 * ```ts
 * import { hwErrorName } from 'swapfold/hardware';
 *
 * hwErrorName({ kind: 'pinInvalid', message: 'The device did not take the PIN.' }); // → 'InvalidPin'
 * const refused = { kind: 'refused', message: 'The device refused.' } as const;
 * hwErrorName({ ...refused, failureCode: 10 }); // → 'NotEnoughFunds'
 * hwErrorName(refused); // → 'FailureMessageNotFound'
 * ```
 */
export function hwErrorName({ kind, failureCode }: DeviceFault): HwFaultName {
  return (failureCode === undefined ? undefined : NAMES[failureCode]) ?? NAME_OF_KIND[kind];
}
