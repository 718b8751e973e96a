import { expect, it } from 'vitest';
import { MOST_PREPARED, type TendermintAccount } from '../../../../src/chains/tendermint/account.ts';
import type { TendermintLook } from '../../../../src/chains/tendermint/reader.ts';
import { TwoWallets } from '../../../support/tendermint/two-wallets.ts';

/** The account has signed something with each of so many sequences. */
function signAll(account: TendermintAccount, sequences: number): void {
  const rest = { messages: [], memo: '', timeout: 0, gas: 1n, fee: [], hex: '', from: account.account };
  for (let sequence = 0; sequence < sequences; sequence += 1) {
    account.offered.add(`id ${sequence}`);
    account.take({ ...rest, id: `id ${sequence}`, sequence });
  }
}

/** A look by which blocks have used so many. */
async function lookAfter(world: TwoWallets, used: number, settled = true): Promise<TendermintLook> {
  const look = await world.test.reader().look();
  return { ...look, settled, account: async () => ({ number: 7n, sequence: used }) };
}

const held = (account: TendermintAccount, sequences: readonly number[]) =>
  sequences.map((sequence) => account.holders(sequence).length);

it('only what blocks used long ago is forgotten', async () => {
  const world = new TwoWallets();
  const account = world.test.account('sender');
  const [used, all] = [MOST_PREPARED, 2 * MOST_PREPARED + 300];
  signAll(account, all);
  expect(await account.freeSequence(await lookAfter(world, used))).toBe(all);
  expect([account.prepared.size, account.offered.size]).toEqual([all - (used - 1000), all - (used - 1000)]);
  expect(held(account, [0, used - 1001, used - 1000, used, all - 1])).toEqual([0, 0, 1, 1, 1]);
});

it('as many as are always kept stay, and all stay if there are no more than twice as many', async () => {
  const world = new TwoWallets();
  for (const all of [2 * MOST_PREPARED, 2 * MOST_PREPARED + 1]) {
    const account = world.test.account('sender');
    signAll(account, all);
    await account.freeSequence(await lookAfter(world, all));
    expect(account.prepared.size).toBe(all === 2 * MOST_PREPARED ? all : MOST_PREPARED);
    expect(held(account, [all - MOST_PREPARED, all - 1])).toEqual([1, 1]);
  }
});

it('a look that settles nothing makes nothing forgotten', async () => {
  const world = new TwoWallets();
  const account = world.test.account('sender');
  const all = 2 * MOST_PREPARED + 300;
  signAll(account, all);
  await account.freeSequence(await lookAfter(world, all, false));
  expect(account.prepared.size).toBe(all);
});
