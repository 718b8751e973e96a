import { base64 } from '@scure/base';
import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth';
import { QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query';
import { QuerySpendableBalanceByDenomResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query';
import {
  BaseVestingAccount,
  ContinuousVestingAccount,
  DelayedVestingAccount,
  PeriodicVestingAccount,
  PermanentLockedAccount,
} from 'cosmjs-types/cosmos/vesting/v1beta1/vesting';
import { describe, expect, it } from 'vitest';
import { accountState } from '../../../../src/chains/tendermint/account-kinds.ts';
import type { NodeConduct } from '../../../../src/testing/cometbft/node.ts';
import type { Json } from '../../../../src/testing/cometbft/render.ts';
import { IRIS, UNIT } from '../../../support/tendermint/adapter-chain.ts';
import { goodOf, kindOf, TwoWallets } from '../../../support/tendermint/two-wallets.ts';

const ADDRESS = 'iaa1vestedvestedvested';
const baseOf = (sequence: bigint, address = ADDRESS) =>
  BaseAccount.fromPartial({ address, accountNumber: 41n, sequence });
const vestingOf = (baseAccount = baseOf(7n)) =>
  BaseVestingAccount.fromPartial({ baseAccount, originalVesting: [{ denom: 'uiris', amount: '5' }], endTime: 99n });
const wrapped = { baseVestingAccount: vestingOf() };
const read = (kind: string, bytes: Uint8Array) => accountState(kind, { bytes, address: ADDRESS });

describe('an account of the Cosmos SDK', () => {
  it.each([
    ['/cosmos.auth.v1beta1.BaseAccount', BaseAccount.encode(baseOf(7n)).finish(), {}],
    [
      '/cosmos.auth.v1beta1.ModuleAccount',
      ModuleAccount.encode(ModuleAccount.fromPartial({ baseAccount: baseOf(7n), name: 'gov' })).finish(),
      {},
    ],
    [
      '/cosmos.vesting.v1beta1.BaseVestingAccount',
      BaseVestingAccount.encode(vestingOf()).finish(),
      { isVesting: true },
    ],
    [
      '/cosmos.vesting.v1beta1.ContinuousVestingAccount',
      ContinuousVestingAccount.encode(ContinuousVestingAccount.fromPartial({ ...wrapped, startTime: 3n })).finish(),
      { isVesting: true },
    ],
    [
      '/cosmos.vesting.v1beta1.DelayedVestingAccount',
      DelayedVestingAccount.encode(DelayedVestingAccount.fromPartial(wrapped)).finish(),
      { isVesting: true },
    ],
    [
      '/cosmos.vesting.v1beta1.PeriodicVestingAccount',
      PeriodicVestingAccount.encode(PeriodicVestingAccount.fromPartial({ ...wrapped, startTime: 3n })).finish(),
      { isVesting: true },
    ],
    [
      '/cosmos.vesting.v1beta1.PermanentLockedAccount',
      PermanentLockedAccount.encode(PermanentLockedAccount.fromPartial(wrapped)).finish(),
      { isVesting: true },
    ],
  ])('%s has its number and its sequence', (kind, bytes, more) => {
    expect(read(kind, bytes)).toEqual({ number: 41n, sequence: 7, ...more });
  });

  it('of another kind is refused by its name, and one of another address or without one inside counts as none', () => {
    const bytes = BaseAccount.encode(baseOf(7n)).finish();
    expect(() => read('/ethermint.types.v1.EthAccount', bytes)).toThrow('of kind /ethermint.types.v1.EthAccount');
    const other = BaseAccount.encode(baseOf(7n, 'iaa1another')).finish();
    expect(() => read('/cosmos.auth.v1beta1.BaseAccount', other)).toThrow('another account');
    expect(() => read('/cosmos.vesting.v1beta1.DelayedVestingAccount', new Uint8Array(0))).toThrow('invalid answer');
  });
});

/** A node by which the sender's coins are freed over time, so many of them already. */
function vesting(world: TwoWallets, unlocked: bigint): NodeConduct {
  const address = world.test.addressOf('sender');
  const answered = (answer: Json, value: Uint8Array) => {
    const { log: _, ...response } = answer['response'] as Json;
    return { response: { ...response, code: 0, value: base64.encode(value) } };
  };
  return {
    alter: (answer, _, { path, data }) => {
      if (!Buffer.from(String(data), 'hex').includes(address)) return answer;
      if (path === '/cosmos.auth.v1beta1.Query/Account') {
        const base = baseOf(0n, address);
        const value = PermanentLockedAccount.encode({ baseVestingAccount: vestingOf(base) }).finish();
        const account = { typeUrl: '/cosmos.vesting.v1beta1.PermanentLockedAccount', value };
        return answered(answer, QueryAccountResponse.encode({ account }).finish());
      }
      if (path !== '/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom') return answer;
      const balance = { denom: IRIS.denom, amount: String(unlocked) };
      return answered(answer, QuerySpendableBalanceByDenomResponse.encode({ balance }).finish());
    },
  };
}

it('pays with what is already vested, and shows the rest as not spendable', async () => {
  const world = new TwoWallets();
  const reader = world.test.reader(vesting(world, 3n * UNIT));
  const wallet = world.wallet('sender', { reader });
  expect(await goodOf(wallet.balances())).toEqual({ spendable: '3', unspendable: '47' });
  expect((await goodOf(wallet.quote())).spendable).toBe('3');
  const friend = world.test.addressOf('a friend');
  expect(await kindOf(wallet.withdraw({ to: friend, amount: 4n * UNIT, memo: '' }))).toBe('insufficientFunds');
  expect(await kindOf(wallet.withdraw({ to: friend, amount: 2n * UNIT, memo: '' }))).toBe('ok');
  const { terms } = world.terms('4');
  const request = { purpose: 'payment', terms, urgency: 0, replaces: null } as const;
  expect(await kindOf(wallet.prepare(request, { swap: 'a swap' }))).toBe('insufficientFunds');
});

it('says that it cannot tell if a node does not know what is vested', async () => {
  const world = new TwoWallets();
  const { alter } = vesting(world, 0n);
  const old: NodeConduct = {
    alter: (answer, method, params) =>
      String(params['path']).endsWith('SpendableBalanceByDenom') ? answer : (alter?.(answer, method, params) ?? answer),
  };
  const wallet = world.wallet('sender', { reader: world.test.reader(old) });
  expect(await kindOf(wallet.quote())).toBe('unavailable');
});
