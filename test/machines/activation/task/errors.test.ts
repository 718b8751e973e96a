import { describe, expect, it } from 'vitest';
import {
  activationError,
  activationErrorRules,
  hwErrorOf,
  hwErrorTexts,
  taskTimedOut,
  wrongUserAction,
} from '../../../../machines/activation/task/errors.ts';
import { type TaskErrorType, taskError, taskErrorTypes } from '../../../../src/events/task-error.ts';

const tickerError = { ticker: 'MATIC', error: 'boom' };
const protocol = { ticker: 'KMD', protocol: { type: 'UTXO' } };

describe('errors of an activation task', () => {
  it.each([
    [activationError('PlatformIsAlreadyActivated', 'MATIC'), 'MATIC'],
    [activationError('PlatformConfigIsNotFound', 'MATIC'), 'Platform MATIC config is not found'],
    [activationError('CoinProtocolParseError', tickerError), 'Platform coin MATIC protocol parsing failed: boom'],
    [activationError('UnexpectedPlatformProtocol', protocol), 'Unexpected platform protocol {"type":"UTXO"} for KMD'],
    [activationError('TokenConfigIsNotFound', 'PGX'), 'Token PGX config is not found'],
    [activationError('TokenProtocolParseError', tickerError), 'Token MATIC protocol parsing failed: boom'],
    [activationError('UnexpectedTokenProtocol', protocol), 'Unexpected token protocol {"type":"UTXO"} for KMD'],
    [activationError('PlatformCoinCreationError', tickerError), 'Error on platform coin MATIC creation: boom'],
    [activationError('CoinCreationError', tickerError), 'Error on platform coin MATIC creation: boom'],
    [activationError('PrivKeyPolicyNotAllowed', 'x'), 'Private key is not allowed: x'],
    [activationError('UnexpectedDerivationMethod', 'x'), 'Unexpected derivation method: x'],
    [activationError('FailedSpawningBalanceEvents', 'x'), 'Failed spawning balance events. Error: x'],
    [activationError('WalletConnectError', 'x'), 'WalletConnect Error: x'],
    [
      activationError('Transport', 'Failed to get client version for all nodes'),
      'Failed to get client version for all nodes',
    ],
    [
      activationError('HwError', 'FoundUnexpectedDevice'),
      'Found unexpected device. Please re-initialize Hardware wallet',
    ],
    [activationError('NoSuchTask', 4), "No such task '4'"],
    [activationError('TaskFinished', 4), 'Task is finished already'],
    [
      activationError('CustomTokenError', { DuplicateTickerInConfig: { ticker_in_config: 'T' } }),
      'Custom token error: Token with the same ticker already exists in coins configs, ticker in config: T',
    ],
    [
      activationError('CustomTokenError', { DuplicateContractInConfig: { ticker_in_config: 'T' } }),
      'Custom token error: Token with the same contract address already exists in coins configs, ticker in config: T',
    ],
    [
      activationError('CustomTokenError', {
        TokenWithSameContractAlreadyActivated: { ticker: 'T', contract_address: '0x1' },
      }),
      'Custom token error: Token is already activated, ticker: T, contract address: 0x1',
    ],
    [taskTimedOut(300), 'Initialization task has timed out 300s'],
    [wrongUserAction('TrezorPin'), "RPC 'task' is awaiting 'TrezorPin' user action"],
  ])('%# say what the real node says', (error, text) => {
    expect(error.error).toBe(text);
    expect(taskError.parse(JSON.parse(JSON.stringify(error)))).toEqual(error);
  });

  it.each([
    ['NoTrezorDeviceAvailable', 'No Trezor device available'],
    ['FoundMultipleDevices', 'Found multiple devices. Please unplug unused devices'],
    ['FoundUnexpectedDevice', 'Found unexpected device. Please re-initialize Hardware wallet'],
    ['InvalidPin', 'Pin is invalid'],
    ['UnexpectedMessage', 'Unexpected message'],
    ['ButtonExpected', 'Button expected'],
    ['DataError', 'Got data error'],
    ['PinExpected', 'Pin expected'],
    ['InvalidSignature', 'Invalid signature'],
    ['ProcessError', 'Got process error'],
    ['NotEnoughFunds', 'Not enough funds'],
    ['NotInitialized', 'Not initialized'],
    ['WipeCodeMismatch', 'Wipe code mismatch'],
    ['InvalidSession', 'Invalid session'],
    ['FirmwareError', 'Got firmware error'],
    ['FailureMessageNotFound', 'Failure message not found'],
    ['UserCancelled', 'User cancelled action'],
    ['PongMessageMismatch', 'PONG message mismatch after ping'],
  ] as const)('report %s of a device in the words of the real node, with its name as data', (name, text) => {
    expect(activationError('HwError', name)).toMatchObject({ error: text, error_data: name });
    expect(hwErrorOf(name)).toBe(name);
  });

  it('name a device by no other name, and report one that was removed like one that is missing', () => {
    expect(Object.keys(hwErrorTexts)).toHaveLength(18);
    expect([hwErrorOf('DeviceDisconnected'), hwErrorOf('toString'), hwErrorOf(7)]).toEqual([
      'NoTrezorDeviceAvailable',
      null,
      null,
    ]);
  });

  it('carry no data if the variant has none', () => {
    const error = activationError('UnexpectedDeviceActivationPolicy', undefined);
    expect(error.error).toBe('Hardware policy must be activated within task manager');
    expect(Object.hasOwn(error, 'error_data')).toBe(false);
  });

  it('name where they arose, outermost first', () => {
    const { error_path, error_trace } = activationError('Internal', 'x', { frames: ['enable_eth', 'tokens'] });
    expect({ error_path, error_trace }).toEqual({
      error_path: 'enable_eth.tokens',
      error_trace: 'enable_eth] tokens]',
    });
  });

  it('have an HTTP status for every type of the vocabulary', () => {
    expect(Object.keys(activationErrorRules).sort()).toEqual([...taskErrorTypes].sort());
    for (const { http } of Object.values(activationErrorRules)) expect(http >= 400 && http < 600).toBe(true);
  });
});

