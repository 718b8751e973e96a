import { describe, expect, it } from 'vitest';
import { accountOrder } from '../../../../../src/node/evm/wallets/account-order.ts';
import { asked } from '../../../../support/tasks/eth-tasks.ts';

const ENTRY = { coin: 'ETH', derivation_path: "m/44'/60'" };

function read(members: object, entry: object = ENTRY) {
  return accountOrder(asked(members).request, { ...entry });
}

describe('what a request says about the accounts of a wallet', () => {
  it('has the defaults of the real node', () => {
    expect(read({})).toEqual({
      ok: true,
      value: {
        ...{ base: "m/44'/60'", account: 0, chain: 'External', address: 0 },
        ...{ gapLimit: 20, scanPolicy: 'scan_if_new_wallet', fewest: 0 },
      },
    });
  });

  it('is taken as given', () => {
    const path_to_address = { account_id: 2 ** 31 - 1, chain: 'Internal', address_id: 7 };
    const members = { path_to_address, gap_limit: 0, scan_policy: 'scan', min_addresses_number: 12 };
    expect(read(members)).toMatchObject({
      value: { account: 2 ** 31 - 1, chain: 'Internal', address: 7, gapLimit: 0, scanPolicy: 'scan', fewest: 12 },
    });
  });

  it.each([
    ['no path of the coin', {}, { coin: 'ETH' }, 'InvalidPayload', 'invalid type: null, expected a string'],
    ['a path of another form', {}, { derivation_path: "m/44'" }, 'InvalidPayload', /^derivation_path: /],
    ['an account beyond the last', { path_to_address: { account_id: 2 ** 31 } }, ENTRY, 'InvalidPayload', /account_id/],
    ['an address beyond the last', { path_to_address: { address_id: 2 ** 31 } }, ENTRY, 'InvalidPayload', /address_id/],
    [
      'an address beyond what is told',
      { path_to_address: { address_id: 100_001 } },
      ENTRY,
      'InvalidPayload',
      /address_id/,
    ],
    [
      'more addresses than there are',
      { min_addresses_number: 2 ** 31 },
      ENTRY,
      'Internal',
      'Addresses limit reached. Max number of addresses: 2147483648',
    ],
    [
      'more addresses than an answer holds',
      { min_addresses_number: 2 ** 31 - 1 },
      ENTRY,
      'InvalidPayload',
      /min_addresses_number/,
    ],
    ['a gap that takes too long', { gap_limit: 2 ** 32 - 1 }, ENTRY, 'InvalidPayload', /gap_limit/],
  ])('is refused for %s', (_, members, entry, type, text) => {
    const data = typeof text === 'string' ? text : expect.stringMatching(text);
    expect(read(members, entry)).toEqual({ ok: false, fault: { type, data } });
  });
});
