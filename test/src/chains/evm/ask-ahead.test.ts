import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { EvmChain } from '../../../../src/chains/evm/adapter.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { addressOf } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { ETHER, FIRST, kindOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

const OTHER = { swap: '4d4c1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4d' } as const;
const WITHDRAWAL = { to: addressOf('a friend'), amount: 30n * ETHER, fee: null } as const;

describeWith(ANVIL, 'questions asked before an account’s turn', () => {
  let world: TwoWallets;

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  beforeEach(() => world.chain.give(addressOf('sender'), 50n * ETHER));
  afterAll(() => world?.chain.stop());

  const paying = (wallet: EvmChain, { swap }: { readonly swap: string }) =>
    kindOf(wallet.prepare({ purpose: 'payment', terms: world.terms('30').terms, ...FIRST }, { swap }));

  it('pays nothing twice from the same coins, with any simultaneous requests', async () => {
    const wallet = world.wallet('sender');
    const kinds = [paying(wallet, SWAP), paying(wallet, OTHER), kindOf(wallet.withdraw(WITHDRAWAL))];
    expect(await Promise.all(kinds)).toEqual(['ok', 'coinsPromised', 'insufficientFunds']);
  });

  it('count what a swap has come to hold between the answer and the turn', async () => {
    const account = world.chain.account('sender');
    const wallet = world.wallet('sender', { account });
    let begin = (): void => {};
    const isBusy = new Promise<void>((resolve) => {
      begin = resolve;
    });
    void account.inTurn(() => isBusy);
    const kinds = [paying(wallet, OTHER), kindOf(wallet.withdraw(WITHDRAWAL))];
    // A question after theirs: by its answer they have theirs.
    await wallet.payment({ terms: world.terms('1').terms });
    wallet.hold({ ...SWAP, amount: '25' as DecimalText });
    begin();
    expect(await Promise.all(kinds)).toEqual(['coinsPromised', 'insufficientFunds']);
  });
});
