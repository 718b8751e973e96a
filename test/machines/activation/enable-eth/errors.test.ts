import { describe, expect, it } from 'vitest';
import {
  activationError,
  activationErrorRules,
  taskTimedOut,
  wrongUserAction,
} from '../../../../machines/activation/enable-eth/errors.ts';
import { taskError, taskErrorTypes } from '../../../../src/events/task-error.ts';

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
    [activationError('CoinCreationError', tickerError), 'Error on coin MATIC creation: boom'],
    [activationError('PrivKeyPolicyNotAllowed', 'x'), 'Private key is not allowed: x'],
    [activationError('UnexpectedDerivationMethod', 'x'), 'Unexpected derivation method: x'],
    [activationError('FailedSpawningBalanceEvents', 'x'), 'Failed spawning balance events. Error: x'],
    [activationError('WalletConnectError', 'x'), 'WalletConnect Error: x'],
    [
      activationError('Transport', 'Failed to get client version for all nodes'),
      'Failed to get client version for all nodes',
    ],
    [activationError('HwError', 'FoundUnexpectedDevice'), 'Hardware wallet error: FoundUnexpectedDevice'],
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

  it('carry no data where the variant has none', () => {
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
