import { describe, expect, it } from 'vitest';
import { z } from 'zod';
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

function refused(params: unknown): string {
  const { error } = userActionParams.safeParse(params);
  if (error === undefined) throw new Error('the parameters were accepted');
  const answer = invalidRequest(error, 'user_action');
  if (answer.ok) throw new Error('the parameters were accepted');
  return String(answer.error.error_data);
}

describe('parameters that cannot be read', () => {
  it.each([
    [undefined, 'missing field `params`'],
    [5, 'expected an object, found a number'],
    [null, 'expected an object, found null'],
    [{ task_id: 3 }, 'missing field `user_action`'],
    [{ task_id: 3, user_action: [] }, 'user_action: expected an object, found an array of 0'],
    [
      { task_id: 3, user_action: { action_type: 7, pin: '1' } },
      'user_action.action_type: expected a text, found a number',
    ],
    [
      { task_id: 3, user_action: { action_type: 'TrezorPin', pin: 4815 } },
      'user_action.pin: expected a text, found a number',
    ],
  ])('%j: where and why', (params, reason) => {
    expect(refused(params)).toBe(reason);
  });

  it('are told in full, with the call that they were for', () => {
    const { error } = cancelParams.safeParse({});
    expect(invalidRequest(error as z.ZodError, 'cancel')).toEqual({
      ok: false,
      http: 400,
      error: {
        error: 'Error parsing request: missing field `task_id`',
        error_path: 'enable_eth.cancel',
        error_trace: 'enable_eth] cancel]',
        error_type: 'InvalidRequest',
        error_data: 'missing field `task_id`',
      },
    });
  });

  it('are told without a reason where none was found', () => {
    expect(invalidRequest(new z.ZodError([]), 'init')).toMatchObject({
      error: { error_data: 'the parameters cannot be read' },
    });
  });

  it.each(['TrezorFoo', 'Device', 'DeviceSomethingElse', `Trezor${'x'.repeat(16)}`])(
    'repeat an action type that looks like one: %s',
    (name) => {
      const variants = 'expected `TrezorPin` or `TrezorPassphrase`';
      expect(refused({ task_id: 3, user_action: { action_type: name } })).toBe(
        `unknown variant \`${name}\`, ${variants}`,
      );
    },
  );

  it.each(['hunter2', 'TrezorPin1', 'my Trezor', 'Trezor pin', `Trezor${'x'.repeat(17)}`, 'toString'])(
    'do not repeat what may be a passphrase in the wrong place: %s',
    (name) => {
      expect(refused({ task_id: 3, user_action: { action_type: name } })).toBe(
        'unknown variant, expected `TrezorPin` or `TrezorPassphrase`',
      );
    },
  );
});

describe('parameters of user_action that can be read', () => {
  it('become the call with its method', () => {
    const user_action = { action_type: 'TrezorPin', pin: '1' };
    expect(userActionParams.parse({ task_id: 3, user_action })).toMatchObject({
      method: 'user_action',
      task_id: 3,
      action: { action_type: 'TrezorPin' },
    });
  });
});
