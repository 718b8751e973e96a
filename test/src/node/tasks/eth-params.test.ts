import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { readAs } from '../../../../src/node/serde.ts';
import { cancelParams, initParams, statusParams, userActionParams } from '../../../../src/node/tasks/eth-params.ts';
import { CONTRACT, least } from '../../../support/tasks/eth-tasks.ts';

function problemOf(schema: z.ZodType, value: unknown): string | null {
  const read = readAs(schema, value);
  return read.ok ? null : read.problem;
}

const init = (mode: 'specification' | 'kdf', members: object) => problemOf(initParams[mode], { ...least, ...members });

describe('parameters of init that cannot be read', () => {
  it.each([
    [{ ticker: undefined }, 'missing field `ticker`'],
    [{ swap_contract_address: undefined }, 'missing field `swap_contract_address`'],
    [{ erc20_tokens_requests: undefined }, 'missing field `erc20_tokens_requests`'],
    [{ swap_contract_address: null }, 'invalid type: null, expected a 0x-prefixed hex string with length of 40'],
    [{ erc20_tokens_requests: [{}] }, 'missing field `ticker`'],
    [{ nodes: [{}] }, 'missing field `url`'],
    [{ nodes: null }, 'invalid type: null, expected a sequence'],
    [{ gap_limit: -1 }, 'invalid value: integer `-1`, expected u32'],
    [{ gap_limit: 4_294_967_296 }, 'invalid value: integer `4294967296`, expected u32'],
    [{ mm2: 300 }, 'invalid value: integer `300`, expected u8'],
    [{ rpc_mode: 'Metamask' }, 'unknown variant `Metamask`, expected `Default`'],
    [{ scan_policy: 'Scan' }, 'unknown variant `Scan`, expected one of `do_not_scan`, `scan_if_new_wallet`, `scan`'],
    [
      { path_to_address: { account_id: 0, chain: 'Foo', address_id: 0 } },
      'unknown variant `Foo`, expected `External` or `Internal`',
    ],
    [{ priv_key_policy: null }, 'invalid type: null, expected adjacently tagged enum EthPrivKeyActivationPolicy'],
    [
      { priv_key_policy: { type: 'Metamask' } },
      'unknown variant `Metamask`, expected one of `ContextPrivKey`, `Trezor`, `WalletConnect`',
    ],
    [{ priv_key_policy: { type: 'WalletConnect' } }, 'missing field `params`'],
    [{ priv_key_policy: { type: 'WalletConnect', params: {} } }, 'missing field `session_topic`'],
    [
      { swap_v2_contracts: { maker_swap_v2_contract: CONTRACT, taker_swap_v2_contract: CONTRACT } },
      'missing field `nft_maker_swap_v2_contract`',
    ],
    [
      { nft_req: { provider: { type: 'Opensea', info: { url: 'https://nft.example' } } } },
      'unknown variant `Opensea`, expected `Moralis`',
    ],
    [
      { nft_req: { provider: { type: 'Moralis', info: { url: 'not a url' } } } },
      'invalid value: text that is not an http URL, expected an URL',
    ],
    [{ client_id: -1 }, 'invalid value: integer `-1`, expected u64'],
  ])('in both modes: %j', (members, problem) => {
    expect([init('specification', members), init('kdf', members)]).toEqual([problem, problem]);
  });

  it.each([
    [
      { priv_key_policy: 'ContextPrivKey' },
      null,
      'invalid type: string "ContextPrivKey", expected adjacently tagged enum EthPrivKeyActivationPolicy',
    ],
    [{ path_to_address: { address_id: 1 } }, null, 'missing field `account_id`'],
    ...['x', 256, -1, 1.5].map((gas_station_decimals): [object, string, null] => [
      { gas_station_decimals },
      'gas_station_decimals: expected a whole number from 0 to 255',
      null,
    ]),
    [{ gas_station_url: 'ftp://x' }, 'gas_station_url: expected an http or https url', null],
    [{ gas_station_url: 5 }, 'gas_station_url: expected an http or https url', null],
    [{ tx_history: 5 }, 'tx_history: expected true or false, found a number', null],
    [{ requires_notarization: 'x' }, 'requires_notarization: expected true or false, found a string', null],
  ])('differ between the modes: %j', (members, specification, kdf) => {
    expect([init('specification', members), init('kdf', members)]).toEqual([specification, kdf]);
  });

  it('are not an object', () => {
    expect(problemOf(initParams.kdf, null)).toContain('invalid type: null');
    expect(problemOf(initParams.specification, 5)).toContain('expected struct EnablePlatformCoinWithTokensReq');
  });
});

