import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneIn } from '../../../../support/draws.ts';
import { ANVIL } from '../../../../support/evm/anvil.ts';
import type { Call } from '../../../../support/evm/chain.ts';
import { ContractWorld, RECEIVER, SENDER, STRANGER, tool, WATCHER } from '../../../../support/evm/contract-world.ts';
import {
  claim,
  ETHER,
  type Payment,
  pay,
  paymentHash,
  type Reward,
  refund,
  TARGET,
} from '../../../../support/evm/swap-contract.ts';
import { describeWith } from '../../../../support/optional-part.ts';

const [UNUSED, SENT, CLAIMED, REFUNDED] = [0, 1, 2, 3];

type Case = {
  readonly coin: 'ether' | 'token';
  readonly target: keyof typeof TARGET;
  readonly onClaim: boolean;
  /** What a payment of 1000 with a reward of 100 takes, and what becomes of it: [sender, receiver, caller, contract]. */
  readonly ether: { readonly paid: Shares; readonly claimed: Shares; readonly refunded: Shares };
  readonly token: { readonly paid: Shares; readonly claimed: Shares; readonly refunded: Shares };
};
type Shares = readonly [sender: bigint, receiver: bigint, caller: bigint, contract: bigint];

const NONE = { paid: [0n, 0n, 0n, 0n], claimed: [0n, 0n, 0n, 0n], refunded: [0n, 0n, 0n, 0n] } as const;
const WHOLE = { paid: [-1000n, 0n, 0n, 1000n], refunded: [1000n, 0n, 0n, -1000n] } as const;
const PARTED = { paid: [-1000n, 0n, 0n, 1000n], refunded: [900n, 0n, 100n, -1000n] } as const;
const BESIDE = { paid: [-100n, 0n, 0n, 100n], refunded: [0n, 0n, 100n, -100n] } as const;
const ALL_TO_RECEIVER = [0n, 1000n, 0n, -1000n] as const;
const CALLER_HAS_100 = [0n, 900n, 100n, -1000n] as const;
const CALLER_HAS_REWARD = [0n, 0n, 100n, -100n] as const;

const CASES: readonly Case[] = [
  { coin: 'ether', target: 'none', onClaim: false, token: NONE, ether: { ...WHOLE, claimed: ALL_TO_RECEIVER } },
  { coin: 'ether', target: 'none', onClaim: true, token: NONE, ether: { ...WHOLE, claimed: CALLER_HAS_100 } },
  {
    coin: 'ether',
    target: 'contract',
    onClaim: false,
    token: NONE,
    ether: { ...PARTED, claimed: [0n, 900n, 0n, -900n] },
  },
  { coin: 'ether', target: 'contract', onClaim: true, token: NONE, ether: { ...PARTED, claimed: CALLER_HAS_100 } },
  {
    coin: 'ether',
    target: 'sender',
    onClaim: false,
    token: NONE,
    ether: { ...PARTED, claimed: [100n, 900n, 0n, -1000n] },
  },
  { coin: 'ether', target: 'spender', onClaim: false, token: NONE, ether: { ...PARTED, claimed: CALLER_HAS_100 } },
  { coin: 'token', target: 'none', onClaim: false, ether: NONE, token: { ...WHOLE, claimed: ALL_TO_RECEIVER } },
  {
    ...{ coin: 'token', target: 'none', onClaim: true, token: { ...WHOLE, claimed: ALL_TO_RECEIVER } },
    ether: { ...BESIDE, claimed: CALLER_HAS_REWARD, refunded: [100n, 0n, 0n, -100n] },
  },
  {
    ...{ coin: 'token', target: 'contract', onClaim: false, token: { ...WHOLE, claimed: ALL_TO_RECEIVER } },
    ether: { ...BESIDE, claimed: [0n, 0n, 0n, 0n] },
  },
  {
    ...{ coin: 'token', target: 'contract', onClaim: true, token: { ...WHOLE, claimed: ALL_TO_RECEIVER } },
    ether: { ...BESIDE, claimed: CALLER_HAS_REWARD },
  },
  {
    ...{ coin: 'token', target: 'sender', onClaim: false, token: { ...WHOLE, claimed: ALL_TO_RECEIVER } },
    ether: { ...BESIDE, claimed: [100n, 0n, 0n, -100n] },
  },
  { coin: 'token', target: 'spender', onClaim: false, ether: NONE, token: { ...PARTED, claimed: CALLER_HAS_100 } },
];

