import { numberToHex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { madeOf } from '../../../../src/chains/evm/transaction.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { type Alter, FINALITY } from '../../../support/evm/adapter-chain.ts';
import { ANVIL } from '../../../support/evm/anvil.ts';
import { FIRST, goodOf, kindOf, SWAP, TwoWallets } from '../../../support/evm/two-wallets.ts';
import { describeWith } from '../../../support/optional-part.ts';

describeWith(ANVIL, 'what an account of an EVM chain makes and signs', () => {
  let world: TwoWallets;

  beforeAll(async () => {
    world = await TwoWallets.open();
  }, 60_000);
  afterAll(() => world?.chain.stop());

  it('a fee is not made twice: nothing replaces one that is confirmed, or whose nonce something else has used recently', async () => {
    const [own, other] = [world.wallet('sender'), world.wallet('sender')];
    const again = (replaces: Awaited<ReturnType<typeof world.fee>>) =>
      own.prepare({ purpose: 'fee', feeSat: 1234n, burnSat: 0n, urgency: 1, replaces }, SWAP);
    const paid = await world.fee(own);
    await goodOf(own.broadcast(paid));
    await world.chain.mine(FINALITY + 1);
    expect(await kindOf(again(paid))).toBe('nonceUsed');
    const lost = await world.fee(own);
    await goodOf(other.broadcast(await world.fee(other, 77n)));
    for (let depth = 1; depth < FINALITY; depth += 1) {
      await world.chain.mine();
      expect(await kindOf(again(lost))).toBe('nonceUsed');
    }
    await world.chain.mine();
    const alone = await goodOf(again(lost));
    expect(alone.spends).not.toEqual(lost.spends);
    own.release([alone]);
  });

  it('a claim that the contract would refuse is not signed, because it would reveal the secret in vain', async () => {
    const [from, to] = [world.wallet('sender'), world.wallet('receiver')];
    const { terms, secret } = world.terms('0.5');
    const funding = await world.payment(from, terms);
    const claim = () => kindOf(to.prepare({ purpose: 'claim', terms, funding, secret, ...FIRST }, SWAP));
    expect(await claim()).toBe('unavailable');
    await goodOf(from.broadcast(funding));
    await world.chain.mine();
    expect(await claim()).toBe('ok');
    await world.chain.mineAt(terms.lock);
    await goodOf(from.broadcast(await world.make(from, { purpose: 'refund', terms, funding, ...FIRST })));
    await world.chain.mine();
    expect(await claim()).toBe('unavailable');
  });

  it('a claim has as much gas as it needs, if the configured limit does not suffice', async () => {
    const [from, to] = [world.wallet('sender'), world.wallet('receiver', { coin: { gas: { claim: 33_000n } } })];
    const { terms, secret } = world.terms('0.5');
    const funding = await world.paid(from, terms);
    const claim = await world.make(to, { purpose: 'claim', terms, funding, secret, ...FIRST });
    await goodOf(to.broadcast(claim));
    await world.chain.mine();
    expect((await goodOf(from.payment({ terms }))).spend).toMatchObject({ how: 'secret', secret });
    expect(madeOf(claim.tx_hex)?.gas).toBe(49_500n);
  });

  it.each([
    ['as much as the node thinks and half as much again', 400_000n, 600_000n],
    ['what the framework gives, where the node thinks less', 20_000n, 21_000n],
    ['no more than a bound', 10n ** 12n, 5_000_000n],
    ['what the framework gives, where the node does not say', null, 21_000n],
  ] as const)('a bare transfer has gas: %s', async (_, told, gas) => {
    const alter: Alter = ({ method, answer }) => {
      if (method !== 'eth_estimateGas') return answer;
      if (told === null) throw new NodeRefusal(-32_601, 'the method does not exist');
      return numberToHex(told);
    };
    const wallet = world.wallet('sender', { reader: world.chain.reader(undefined, alter) });
    const { dexFeeFee } = await goodOf(wallet.quote());
    const fee = await world.fee(wallet);
    expect(madeOf(fee.tx_hex)?.gas).toBe(gas);
    expect(Number(dexFeeFee)).toBeGreaterThanOrEqual(Number(fee.fee));
    const cancel = await world.make(wallet, { purpose: 'void', target: fee, urgency: 0 });
    expect(madeOf(cancel.tx_hex)?.gas).toBe(gas);
  });

  it('amounts that no contract can count are answered: no payment, no fee', async () => {
    const wallet = world.wallet('sender');
    const { terms: given } = world.terms('0.5');
    const terms = { ...given, amount: (2n ** 256n / 10n ** 18n + 1n).toString() as DecimalText };
    expect((await goodOf(wallet.payment({ terms }))).problem).toMatch(/cannot be written/);
    expect(await kindOf(wallet.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP))).toBe('invalid');
    const fee = { purpose: 'fee', feeSat: 2n ** 256n, burnSat: 0n, ...FIRST } as const;
    expect(await kindOf(wallet.prepare(fee, SWAP))).toBe('invalid');
  });

  it('a contract that refuses to answer gives no answer', async () => {
    const refusing: Alter = ({ method, answer }) => {
      if (method === 'eth_call') throw new NodeRefusal(3, 'execution reverted');
      return answer;
    };
    const wallet = world.wallet('sender', { reader: world.chain.reader(undefined, refusing) });
    const { terms } = world.terms('0.5');
    expect(await kindOf(wallet.payment({ terms }))).toBe('unavailable');
    expect(await kindOf(wallet.prepare({ purpose: 'payment', terms, ...FIRST }, SWAP))).toBe('unavailable');
  });
});