describe('parameters of init', () => {
  it.each([
    { gap_limit: null, gas_station_decimals: null, tx_history: null, nft_req: null, mm2: null },
    { fallback_swap_contract: undefined, nodes: undefined },
    { anything: {}, save_in_history: true },
    { priv_key_policy: { type: 'Trezor' } },
    { gap_limit: 4_294_967_295 },
  ])('may be %j', (members) => {
    expect([init('specification', members), init('kdf', members)]).toEqual([null, null]);
  });

  it('hold the session of a remote wallet in every spelling, so that nothing prints it', () => {
    for (const held of [{ params: { session_topic: 'abc' } }, { data: 'abc' }]) {
      const members = { ...least, priv_key_policy: { type: 'WalletConnect', ...held } };
      const { request } = initParams.specification.parse(members);
      expect(request.priv_key_policy.session?.reveal()).toBe('abc');
      expect(inspect(request)).not.toContain('abc');
    }
  });
});

describe('parameters of the other calls', () => {
  it('have the defaults of the specification', () => {
    expect(statusParams.parse({ task_id: 3 })).toEqual({ task_id: 3, forget_if_finished: true });
    expect(cancelParams.parse({ task_id: 3, extra: 1 })).toEqual({ task_id: 3 });
  });

  it.each([
    [statusParams, {}, 'missing field `task_id`'],
    [statusParams, { task_id: 0, forget_if_finished: 'x' }, 'invalid type: string "x", expected a boolean'],
    [cancelParams, { task_id: 'x' }, 'invalid type: string "x", expected u64'],
    [userActionParams, { task_id: 1 }, 'missing field `user_action`'],
    [userActionParams, { user_action: { action_type: 'TrezorPin', pin: '1' } }, 'missing field `task_id`'],
    [userActionParams, { task_id: 1, user_action: { pin: '1' } }, 'missing field `action_type`'],
    [userActionParams, { task_id: 1, user_action: { action_type: 'TrezorPin' } }, 'missing field `pin`'],
    [
      userActionParams,
      { task_id: 1, user_action: { action_type: 'TrezorPassphrase', pin: '1' } },
      'missing field `passphrase`',
    ],
    [
      userActionParams,
      { task_id: 1, user_action: { action_type: 'TrezorFoo' } },
      'unknown variant `TrezorFoo`, expected `TrezorPin` or `TrezorPassphrase`',
    ],
  ])('%# are refused', (schema, params, problem) => {
    expect(problemOf(schema, params)).toBe(problem);
  });

  it.each(['hunter2', 'TrezorPin1', 'my Trezor', `Trezor${'x'.repeat(17)}`, 'toString', 4815])(
    'do not repeat what may be a passphrase in the wrong place: %s',
    (action_type) => {
      const variants = 'unknown variant, expected `TrezorPin` or `TrezorPassphrase`';
      expect(problemOf(userActionParams, { task_id: 3, user_action: { action_type } })).toBe(variants);
      const pin = problemOf(userActionParams, { task_id: 3, user_action: { action_type: 'TrezorPin', pin: 4815 } });
      expect(pin).toBe('pin: invalid type, expected a string');
    },
  );

  it.each([
    [{ action_type: 'TrezorPin', pin: '789' }, 'TrezorPin', '789'],
    [{ action_type: 'TrezorPin', pin: '789', passphrase: null }, 'TrezorPin', '789'],
    [{ action_type: 'DevicePin', pin: '789', passphrase: 5 }, 'TrezorPin', '789'],
    [{ action_type: 'TrezorPassphrase', passphrase: '' }, 'TrezorPassphrase', ''],
    [{ action_type: 'DevicePassphrase', pin: '1', passphrase: 'x' }, 'TrezorPassphrase', 'x'],
  ])('accept the user action %j', (user_action, type, value) => {
    const read = userActionParams.parse({ task_id: 3, user_action });
    expect([read.user_action.action_type, read.user_action.value.reveal()]).toEqual([type, value]);
  });
});