/** The HTTP status of every error, as the real node has it. */
const http: Readonly<Record<TaskErrorType, number>> = {
  TaskTimedOut: 500,
  CoinCreationError: 400,
  HwError: 410,
  TaskFinished: 409,
  NoSuchTask: 400,
  PlatformIsAlreadyActivated: 400,
  PlatformConfigIsNotFound: 400,
  CoinProtocolParseError: 500,
  UnexpectedPlatformProtocol: 400,
  TokenConfigIsNotFound: 400,
  TokenProtocolParseError: 500,
  UnexpectedTokenProtocol: 400,
  PlatformCoinCreationError: 500,
  PrivKeyNotAllowed: 500,
  InternalError: 500,
  PrivKeyPolicyNotAllowed: 500,
  UnexpectedDerivationMethod: 500,
  Transport: 502,
  AtLeastOneNodeRequired: 400,
  InvalidPayload: 400,
  FailedSpawningBalanceEvents: 400,
  Internal: 500,
  UnexpectedDeviceActivationPolicy: 400,
  CustomTokenError: 500,
  WalletConnectError: 400,
};

describe('an error of an activation task', () => {
  it.each(taskErrorTypes)('%s has its HTTP status', (type) => {
    expect(activationErrorRules[type].http).toBe(http[type]);
  });

  it('arises in the activation unless said otherwise, and carries its data', () => {
    expect(activationError('AtLeastOneNodeRequired', 'no nodes')).toEqual({
      error: 'no nodes',
      error_path: 'enable_eth',
      error_trace: 'enable_eth]',
      error_type: 'AtLeastOneNodeRequired',
      error_data: 'no nodes',
    });
    expect(activationError('InvalidPayload', 'no token').error).toBe('no token');
  });

  it('of a wait that took too long names the wait, and lasts whole seconds', () => {
    expect(taskTimedOut(300)).toEqual({
      error: 'Initialization task has timed out 300s',
      error_path: 'enable_eth.deadline',
      error_trace: 'enable_eth] deadline]',
      error_type: 'TaskTimedOut',
      error_data: { duration: { secs: 300, nanos: 0 } },
    });
  });

  it('of an answer of the wrong kind names the call', () => {
    const text = "RPC 'task' is awaiting 'TrezorPassphrase' user action";
    expect(wrongUserAction('TrezorPassphrase')).toEqual({
      error: text,
      error_path: 'enable_eth.user_action',
      error_trace: 'enable_eth] user_action]',
      error_type: 'Internal',
      error_data: text,
    });
  });
});
