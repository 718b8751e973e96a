import type { UserActionType } from '../../../src/events/enable-eth.ts';
import type { TaskError, TaskErrorType } from '../../../src/events/task-error.ts';
import { stringifyJson } from '../../../src/primitives/json.ts';
import type { Seconds } from '../../../src/primitives/time.ts';

/** A duration as the real node writes it: whole seconds plus nanoseconds. */
export type TaskDuration = { readonly secs: number; readonly nanos: number };

type TickerError = { readonly ticker: string; readonly error: string };
type TickerProtocol = { readonly ticker: string; readonly protocol: unknown };

/** What can be wrong with a token that is not in the coins file. */
export type CustomTokenProblem =
  | { readonly DuplicateTickerInConfig: { readonly ticker_in_config: string } }
  | { readonly DuplicateContractInConfig: { readonly ticker_in_config: string } }
  | { readonly TokenWithSameContractAlreadyActivated: { readonly ticker: string; readonly contract_address: string } };

function plain(message: string): string {
  return message;
}

function customTokenText(problem: CustomTokenProblem): string {
  if ('DuplicateTickerInConfig' in problem) {
    return `Token with the same ticker already exists in coins configs, ticker in config: ${problem.DuplicateTickerInConfig.ticker_in_config}`;
  }
  if ('DuplicateContractInConfig' in problem) {
    return `Token with the same contract address already exists in coins configs, ticker in config: ${problem.DuplicateContractInConfig.ticker_in_config}`;
  }
  const { ticker, contract_address } = problem.TokenWithSameContractAlreadyActivated;
  return `Token is already activated, ticker: ${ticker}, contract address: ${contract_address}`;
}

/** The real node's text for each fault of a device; the name is the `error_data`, which clients act on. */
export const hwErrorTexts = {
  NoTrezorDeviceAvailable: 'No Trezor device available',
  FoundMultipleDevices: 'Found multiple devices. Please unplug unused devices',
  FoundUnexpectedDevice: 'Found unexpected device. Please re-initialize Hardware wallet',
  InvalidPin: 'Pin is invalid',
  UnexpectedMessage: 'Unexpected message',
  ButtonExpected: 'Button expected',
  DataError: 'Got data error',
  PinExpected: 'Pin expected',
  InvalidSignature: 'Invalid signature',
  ProcessError: 'Got process error',
  NotEnoughFunds: 'Not enough funds',
  NotInitialized: 'Not initialized',
  WipeCodeMismatch: 'Wipe code mismatch',
  InvalidSession: 'Invalid session',
  FirmwareError: 'Got firmware error',
  FailureMessageNotFound: 'Failure message not found',
  UserCancelled: 'User cancelled action',
  PongMessageMismatch: 'PONG message mismatch after ping',
} as const;

export type HwErrorName = keyof typeof hwErrorTexts;

/** Faults of a device. Internally, the real node knows one more than it reports. */
export type HwFaultName = HwErrorName | 'DeviceDisconnected';

/**
 * As the real node reports it in the `error_data` of an `HwError`: a device that went away counts as absent. Null for
 * an unknown name.
 */
export function hwErrorOf(name: unknown): HwErrorName | null {
  if (name === 'DeviceDisconnected') return 'NoTrezorDeviceAvailable';
  return typeof name === 'string' && Object.hasOwn(hwErrorTexts, name) ? (name as HwErrorName) : null;
}

/**
 * Text and HTTP status of every error type, as the real node has them. The text is derived from `error_data` only, so
 * the two cannot disagree. Inside a `status` answer, the HTTP status is 200.
 */
