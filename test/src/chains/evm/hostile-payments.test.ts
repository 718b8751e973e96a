import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoredTransaction } from '../../../../src/events/payloads.ts';
import { contractSwapId } from '../../../../src/htlc/evm-calls.ts';
import type { Reward } from '../../../../src/htlc/evm-reward-calls.ts';
import type { PaymentTerms } from '../../../../src/ports/chain.ts';
import { toBaseUnits } from '../../../../src/primitives/decimal.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { compiled } from '../../../support/evm/compiled.ts';
import { tool } from '../../../support/evm/contract-world.ts';
import { type Call, type Contracts, HostileWorld } from '../../../support/evm/hostile-world.ts';
import { describeWith } from '../../../support/optional-part.ts';

// What a receiver takes for good it gives its own coins for. So whatever a sender does, what its wallet calls good must be worth to it, by
// the balances that the node tells, what was agreed.

const REWARD = 140_000_000_000_007n;

describeWith(ANVIL, 'a payment of a sender that misbehaves', () => {
  let world: HostileWorld;
  let actor = '';
  let echo = '';

  beforeAll(async () => {
    world = await HostileWorld.open();
    actor = await world.actor();
    echo = await world.chain.deploy((await compiled()).Echo.bytecode);
  }, 60_000);
  afterAll(() => world?.stop());

  type Given = { readonly terms: PaymentTerms; readonly pay: (said?: Parameters<HostileWorld['payment']>[2]) => Call };
  type Played = { readonly shown: StoredTransaction; readonly after?: () => Promise<unknown> };
  type Play = {
    readonly name: string;
    /** Whether it is worth what was agreed. */
    readonly good?: boolean;
    readonly of?: keyof Contracts;
    readonly rewards?: boolean;
    readonly act: (given: Given) => Promise<Played>;
  };

  const shownBy = async (call: Call, gas?: bigint): Promise<Played> => ({
    shown: await world.act('sender', call, gas === undefined ? {} : { gas }),
  });
  const idOf = ({ lock, secretHash }: PaymentTerms) => contractSwapId(lock, hexToBytes(secretHash));
  const owed = (terms: PaymentTerms) => toBaseUnits(terms.amount, 18);
  const promised =
    (reward: Reward, part = reward.amount): Play['act'] =>
    ({ terms, pay }) =>
      shownBy(pay({ reward, amount: owed(terms) + part }));
  /** The sender's own account runs code for as long as the receiver judges and claims. */
  const delegated = async (call: Call): Promise<Played> => {
    await world.delegate(world.sender, 'Actor');
    const shown = await world.act('stranger', world.through(world.sender, call));
    return { shown, after: () => world.delegate(world.sender, null) };
  };
  /** The sender's account takes no ether until what is returned is called. */
  const refusing = async () => {
    const refuses = (yes: boolean) => world.act('stranger', { to: world.sender, data: tool('refuse', [yes]).slice(2) });
    await world.delegate(world.sender, 'Actor');
    await refuses(true);
    return async () => {
      await refuses(false);
      await world.delegate(world.sender, null);
    };
  };

  const PLAYS: readonly Play[] = [
    { name: 'as agreed', good: true, act: ({ pay }) => shownBy(pay()) },
    { name: 'one wei less', act: ({ terms, pay }) => shownBy(pay({ amount: owed(terms) - 1n })) },
    { name: 'to the sender itself', act: ({ pay }) => shownBy(pay({ receiver: world.sender })) },
    { name: 'locked for ever', act: ({ pay }) => shownBy(pay({ lock: 2n ** 64n - 1n })) },
    { name: 'locked in the past', act: ({ pay }) => shownBy(pay({ lock: 1n })) },
    { name: 'by a contract of its own', act: async ({ pay }) => shownBy(world.through(actor, pay())) },
    { name: 'by code that its own account runs', good: true, act: ({ pay }) => delegated(pay()) },
    { name: 'to a contract that only tells of it', act: ({ pay }) => shownBy({ ...pay(), to: echo }) },
    { name: 'to another swap contract', act: ({ pay }) => shownBy(pay({ contract: world.contracts.other })) },
    {
      name: 'to another swap contract, and one wei under the same id here',
      act: async ({ pay }) => {
        await world.act('sender', pay({ amount: 1n }));
        return shownBy(pay({ contract: world.contracts.other }));
      },
    },
    { name: 'with too little gas', act: ({ pay }) => shownBy(pay(), 40_000n) },
    {
      name: 'with too little gas, beside a contract that tells of it',
      act: async ({ pay }) => {
        await world.act('sender', { ...pay(), to: echo });
        return shownBy(pay(), 40_000n);
      },
    },
    {
      name: 'as agreed, and shows a transfer to somebody else',
      act: async ({ pay }) => {
        await world.act('sender', pay());
        return shownBy({ to: actor, value: 1n, data: '' });
      },
    },
    {
      name: 'with a reward that nobody agreed on, to the sender',
      act: promised({ target: 2, onClaim: false, amount: REWARD }),
    },
    {
      name: 'with a reward to the sender, which refuses it',
      act: async ({ terms, pay }) => {
        const reward = { target: 2, onClaim: false, amount: REWARD };
        const { shown } = await shownBy(pay({ reward, amount: owed(terms) + REWARD }));
        return { shown, after: await refusing() };
      },
      of: 'other',
    },
    {
      name: 'with a reward that the contract does not have',
      act: promised({ target: 0, onClaim: true, amount: REWARD }),
      of: 'loose',
    },
    {
      name: 'with a reward that is a number and nothing else',
      good: true,
      act: promised({ target: 0, onClaim: false, amount: REWARD }, 0n),
    },
  ];

  it.each(PLAYS)(
    '$name: is called good only where it is worth what was agreed',
    async ({ act, good = false, of = 'ours' }) => {
      const coin = { contract: world.contracts[of], decimals: 18 };
      const agreed = world.agreed('0.5', coin);
      const { terms } = agreed;
      const { shown, after } = await act({ terms, pay: (said) => world.payment(terms, coin, said) });
      const judged = [await world.judged(agreed, coin, shown), await world.judged(agreed, coin)];
      const gained = await world.gained(agreed, coin, judged[1]?.funding ?? shown);
      await after?.();
      // Whoever looks without what it was shown judges what the contract has.
      if (judged.some((one) => one.good)) expect(gained).toBeGreaterThanOrEqual(owed(terms));
      expect(judged[0]?.good).toBe(good);
    },
  );

  it('is not the one that a reorganization puts in place of a valid one', async () => {
    const coin = { contract: world.contracts.ours, decimals: 18 };
    const agreed = world.agreed('0.5', coin);
    const wallet = world.two.wallet('receiver', { coin });
    const first = await world.act('sender', world.payment(agreed.terms, coin));
    const seen = await wallet.payment({ terms: agreed.terms });
    expect(seen).toMatchObject({ ok: true, value: { problem: null, funding: { confirmations: 1 } } });
    await world.chain.request('anvil_reorg', [1, []]);
    const second = await world.act('sender', world.payment(agreed.terms, coin, { amount: 1n }));
    expect(await wallet.payment({ terms: agreed.terms, claimed: first.tx_hex })).toMatchObject({
      ok: true,
      value: { funding: { tx: { tx_hash: second.tx_hash } }, problem: expect.any(String) },
    });
    expect(idOf(agreed.terms)).toHaveLength(64);
    expect(bytesToHex(hexToBytes(second.tx_hash))).not.toBe(first.tx_hash);
  });
});
