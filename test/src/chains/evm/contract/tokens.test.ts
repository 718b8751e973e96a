import type { Address } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ANVIL } from '../../../../support/evm/anvil.ts';
import type { Call } from '../../../../support/evm/chain.ts';
import {
  ContractWorld,
  type Manner,
  RECEIVER,
  SENDER,
  STRANGER,
  tool,
  WATCHER,
} from '../../../../support/evm/contract-world.ts';
import { claim, ETHER, type Payment, pay, paymentHash, refund } from '../../../../support/evm/swap-contract.ts';
import { describeWith } from '../../../../support/optional-part.ts';

const [UNUSED, SENT, CLAIMED, REFUNDED] = [0, 1, 2, 3];

describeWith(ANVIL, 'the swap contract, with tokens', () => {
  let world: ContractWorld;
  let to: Address;
  const refused = async (call: Call) => (await world.send(call)).error;
  const paid = async (given: Partial<Payment>) => {
    const payment = world.payment(given);
    await world.must(pay(to, payment));
    return payment;
  };

  beforeAll(async () => {
    world = await ContractWorld.open();
    to = world.contract;
  });
  afterAll(() => world?.stop());

  describe('a token that follows the standard', () => {
    let token: Address;
    beforeAll(async () => {
      token = await world.token('PlainToken');
    });

    it('is taken from the sender, stored with its hash, and claimed by the receiver', async () => {
      const payment = world.payment({ token });
      const of = [SENDER, to, RECEIVER];
      expect(await world.changes({ coin: token, of }, () => world.must(pay(to, payment)))).toEqual([
        -1_000n,
        1_000n,
        0n,
      ]);
      const lockTime = BigInt(payment.lockTime);
      expect(await world.stored(payment.id)).toEqual({ hash: paymentHash(payment), lockTime, state: SENT });
      expect(await refused(claim(to, { ...payment, token: ETHER }))).toBe('TermsDiffer');
      expect(await refused(claim(to, payment, STRANGER))).toBe('TermsDiffer');
      expect(await world.changes({ coin: token, of }, () => world.must(claim(to, payment)))).toEqual([
        0n,
        -1_000n,
        1_000n,
      ]);
      expect(await refused(claim(to, payment))).toBe('PaymentNotOpen');
    });

    it('goes back to the sender from the lock time on', async () => {
      const payment = await paid({ token, lockTime: world.chain.now + 10 });
      expect((await world.send(refund(to, payment), payment.lockTime - 1)).error).toBe(
        `LockedUntil(${payment.lockTime})`,
      );
      expect(await refused(refund(to, payment, RECEIVER))).toBe('TermsDiffer');
      const of = [SENDER, to, RECEIVER];
      expect(await world.changes({ coin: token, of }, () => world.must(refund(to, payment)))).toEqual([
        1_000n,
        -1_000n,
        0n,
      ]);
      expect(await world.stateOf(payment)).toBe(REFUNDED);
    });

    it('accepts no ether with a payment', async () => {
      expect((await world.send(pay(to, world.payment({ token }), 1n))).done).toBe(false);
    });

    it('is refused without the balance or the approval, without an amount, and to nobody', async () => {
      expect(await refused(pay(to, world.payment({ token, amount: 1_000_001n })))).toBe('TokenRefused');
      expect(await refused(pay(to, world.payment({ token, sender: STRANGER })))).toBe('TokenRefused');
      expect(await refused(pay(to, world.payment({ token, amount: 0n })))).toBe('NothingPaid');
      expect(await refused(pay(to, world.payment({ token, receiver: ETHER })))).toBe('ReceiverCannotClaim');
      expect(await refused(pay(to, world.payment({ token, receiver: to })))).toBe('ReceiverCannotClaim');
    });

    it('SC3: of one payment is not taken from another', async () => {
      const other = await world.token('PlainToken');
      const [one, two] = [await paid({ token, amount: 5n }), await paid({ token: other, amount: 900n })];
      expect(await refused(claim(to, { ...one, token: other }))).toBe('TermsDiffer');
      expect(await refused(claim(to, { ...one, amount: 900n }))).toBe('TermsDiffer');
      await world.must(claim(to, one));
      await world.must(claim(to, two));
    });
  });

  it('SC6: an address without a contract is not a token', async () => {
    const ether = await paid({ amount: 70n });
    for (const token of [STRANGER, ETHER, '0x0000000000000000000000000000000000000004'] as const) {
      const payment = world.payment({ amount: 70n });
      const call = pay(to, { ...payment, token: '0x00000000000000000000000000000000000000f1' });
      const data = call.data?.replace('00000000000000000000000000000000000000f1', token.slice(2)) as `0x${string}`;
      expect(await refused({ ...call, data }), token).toBe('TokenHasNoCode');
      expect(await world.stateOf(payment)).toBe(UNUSED);
    }
    await world.must(claim(to, ether));
  });

  it('SC6: a token whose contract is gone cannot be claimed', async () => {
    const token = await world.token('PlainToken');
    const payment = await paid({ token, lockTime: world.chain.now });
    const code = await world.chain.codeOf(token);
    await world.chain.setCode(token, '0x');
    expect(await refused(claim(to, payment))).toBe('TokenHasNoCode');
    expect(await refused(refund(to, payment))).toBe('TokenHasNoCode');
    await world.chain.setCode(token, code);
    await world.must(claim(to, payment));
  });

  describe('SC6: a token that', () => {
    let token: Address;
    beforeEach(async () => {
      token = await world.token('MoodyToken');
    });

    it.each<Manner>(['sound', 'returns nothing'])('%s serves as any other', async (manner) => {
      await world.behave(token, manner);
      const claimed = await paid({ token });
      const refunded = await paid({ token, lockTime: world.chain.now });
      const of = [SENDER, to, RECEIVER];
      expect(await world.changes({ coin: token, of }, () => world.must(claim(to, claimed)))).toEqual([
        0n,
        -1_000n,
        1_000n,
      ]);
      expect(await world.changes({ coin: token, of }, () => world.must(refund(to, refunded)))).toEqual([
        1_000n,
        -1_000n,
        0n,
      ]);
    });

    it.each<[Manner, string]>([
      ['returns false', 'TokenRefused'],
      ['returns two', 'TokenRefused'],
      ['returns one byte', 'TokenRefused'],
      ['reverts', 'TokenRefused'],
      ['reverts silently', 'TokenRefused'],
      ['reverts with true', 'TokenRefused'],
      ['moves nothing', 'TokenAmountDiffers'],
      ['takes a fee', 'TokenAmountDiffers'],
      ['adds a bonus', 'TokenAmountDiffers'],
    ])('%s pays nothing: %s', async (manner, error) => {
      await paid({ token, amount: 5_000n });
      await world.behave(token, manner);
      const payment = world.payment({ token });
      expect(await refused(pay(to, payment))).toBe(error);
      expect(await refused(pay(to, { ...payment, reward: { target: 3, onClaim: false, amount: 1n } }))).toBe(error);
      expect(await world.stateOf(payment)).toBe(UNUSED);
      expect(await world.balance(token, to)).toBe(5_000n);
    });

    it.each<Manner>([
      'returns false',
      'returns two',
      'returns one byte',
      'reverts',
      'reverts silently',
      'reverts with true',
    ])('SC5: %s ends nothing: claim and refund revert, and stay open', async (manner) => {
      const payments = [await paid({ token }), await paid({ token, lockTime: world.chain.now })];
      const [claimed, refunded] = payments as [Payment, Payment];
      await world.behave(token, manner);
      expect(await refused(claim(to, claimed))).toBe('TokenRefused');
      expect(await refused(refund(to, refunded))).toBe('TokenRefused');
      expect([await world.stateOf(claimed), await world.stateOf(refunded)]).toEqual([SENT, SENT]);
      await world.behave(token, 'sound');
      await world.must(claim(to, claimed));
      await world.must(refund(to, refunded));
      expect([await world.stateOf(claimed), await world.stateOf(refunded)]).toEqual([CLAIMED, REFUNDED]);
    });
  });

  describe('SC5: a token that calls its owner back', () => {
    let token: Address;
    let actor: Address;
    const prepare = (call: Call) => world.must({ from: STRANGER, to: actor, data: tool('prepare', [to, call.data]) });
    const succeeded = async () => BigInt(await world.chain.read(actor, tool('succeeded'))) === 1n;

    beforeEach(async () => {
      actor = await world.actor();
      token = await world.token('HookToken', { owners: [SENDER, actor] });
    });

    it('cannot pay twice with what it moves once', async () => {
      await world.must({ from: STRANGER, to: token, data: tool('withhold', [true]) });
      const inner = world.payment({ token, sender: actor, receiver: WATCHER });
      await prepare(pay(to, inner));
      const outer = world.payment({ token, sender: actor });
      expect(await refused(pay(to, outer))).toBe('TokenAmountDiffers');
      await world.must({ from: STRANGER, to: token, data: tool('withhold', [false]) });
      await prepare(pay(to, inner));
      await world.must(pay(to, outer));
      expect(await succeeded()).toBe(false);
      expect([await world.stateOf(outer), await world.stateOf(inner)]).toEqual([SENT, UNUSED]);
      expect(await world.balance(token, to)).toBe(1_000n);
    });

    it('cannot claim or refund what it has not paid yet', async () => {
      await paid({ token, amount: 9_000n });
      const own = world.payment({ token, sender: actor, receiver: actor, lockTime: world.chain.now });
      for (const call of [claim(to, own), refund(to, own)]) {
        await prepare(call);
        expect(await refused(pay(to, own))).toBe('TokenAmountDiffers');
        expect(await world.stateOf(own)).toBe(UNUSED);
        expect(await world.balance(token, to)).toBe(9_000n);
      }
    });

    it('cannot claim or refund a second time while it is paid', async () => {
      await paid({ token, amount: 9_000n });
      const claimed = await paid({ token, receiver: actor });
      const refunded = await paid({ token, sender: actor, lockTime: world.chain.now });
      for (const call of [claim(to, claimed), refund(to, refunded)]) {
        await prepare(call);
        const changes = await world.changes({ coin: token, of: [actor, to] }, () => world.must(call));
        expect(changes).toEqual([1_000n, -1_000n]);
        expect(await succeeded()).toBe(false);
      }
    });

    it('may claim another payment while it pays, which changes what arrives and undoes both', async () => {
      const open = await paid({ token, receiver: actor, amount: 40n });
      const payment = world.payment({ token, sender: actor });
      await prepare(claim(to, open));
      expect(await refused(pay(to, payment))).toBe('TokenAmountDiffers');
      expect([await world.stateOf(open), await world.stateOf(payment)]).toEqual([SENT, UNUSED]);
      await world.must(claim(to, open));
      await world.must(pay(to, payment));
    });
  });
});