export const activationErrorRules = {
  TaskTimedOut: {
    http: 500,
    text: (data: { readonly duration: TaskDuration }) => `Initialization task has timed out ${data.duration.secs}s`,
  },
  CoinCreationError: {
    http: 400,
    text: (data: TickerError) => `Error on platform coin ${data.ticker} creation: ${data.error}`,
  },
  HwError: { http: 410, text: (data: HwErrorName) => hwErrorTexts[data] },
  TaskFinished: { http: 409, text: (_id: number) => 'Task is finished already' },
  NoSuchTask: { http: 400, text: (id: number) => `No such task '${id}'` },
  PlatformIsAlreadyActivated: { http: 400, text: (ticker: string) => ticker },
  PlatformConfigIsNotFound: { http: 400, text: (ticker: string) => `Platform ${ticker} config is not found` },
  CoinProtocolParseError: {
    http: 500,
    text: (data: TickerError) => `Platform coin ${data.ticker} protocol parsing failed: ${data.error}`,
  },
  UnexpectedPlatformProtocol: {
    http: 400,
    text: (data: TickerProtocol) => `Unexpected platform protocol ${stringifyJson(data.protocol)} for ${data.ticker}`,
  },
  TokenConfigIsNotFound: { http: 400, text: (ticker: string) => `Token ${ticker} config is not found` },
  TokenProtocolParseError: {
    http: 500,
    text: (data: TickerError) => `Token ${data.ticker} protocol parsing failed: ${data.error}`,
  },
  UnexpectedTokenProtocol: {
    http: 400,
    text: (data: TickerProtocol) => `Unexpected token protocol ${stringifyJson(data.protocol)} for ${data.ticker}`,
  },
  PlatformCoinCreationError: {
    http: 500,
    text: (data: TickerError) => `Error on platform coin ${data.ticker} creation: ${data.error}`,
  },
  PrivKeyNotAllowed: { http: 500, text: (reason: string) => `Private key is not allowed: ${reason}` },
  InternalError: { http: 500, text: plain },
  PrivKeyPolicyNotAllowed: { http: 500, text: (reason: string) => `Private key is not allowed: ${reason}` },
  UnexpectedDerivationMethod: { http: 500, text: (reason: string) => `Unexpected derivation method: ${reason}` },
  Transport: { http: 502, text: plain },
  AtLeastOneNodeRequired: { http: 400, text: plain },
  InvalidPayload: { http: 400, text: plain },
  FailedSpawningBalanceEvents: {
    http: 400,
    text: (reason: string) => `Failed spawning balance events. Error: ${reason}`,
  },
  Internal: { http: 500, text: plain },
  UnexpectedDeviceActivationPolicy: {
    http: 400,
    text: (_none: undefined) => 'Hardware policy must be activated within task manager',
  },
  CustomTokenError: {
    http: 500,
    text: (problem: CustomTokenProblem) => `Custom token error: ${customTokenText(problem)}`,
  },
  WalletConnectError: { http: 400, text: (reason: string) => `WalletConnect Error: ${reason}` },
} as const satisfies Record<TaskErrorType, { readonly http: number; readonly text: (data: never) => string }>;

/** Type of the `error_data` that goes with an error type. */
export type ErrorDataOf<T extends TaskErrorType> = Parameters<(typeof activationErrorRules)[T]['text']>[0];

/**
 * The error object of a failed activation.
 *
 * @param frames where it arose, outermost first; the two debugging strings are built from them.
 */
export function activationError<T extends TaskErrorType>(
  type: T,
  data: ErrorDataOf<T>,
  { frames = ['enable_eth'] }: { readonly frames?: readonly string[] } = {},
): TaskError {
  const text = activationErrorRules[type].text as (data: ErrorDataOf<T>) => string;
  return {
    error: text(data),
    error_path: frames.join('.'),
    error_trace: frames.map((frame) => `${frame}]`).join(' '),
    error_type: type,
    ...(data === undefined ? {} : { error_data: data }),
  };
}

/**
 * Waiting for activation, device connection or user confirmation took longer than allowed (specification §7).
 *
 * @param family of the task, as debugging strings name it
 */
export function taskTimedOut(secs: Seconds, family = 'enable_eth'): TaskError {
  return activationError('TaskTimedOut', { duration: { secs, nanos: 0 } }, { frames: [family, 'deadline'] });
}

/** An answer of the wrong kind is accepted first, and then fails the task, as in the real node. */
export function wrongUserAction(expected: UserActionType): TaskError {
  const text = `RPC 'task' is awaiting '${expected}' user action`;
  return activationError('Internal', text, { frames: ['enable_eth', 'user_action'] });
}

/**
 * The process that had the whole request has ended, and the log has it without its secrets. The task ends: without them it would ask other servers, or
 * as somebody else, than the client had meant.
 *
 * @param family of the task, as debugging strings name it
 */
export function requestWithheld(pointers: readonly string[], family = 'enable_eth'): TaskError {
  const members = pointers.join(', ');
  const text = `The node was started anew and keeps no secrets of requests: send task::${family}::init again, with ${members} in full`;
  return activationError('InvalidPayload', text, { frames: [family, 'request'] });
}
