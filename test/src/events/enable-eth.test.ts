import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/events/decode-error.ts';
import {
  defaultTaskLimits,
  enableEthEventType,
  enableEthEventTypes,
  readEnableEthEvent,
} from '../../../src/events/enable-eth.ts';

const params = {
  ticker: 'ETH',
  swap_contract_address: '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80',
  erc20_tokens_requests: [],
  priv_key_policy: { type: 'ContextPrivKey' },
};

function failureOf(stored: { type: string; at: number; data?: unknown }): DecodeError {
  try {
    readEnableEthEvent(stored, 4);
  } catch (error) {
    if (error instanceof DecodeError) return error;
  }
  throw new Error('the event was read');
}

describe('events of an ETH activation task', () => {
  it("read the start with the real node's limits if the log gives none", () => {
    const { data } = readEnableEthEvent({ type: 'TaskStarted', at: 5, data: { task_id: 0, params } });
    expect(data).toMatchObject({ task_id: 0, client_id: 0, limits: defaultTaskLimits });
    expect(defaultTaskLimits).toEqual({ user_action: 300, device_connect: 300, activation: null });
  });

  it("read the real node's name of a status as the specification's", () => {
    expect(readEnableEthEvent({ type: 'WaitingForTrezorToConnect', at: 5 })).toEqual({
      type: 'WaitingForDeviceToConnect',
      at: 5,
      data: null,
    });
    expect(enableEthEventType('constructor')).toBeUndefined();
  });

  it('keep nothing of a user action but its kind', () => {
    const data = { action_type: 'TrezorPin', pin: '789', passphrase: 'x' };
    expect(readEnableEthEvent({ type: 'UserActionProvided', at: 5, data }).data).toEqual({ action_type: 'TrezorPin' });
  });

  it('stay the same through JSON', () => {
    const start = readEnableEthEvent({ type: 'TaskStarted', at: 5, data: { task_id: 0, params } });
    const again = readEnableEthEvent(JSON.parse(JSON.stringify(start)));
    expect(JSON.stringify(again)).toBe(JSON.stringify(start));
  });

  it.each([
    [{ type: 'Nonsense', at: 5 }, 'FIELD_INVALID', '/4/type'],
    [{ type: 'Cancelled', at: 1.5 }, 'FIELD_INVALID', '/4/at'],
    [{ type: 'Cancelled', at: 5, data: {} }, 'FIELD_INVALID', '/4/data'],
    [{ type: 'TaskStarted', at: 5, data: { params } }, 'FIELD_MISSING', '/4/data/task_id'],
    [{ type: 'UserActionProvided', at: 5, data: { action_type: 'Foo' } }, 'FIELD_INVALID', '/4/data/action_type'],
    [
      { type: 'Failed', at: 5, data: { error: '', error_path: '', error_trace: '', error_type: 'Foo' } },
      'FIELD_INVALID',
      '/4/data/error_type',
    ],
    [{ type: 'Completed', at: 5, data: { details: { current_block: 1 } } }, 'FIELD_INVALID', '/4/data/details'],
  ])('refuse %j', (stored, code, path) => {
    const error = failureOf(stored);
    expect(error.code).toBe(code);
    expect(error.place.path).toBe(path);
  });

  it('have one name each', () => {
    expect(new Set(enableEthEventTypes).size).toBe(enableEthEventTypes.length);
    for (const type of enableEthEventTypes) expect(enableEthEventType(type)).toBe(type);
  });
});
