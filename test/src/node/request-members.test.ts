import { describe, expect, it } from 'vitest';
import { unreadMembers, walletOnlyReason } from '../../../src/node/request-members.ts';

describe('members of an activation that nothing reads', () => {
  it('are reported with the nearest name, and without their values', () => {
    const request = {
      userpass: 'x',
      method: 'enable',
      coin: 'ETH',
      required_confirmation: 3,
      swap_contract_adress: '0x1',
      foo: 'a password',
      'correct horse battery': 1,
    };
    expect(unreadMembers(request)).toEqual([
      'required_confirmation (did you mean required_confirmations?)',
      'swap_contract_adress (did you mean swap_contract_address?)',
      'foo',
      'one whose name is not a word',
    ]);
  });

  it('are none if all members are known', () => {
    const servers = [{ url: 'electrum.example.org:50001' }];
    expect(unreadMembers({ userpass: 'x', method: 'electrum', coin: 'DOC', servers, tx_history: true })).toEqual([]);
  });
});

describe('why a coin cannot be traded', () => {
  const ETH = { coin: 'ETH', mm2: 1, protocol: { type: 'ETH' } };
  const contract = { swap_contract_address: `0x${'17'.repeat(20)}` };
  it.each([
    [{ request: {}, entry: ETH }, 'the request has no swap_contract_address'],
    [{ request: contract, entry: { ...ETH, wallet_only: true } }, 'the coins file says wallet_only'],
    [{ request: contract, entry: { ...ETH, mm2: 0 } }, 'mm2 is 0 in the coins file'],
    [{ request: { ...contract, mm2: 0 }, entry: ETH }, 'mm2 is 0 in the request'],
    [{ request: {}, entry: { coin: 'DOC', mm2: 1, protocol: { type: 'UTXO' } } }, 'its entry does not allow swaps'],
  ])('%j', (asked, reason) => {
    expect(walletOnlyReason(asked)).toBe(reason);
  });
});
