import { ANVIL } from '../support/evm/anvil.ts';
import type { Call } from '../support/evm/chain.ts';
import { ContractWorld, WATCHER } from '../support/evm/contract-world.ts';
import { claim, ETHER, type Payment, pay, type Reward, refund, TARGET } from '../support/evm/swap-contract.ts';
import type { Row } from './measure.ts';

/** Gas that calls of the published contracts took on the same chain, and what the framework gives them by default. */
const PUBLISHED = { ethPayment: 49_357, claim: 41_184, refund: 43_597, erc20Payment: 88_479, erc20Claim: 62_689 };
const LIMIT = { payment: 65_000, erc20Payment: 150_000, claim: 65_000, refund: 100_000, erc20: 150_000 };

type Lives = {
  readonly token: Payment['token'];
  readonly reward?: Reward;
  readonly names: readonly [payment: string, claim: string, refund: string];
  readonly references: readonly [payment: number, claim: number, refund: number];
};

/** Gas of each call of the swap contract: beside that of the published contract, or else beside what the framework gives the call. */
export async function* contractSuite(): AsyncGenerator<Row> {
  if (!ANVIL.present) throw new Error(ANVIL.absence);
  const world = await ContractWorld.open();
  try {
    for (const lives of await allLives(world)) {
      const gas = await gasOf(world, lives);
      for (const [index, name] of lives.names.entries()) {
        const [ours = 0, reference = 0] = [gas[index], lives.references[index]];
        yield { name: `contract: ${name}`, unit: 'gas', ours, reference, ratio: ours / reference };
      }
    }
  } finally {
    world.stop();
  }
}

async function allLives(world: ContractWorld): Promise<readonly Lives[]> {
  const { ethPayment, claim, refund, erc20Payment, erc20Claim } = PUBLISHED;
  const reward = (target: number, onClaim = false): Reward => ({ target, onClaim, amount: 10n });
  const etherLimits = [LIMIT.payment, LIMIT.claim, LIMIT.refund] as const;
  const tokenLimits = [LIMIT.erc20Payment, LIMIT.erc20, LIMIT.erc20] as const;
  const limited = (text: string) =>
    [`${text} paid (limit)`, `${text} claimed (limit)`, `${text} refunded (limit)`] as const;
  const token = () => world.token('PlainToken');
  return [
    {
      ...{ token: ETHER, names: ['ethPayment', 'receiverSpend', 'senderRefund'] },
      references: [ethPayment, claim, refund],
    },
    {
      ...{ token: await token(), references: [erc20Payment, erc20Claim, LIMIT.erc20] },
      names: ['erc20Payment', 'receiverSpend of tokens', 'senderRefund of tokens (limit)'],
    },
    {
      token: ETHER,
      reward: reward(TARGET.none, true),
      names: limited('ether, sent on claim'),
      references: etherLimits,
    },
    {
      token: ETHER,
      reward: reward(TARGET.contract),
      names: limited('ether, reward to contract'),
      references: etherLimits,
    },
    { token: ETHER, reward: reward(TARGET.sender), names: limited('ether, reward to sender'), references: etherLimits },
    {
      token: ETHER,
      reward: reward(TARGET.spender),
      names: limited('ether, reward to spender'),
      references: etherLimits,
    },
    {
      token: await token(),
      reward: reward(TARGET.none, true),
      names: limited('tokens, sent on claim'),
      references: tokenLimits,
    },
    {
      token: await token(),
      reward: reward(TARGET.sender),
      names: limited('tokens, reward to sender'),
      references: tokenLimits,
    },
    {
      token: await token(),
      reward: reward(TARGET.spender),
      names: limited('tokens, reward to spender'),
      references: tokenLimits,
    },
  ];
}

/** Gas of a payment, a claim and a refund: the first of a new contract, to accounts that had nothing of the coin of a token. */
async function gasOf(world: ContractWorld, { token, reward }: Lives): Promise<readonly number[]> {
  const to = world.contract;
  const given = { token, reward, lockTime: world.chain.now };
  const [claimed, refunded] = [world.payment(given), world.payment(given)];
  const by = reward === undefined ? undefined : WATCHER;
  const gas = async (call: Call) => Number((await world.must(call)).gasUsed);
  const payment = await gas(pay(to, claimed));
  const claiming = await gas(claim(to, claimed, by));
  await gas(pay(to, refunded));
  return [payment, claiming, await gas(refund(to, refunded, by))];
}
