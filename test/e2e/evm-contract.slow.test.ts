import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANVIL } from '../support/evm/anvil.ts';
import { contractSuite, KINDS } from '../support/evm/contract-fixture.ts';
import { ContractWorld, RECEIVER, SENDER, STRANGER } from '../support/evm/contract-world.ts';
import {
  claim,
  ETHER,
  type Payment,
  pay,
  paymentHash,
  type Reward,
  refund,
  TARGET,
} from '../support/evm/swap-contract.ts';
import { ALL_CONTRACTS, hasRewards, OTHER_CONTRACTS } from '../support/evm/swap-contracts.ts';
import { describeWith } from '../support/optional-part.ts';

// Whoever has the creation code of another contract with the interface names its file in SWAPFOLD_SWAP_CONTRACT.

describeWith(ANVIL, 'the contract of the chain port holds for the adapter of EVM chains', () => {
  describe.each(ALL_CONTRACTS)('over $name', ({ bytecode }) => {
    describe.each(Object.entries(KINDS))('for %s', (_, decimals) => {
      const { open, close, cases, made } = contractSuite(decimals, bytecode);

      beforeAll(open, 60_000);
      afterAll(close);

      for (const { title, run } of cases) it(title, run);

      it('the whole suite used one fixture', () => expect(made()).toBe(1));
    });
  });
});

const [SENT, CLAIMED, REFUNDED] = [1, 2, 3];
const TOPICS = {
  paid: '0xccc9c05183599bd3135da606eaaf535daffe256e9de33c048014cffcccd4ad57',
  claimed: '0x36c177bcb01c6d568244f05261e2946c8c977fa50822f3fa098c470770ee1f3e',
  refunded: '0x1797d500133f8e427eb9da9523aa4a25cb40f50ebc7dbda3c7c81778973f35ba',
};
/** What every contract with rewards agrees on: nobody gets one, or the sender gets it back with a claim. */
const REWARDS: Readonly<Record<string, Reward>> = {
  'without a reward': { target: TARGET.none, onClaim: false, amount: 0n },
  'with a reward for the sender': { target: TARGET.sender, onClaim: false, amount: 77n },
};

describeWith(ANVIL, 'the interface of a swap contract', () => {
  describe.each(OTHER_CONTRACTS)('is that of $name', ({ bytecode }) => {
    let world: ContractWorld;
    let token: Payment['token'];
    let rewards = false;

    beforeAll(async () => {
      const code = await bytecode();
      rewards = hasRewards(code);
      world = await ContractWorld.open(code);
      token = await world.token('PlainToken');
    }, 60_000);
    afterAll(() => world?.stop());

    const topics = ({ logs }: Awaited<ReturnType<ContractWorld['must']>>) =>
      logs
        .filter(({ address }) => address.toLowerCase() === world.contract.toLowerCase())
        .map((log) => [log.topics, log.data]);

    /** Whoever calls, the same becomes of it. */
    async function lives(given: Partial<Payment>, caller: Payment['sender'] | undefined): Promise<void> {
      const to = world.contract;
      for (const end of ['claimed', 'refunded'] as const) {
        const payment = world.payment({ ...given, lockTime: world.chain.now + 50 });
        const paid = await world.must(pay(to, payment));
        expect(topics(paid)).toEqual([[[TOPICS.paid], payment.id]]);
        const lockTime = BigInt(payment.lockTime);
        expect(await world.stored(payment.id)).toEqual({ hash: paymentHash(payment), lockTime, state: SENT });
        expect((await world.send(pay(to, payment))).done).toBe(false);
        const wrong = { ...payment, secret: payment.id };
        expect((await world.send(claim(to, wrong, caller ?? RECEIVER))).done).toBe(false);
        expect((await world.send(refund(to, payment, caller ?? SENDER))).done).toBe(false);
        const [call, at] =
          end === 'claimed'
            ? [claim(to, payment, caller ?? RECEIVER), undefined]
            : [refund(to, payment, caller ?? SENDER), payment.lockTime];
        let told: unknown;
        const shares = await world.changes({ coin: payment.token, of: [SENDER, RECEIVER] }, async () => {
          told = topics(await world.must(call, at));
        });
        const inCoin = payment.token === ETHER ? (payment.reward?.amount ?? 0n) : 0n;
        const fromClaim = [inCoin, payment.amount - inCoin];
        if (end === 'claimed') {
          expect(shares).toEqual(fromClaim);
          expect(told).toEqual([[[TOPICS.claimed], `${payment.id}${payment.secret.slice(2)}`]]);
        } else {
          // A reward that is not the sender's own goes to whoever refunds.
          expect(shares).toEqual([payment.amount - inCoin, 0n]);
          expect(told).toEqual([[[TOPICS.refunded], payment.id]]);
        }
        expect(await world.stateOf(payment)).toBe(end === 'claimed' ? CLAIMED : REFUNDED);
        expect((await world.send(call)).done).toBe(false);
      }
    }

    it('ether is paid, claimed and refunded by the parties', () => lives({ amount: 1_003n }, undefined));
    it('tokens are paid, claimed and refunded by the parties', () => lives({ token, amount: 1_003n }, undefined));

    describe.each(Object.entries(REWARDS))('by anybody, %s', (_, reward) => {
      it('ether', ({ annotate }) => (rewards ? lives({ amount: 5_001n, reward }, STRANGER) : absent(annotate)));
      it('tokens', ({ annotate }) => (rewards ? lives({ token, amount: 5_001n, reward }, STRANGER) : absent(annotate)));
    });
  });
});

async function absent(annotate: (text: string) => unknown): Promise<void> {
  await annotate('the contract has no functions of rewards');
}
