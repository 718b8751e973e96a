import { describe, expect, it } from 'vitest';
import { cancelParams, statusParams, userActionParams } from '../../../../machines/activation/enable-eth/commands.ts';
import { invalidRequest } from '../../../../machines/activation/enable-eth/decide.ts';

describe('parameters of the calls of an activation task', () => {
  it('have the defaults of the specification', () => {
    expect(statusParams.parse({ task_id: 3 })).toEqual({ method: 'status', task_id: 3, forget_if_finished: true });
    expect(cancelParams.parse({ task_id: 3, extra: 1 })).toEqual({ method: 'cancel', task_id: 3 });
  });

  it.each([
    [{ action_type: 'TrezorPin', pin: '789' }, 'TrezorPin', '789'],
    [{ action_type: 'DevicePin', pin: '789', passphrase: '' }, 'TrezorPin', '789'],
    [{ action_type: 'TrezorPassphrase', passphrase: '' }, 'TrezorPassphrase', ''],
    [{ action_type: 'DevicePassphrase', pin: '1', passphrase: 'x' }, 'TrezorPassphrase', 'x'],
  ])('accept the user action %j', (user_action, type, value) => {
    const { action } = userActionParams.parse({ task_id: 3, user_action });
    expect(action.action_type).toBe(type);
    expect(action.value.reveal()).toBe(value);
  });

  it.each([
    [{ user_action: { action_type: 'TrezorPin', pin: '1' } }, 'missing field `task_id`'],
    [{ task_id: 3, user_action: { action_type: 'TrezorPin', passphrase: '1' } }, 'missing field `pin`'],
    [{ task_id: 3, user_action: { action_type: 'TrezorPassphrase' } }, 'missing field `passphrase`'],
    [{ task_id: 3, user_action: { pin: '1' } }, 'missing field `action_type`'],
    [
      { task_id: 3, user_action: { action_type: 'Foo', pin: '1' } },
      'unknown variant, expected `TrezorPin` or `TrezorPassphrase`',
    ],
    [
      { task_id: -1, user_action: { action_type: 'TrezorPin', pin: '1' } },
      'task_id: expected a whole number from 0 to 2^53 - 1, found a number outside of it',
    ],
  ])('refuse %j', (params, reason) => {
    const { error } = userActionParams.safeParse(params);
    if (error === undefined) throw new Error('the parameters were accepted');
    expect(invalidRequest(error, 'user_action')).toMatchObject({
      ok: false,
      http: 400,
      error: { error: `Error parsing request: ${reason}`, error_type: 'InvalidRequest', error_data: reason },
    });
  });
});