describeWith(ANVIL, 'the swap contract, with rewards', () => {
  let world: ContractWorld;
  let to: Address;
  let token: Address;
  const refused = async (call: Call) => (await world.send(call)).error;
  const reward = (target: number, amount = 100n, onClaim = false): Reward => ({ target, onClaim, amount });
  const paid = async (given: Partial<Payment>) => {
    const payment = world.payment(given);
    await world.must(pay(to, payment));
    return payment;
  };

  beforeAll(async () => {
    world = await ContractWorld.open();
    to = world.contract;
    token = await world.token('PlainToken');
    await paid({ amount: 50_000n });
    await paid({ amount: 50_000n, token });
  });
  afterAll(() => world?.stop());

  describe.each(oneIn(4, CASES))('SC3: a payment in $coin, target $target, sent on a claim: $onClaim', (one) => {
    const given = () => ({
      token: one.coin === 'ether' ? ETHER : token,
      reward: reward(TARGET[one.target], 100n, one.onClaim),
      lockTime: world.chain.now,
    });
    const shares = async (act: () => Promise<unknown>) => {
      const of = [SENDER, RECEIVER, WATCHER, to];
      let ether: readonly bigint[] = [];
      const tokens = await world.changes({ coin: token, of }, async () => {
        ether = await world.changes({ coin: ETHER, of }, act);
      });
      return { ether, tokens };
    };
    const changed = (when: 'paid' | 'claimed' | 'refunded') => ({ ether: one.ether[when], tokens: one.token[when] });

    it('takes what it promises, and splits it as if a third party claimed it', async () => {
      const payment = world.payment(given());
      expect(await shares(() => world.must(pay(to, payment)))).toEqual(changed('paid'));
      expect((await world.stored(payment.id)).hash).toBe(paymentHash(payment));
      expect(await shares(() => world.must(claim(to, payment, WATCHER)))).toEqual(changed('claimed'));
      expect(await refused(claim(to, payment, WATCHER))).toBe('PaymentNotOpen');
      expect(await refused(refund(to, payment, WATCHER))).toBe('PaymentNotOpen');
      expect(await world.stateOf(payment)).toBe(CLAIMED);
    });

    it('parts it as refunded by a third party', async () => {
      const payment = await paid(given());
      expect(await shares(() => world.must(refund(to, payment, WATCHER)))).toEqual(changed('refunded'));
      expect(await refused(refund(to, payment, WATCHER))).toBe('PaymentNotOpen');
      expect(await refused(claim(to, payment, WATCHER))).toBe('PaymentNotOpen');
      expect(await world.stateOf(payment)).toBe(REFUNDED);
    });
  });

  describe('a payment with a reward', () => {
    it('is refused for an unknown target, and if one reward is promised twice', async () => {
      for (const coin of [ETHER, token]) {
        const refusal = (given: Reward) => refused(pay(to, world.payment({ token: coin, reward: given })));
        expect(await refusal(reward(4))).toBe('UnknownRewardTarget(4)');
        expect(await refusal(reward(255))).toBe('UnknownRewardTarget(255)');
        expect(await refusal(reward(TARGET.sender, 100n, true))).toBe('RewardPromisedTwice');
        expect(await refusal(reward(TARGET.spender, 100n, true))).toBe('RewardPromisedTwice');
      }
    });

    it('SC3: is refused if the reward leaves nothing of the amount that it is part of', async () => {
      const refusal = (given: Partial<Payment>) => refused(pay(to, world.payment(given)));
      for (const amount of [1_000n, 1_001n, 2n ** 256n - 1n]) {
        for (const one of [reward(0, amount, true), reward(1, amount), reward(2, amount), reward(3, amount)]) {
          expect(await refusal({ reward: one })).toBe('RewardTakesAll');
        }
        expect(await refusal({ token, reward: reward(TARGET.spender, amount) })).toBe('RewardTakesAll');
      }
      await world.must(pay(to, world.payment({ reward: reward(TARGET.spender, 999n) })));
      await world.must(pay(to, world.payment({ reward: reward(TARGET.none, 2n ** 256n - 1n) })));
      await world.must(pay(to, world.payment({ token, reward: reward(TARGET.sender, 5_000n) })));
    });

    it('SC3: is refused if the ether beside tokens is not the reward', async () => {
      for (const [one, value] of [
        [reward(TARGET.none), 0n],
        [reward(TARGET.spender), 0n],
        [reward(TARGET.none, 100n, true), 100n],
        [reward(TARGET.contract), 100n],
        [reward(TARGET.sender), 100n],
      ] as const) {
        const payment = world.payment({ token, reward: one });
        for (const wrong of [value + 1n, value === 0n ? 100n : 0n, value === 0n ? 1n : value - 1n]) {
          expect(await refused(pay(to, payment, wrong))).toBe(`WrongRewardValue(${value})`);
        }
        expect(await world.stateOf(payment)).toBe(UNUSED);
      }
    });

    it('SC1, SC4: is open to no other terms, and not to the plain functions', async () => {
      for (const coin of [ETHER, token]) {
        const one = reward(TARGET.spender);
        const payment = await paid({ token: coin, reward: one, lockTime: world.chain.now });
        const others: Partial<Payment>[] = [
          ...[{ sender: WATCHER }, { receiver: WATCHER }, { amount: 999n }, { amount: 1_001n }],
          ...[{ token: coin === ETHER ? token : ETHER }, { secret: world.payment().secret }],
          ...[reward(0), reward(1), reward(2), reward(4), reward(3, 101n), reward(3, 99n), reward(3, 100n, true)].map(
            (other) => ({ reward: other }),
          ),
        ];
        for (const other of others) {
          expect(await refused(claim(to, { ...payment, ...other }, WATCHER))).toBe('TermsDiffer');
          expect(await refused(refund(to, { ...payment, ...other }, WATCHER))).toBe('TermsDiffer');
        }
        expect(await refused(claim(to, { ...payment, reward: undefined }))).toBe('TermsDiffer');
        expect(await refused(refund(to, { ...payment, reward: undefined }))).toBe('TermsDiffer');
        const plain = await paid({ token: coin, lockTime: world.chain.now });
        for (const target of [0, 1, 2, 3]) {
          expect(await refused(claim(to, { ...plain, reward: reward(target, 0n) }, WATCHER))).toBe('TermsDiffer');
          expect(await refused(refund(to, { ...plain, reward: reward(target, 0n) }, WATCHER))).toBe('TermsDiffer');
        }
        expect([await world.stateOf(payment), await world.stateOf(plain)]).toEqual([SENT, SENT]);
      }
    });

    it('SC2: can be refunded by anybody in a block at the lock time, and not one second before', async () => {
      const payment = await paid({ reward: reward(TARGET.sender), lockTime: world.chain.now + 50 });
      const early = await world.send(refund(to, payment, WATCHER), payment.lockTime - 1);
      expect(early.error).toBe(`LockedUntil(${payment.lockTime})`);
      await world.must(refund(to, payment, WATCHER), payment.lockTime);
    });

    it('SC2: can be claimed by anybody long after the lock time', async () => {
      const payment = await paid({ reward: reward(TARGET.spender), lockTime: world.chain.now + 2 });
      await world.must(claim(to, payment, WATCHER), payment.lockTime + 1_000);
    });

    it('is shown as a plain one is, by the same events', async () => {
      const claimed = world.payment({ reward: reward(TARGET.spender) });
      const refunded = world.payment({ token, reward: reward(TARGET.sender), lockTime: world.chain.now });
      const logsOf = async (call: Call) =>
        (await world.must(call)).logs.map(({ topics, data }) => [topics[0]?.slice(0, 10), data]);
      expect(await logsOf(pay(to, claimed))).toEqual([['0xccc9c051', claimed.id]]);
      expect(await logsOf(pay(to, refunded))).toEqual([['0xccc9c051', refunded.id]]);
      expect(await logsOf(claim(to, claimed, WATCHER))).toEqual([['0x36c177bc', claimed.id + claimed.secret.slice(2)]]);
      expect(await logsOf(refund(to, refunded, WATCHER))).toEqual([['0x1797d500', refunded.id]]);
    });
  });

  describe('an account with code', () => {
    let actor: Address;
    const order = (name: 'refuse' | 'burn', yes: boolean) =>
      world.must({ from: STRANGER, to: actor, data: tool(name, [yes]) });
    beforeAll(async () => {
      actor = await world.actor();
      await world.must({ from: STRANGER, to: token, data: tool('mint', [actor, 10_000n]) });
      await world.must({ from: actor, to: token, data: tool('approve', [to, 10_000n]) });
    });

    it('SC7: that is the sender and refuses its reward back, or burns gas, stops no claim; the reward stays', async () => {
      for (const coin of [ETHER, token]) {
        for (const trick of ['refuse', 'burn'] as const) {
          const payment = await paid({ sender: actor, token: coin, reward: reward(TARGET.sender) });
          await order(trick, true);
          const of = [RECEIVER, actor, to];
          const call = { ...claim(to, payment, WATCHER), gas: 1_000_000n };
          let gasUsed = 0n;
          const changes = await world.changes({ coin: ETHER, of }, async () => {
            ({ gasUsed } = await world.must(call));
          });
          expect(changes).toEqual(coin === ETHER ? [900n, 0n, -900n] : [0n, 0n, 0n]);
          expect(gasUsed).toBeLessThan(90_000n);
          expect(await world.stateOf(payment)).toBe(CLAIMED);
          await order(trick, false);
        }
      }
    });

    it('SC7: that brings hardly enough gas for a claim cannot keep the reward from its sender', async () => {
      const payment = await paid({ reward: reward(TARGET.sender) });
      const dearest = await world.must(claim(to, await paid({ reward: reward(TARGET.sender) }), WATCHER));
      const of = [SENDER, RECEIVER, WATCHER];
      let done = false;
      const calls: bigint[][] = [];
      for (let gas = dearest.gasUsed - 12_000n; !done; gas += 500n) {
        const changes = await world.changes({ coin: ETHER, of }, async () => {
          done = (await world.send({ ...claim(to, payment, WATCHER), gas })).done;
        });
        calls.push([...changes]);
      }
      expect(calls.length).toBeGreaterThan(10);
      expect(calls.pop()).toEqual([100n, 900n, 0n]);
      expect(new Set(calls.flat())).toEqual(new Set([0n]));
    });

    it('SC5: that refuses what it claims leaves the payment open', async () => {
      const payments = [
        await paid({ receiver: actor, reward: reward(TARGET.spender), lockTime: world.chain.now }),
        await paid({ sender: actor, reward: reward(TARGET.spender), lockTime: world.chain.now }),
        await paid({ sender: actor, token, reward: reward(TARGET.none, 7n, true), lockTime: world.chain.now }),
      ] as const;
      await order('refuse', true);
      expect(await refused(claim(to, payments[0], WATCHER))).toBe('EtherRefused');
      expect(await refused(refund(to, payments[1], WATCHER))).toBe('EtherRefused');
      expect(await refused(refund(to, payments[2], WATCHER))).toBe('EtherRefused');
      for (const payment of payments) expect(await world.stateOf(payment)).toBe(SENT);
      await order('refuse', false);
      await world.must(claim(to, payments[0], WATCHER));
      await world.must(refund(to, payments[1], WATCHER));
      await world.must(refund(to, payments[2], WATCHER));
    });

    it('SC5: that refuses the reward of its own claim leaves the payment open to others', async () => {
      const payment = await paid({ reward: reward(TARGET.spender) });
      await order('refuse', true);
      const call = claim(to, payment, actor);
      expect(await refused(call)).toBe('EtherRefused');
      await order('refuse', false);
      await world.must(claim(to, payment, WATCHER));
    });

    it('SC3, SC5: that claims or refunds again while it is paid has the reward once', async () => {
      const one = { reward: reward(TARGET.spender), lockTime: world.chain.now };
      const claimed = await paid({ ...one, receiver: actor });
      const refunded = await paid({ ...one, sender: actor });
      for (const call of [claim(to, claimed, actor), refund(to, refunded, actor)]) {
        await world.must({ from: STRANGER, to: actor, data: tool('prepare', [to, call.data]) });
        const changes = await world.changes({ coin: ETHER, of: [actor, to] }, () => world.must(call));
        expect(changes).toEqual([1_000n, -1_000n]);
        expect(BigInt(await world.chain.read(actor, tool('succeeded')))).toBe(0n);
      }
    });
  });
});
