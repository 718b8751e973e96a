import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractSwapId, encodeSwapCall, NO_TOKEN } from '../../../../../src/htlc/evm-calls.ts';
import { ANVIL } from '../../../../support/evm/anvil.ts';
import type { Call } from '../../../../support/evm/chain.ts';
import { ContractWorld, RECEIVER, SENDER, STRANGER, tool, WATCHER } from '../../../../support/evm/contract-world.ts';
import {
  claim,
  ETHER,
  type Payment,
  pay,
  paymentHash,
  refund,
  secretHash,
} from '../../../../support/evm/swap-contract.ts';
import { describeWith } from '../../../../support/optional-part.ts';

const [UNUSED, SENT, CLAIMED, REFUNDED] = [0, 1, 2, 3];

describeWith(ANVIL, 'the swap contract, with ether', () => {
  let world: ContractWorld;
  let to: Payment['token'];
  const paid = async (given: Partial<Payment> = {}) => {
    const payment = world.payment(given);
    await world.must(pay(to, payment));
    return payment;
  };
  const refused = async (call: Call, at?: number) => (await world.send(call, at)).error;

  beforeAll(async () => {
    world = await ContractWorld.open();
    to = world.contract;
  });
  afterAll(() => world?.stop());

  describe('a payment', () => {
    it('is stored with the hash of its terms, takes its value and emits its id', async () => {
      const payment = world.payment();
      expect(await world.stored(payment.id)).toEqual({ hash: `0x${'00'.repeat(20)}`, lockTime: 0n, state: UNUSED });
      let logs: unknown;
      const changes = await world.changes({ coin: ETHER, of: [SENDER, to, RECEIVER] }, async () => {
        logs = (await world.must(pay(to, payment))).logs.map(({ address, topics, data }) => [address, topics, data]);
      });
      expect(changes).toEqual([-1_000n, 1_000n, 0n]);
      expect(logs).toEqual([[to, ['0xccc9c05183599bd3135da606eaaf535daffe256e9de33c048014cffcccd4ad57'], payment.id]]);
      const lockTime = BigInt(payment.lockTime);
      expect(await world.stored(payment.id)).toEqual({ hash: paymentHash(payment), lockTime, state: SENT });
    });

    it('SC1: is refused if its id has a payment, open, claimed or refunded', async () => {
      const payment = await paid({ lockTime: world.chain.now });
      const other = world.payment({ id: payment.id, sender: STRANGER });
      expect(await refused(pay(to, other))).toBe('IdAlreadyUsed');
      await world.must(claim(to, payment));
      expect(await refused(pay(to, payment))).toBe('IdAlreadyUsed');
      const second = await paid({ lockTime: world.chain.now });
      await world.must(refund(to, second));
      expect(await refused(pay(to, second))).toBe('IdAlreadyUsed');
      expect(await world.stateOf(second)).toBe(REFUNDED);
    });

    it('is refused without a value, and to a receiver that cannot claim', async () => {
      expect(await refused(pay(to, world.payment({ amount: 0n })))).toBe('NothingPaid');
      expect(await refused(pay(to, world.payment({ receiver: ETHER })))).toBe('ReceiverCannotClaim');
      expect(await refused(pay(to, world.payment({ receiver: to })))).toBe('ReceiverCannotClaim');
    });

    it('SC2: keeps the longest lock time that there is, and refuses one that does not fit', async () => {
      const payment = world.payment({ lockTime: 0 });
      const data = pay(to, payment).data ?? '0x';
      const until = (hex: string) => `${data.slice(0, -hex.length)}${hex}` as const;
      expect(
        (await world.send({ from: SENDER, to, value: 1_000n, data: `0x${until(`1${'0'.repeat(16)}`).slice(2)}` })).done,
      ).toBe(false);
      await world.must({ from: SENDER, to, value: 1_000n, data: `0x${until('f'.repeat(16)).slice(2)}` });
      expect((await world.stored(payment.id)).lockTime).toBe(2n ** 64n - 1n);
      expect(await refused(refund(to, payment))).toBe(`LockedUntil(${2n ** 64n - 1n})`);
    });
  });

  it('ether that comes without a call, or with an unknown call, is refused', async () => {
    expect((await world.send({ from: SENDER, to, value: 1n })).done).toBe(false);
    expect((await world.send({ from: SENDER, to, value: 1n, data: '0x12345678' })).done).toBe(false);
    const payment = await paid();
    expect((await world.send({ ...claim(to, payment), value: 1n })).done).toBe(false);
  });

  it('accepts the calls that the package writes', async () => {
    const bare = (hex: string) => hex.slice(2);
    const made = world.payment({ lockTime: world.chain.now });
    const hash = secretHash(made.secret);
    const id = contractSwapId(made.lockTime, Buffer.from(bare(hash), 'hex'));
    const terms = { swapId: id, amount: made.amount, token: NO_TOKEN };
    const data = (call: Parameters<typeof encodeSwapCall>[0]) => `0x${encodeSwapCall(call)}` as const;
    const [sender, receiver] = [{ party: bare(SENDER) }, { party: bare(RECEIVER) }];
    const hashed = { secretHash: bare(hash), lockTime: BigInt(made.lockTime) };
    const payment = data({ kind: 'payment', ...terms, ...receiver, ...hashed });
    await world.must({ from: SENDER, to, value: made.amount, data: payment });
    expect((await world.stored(`0x${id}`)).hash).toBe(paymentHash(made));
    const mistaken = data({ kind: 'refund', ...terms, ...sender, secretHash: bare(hash) });
    expect(await refused({ from: SENDER, to, data: mistaken })).toBe('TermsDiffer');
    await world.must({
      from: RECEIVER,
      to,
      data: data({ kind: 'claim', ...terms, ...sender, secret: bare(made.secret) }),
    });
    await world.must({ from: SENDER, to, value: 7n, data: payment.replace(id, bare(made.id)) as `0x${string}` });
    const back = { ...terms, ...receiver, swapId: bare(made.id), amount: 7n };
    await world.must({ from: SENDER, to, data: data({ kind: 'refund', ...back, secretHash: bare(hash) }) });
    expect(await world.stateOf(made)).toBe(REFUNDED);
  });

  describe('a claim', () => {
    it('pays the receiver, shows the secret and ends the payment', async () => {
      const payment = await paid();
      let logs: unknown;
      const changes = await world.changes({ coin: ETHER, of: [SENDER, to, RECEIVER] }, async () => {
        logs = (await world.must(claim(to, payment))).logs.map(({ topics, data }) => [topics, data]);
      });
      expect(changes).toEqual([0n, -1_000n, 1_000n]);
      const topic = '0x36c177bcb01c6d568244f05261e2946c8c977fa50822f3fa098c470770ee1f3e';
      expect(logs).toEqual([[[topic], `${payment.id}${payment.secret.slice(2)}`]]);
      expect(await world.stored(payment.id)).toEqual({
        ...{ hash: paymentHash(payment), lockTime: BigInt(payment.lockTime), state: CLAIMED },
      });
    });

    it('SC1: is refused before the payment, and once it was claimed or refunded', async () => {
      await paid();
      const payment = world.payment({ lockTime: world.chain.now });
      expect(await refused(claim(to, payment))).toBe('PaymentNotOpen');
      await world.must(pay(to, payment));
      await world.must(claim(to, payment));
      expect(await refused(claim(to, payment))).toBe('PaymentNotOpen');
      expect(await refused(refund(to, payment))).toBe('PaymentNotOpen');
      const second = await paid({ lockTime: world.chain.now });
      await world.must(refund(to, second));
      expect(await refused(claim(to, second))).toBe('PaymentNotOpen');
      expect(await refused(refund(to, second))).toBe('PaymentNotOpen');
    });

    it('SC1, SC4: is refused to everybody but the receiver, and with any other term', async () => {
      const payment = await paid();
      for (const from of [SENDER, WATCHER, STRANGER]) {
        expect(await refused(claim(to, payment, from)), from).toBe('TermsDiffer');
      }
      const token = await world.token('PlainToken');
      const others: Partial<Payment>[] = [
        { amount: 999n },
        { amount: 1_001n },
        { sender: RECEIVER },
        { token },
        { secret: `0x${'00'.repeat(32)}` },
      ];
      for (const other of others) {
        expect(await refused(claim(to, { ...payment, ...other }, RECEIVER))).toBe('TermsDiffer');
      }
      expect(await world.stateOf(payment)).toBe(SENT);
    });

    it('SC2: is valid long after the lock time, while the payment was not refunded', async () => {
      const payment = await paid({ lockTime: world.chain.now + 2 });
      await world.must(claim(to, payment), payment.lockTime + 1_000);
      expect(await world.stateOf(payment)).toBe(CLAIMED);
    });
  });

  describe('a refund', () => {
    it('SC2: is refused in a block one second before the lock time and done in one at the lock time', async () => {
      const payment = await paid({ lockTime: world.chain.now + 100 });
      const { lockTime } = payment;
      expect(await refused(refund(to, payment), lockTime - 1)).toBe(`LockedUntil(${lockTime})`);
      let logs: unknown;
      const changes = await world.changes({ coin: ETHER, of: [SENDER, to, RECEIVER] }, async () => {
        logs = (await world.must(refund(to, payment), lockTime)).logs.map(({ topics, data }) => [topics, data]);
      });
      expect(changes).toEqual([1_000n, -1_000n, 0n]);
      const topic = '0x1797d500133f8e427eb9da9523aa4a25cb40f50ebc7dbda3c7c81778973f35ba';
      expect(logs).toEqual([[[topic], payment.id]]);
      expect(await world.stateOf(payment)).toBe(REFUNDED);
    });

    it('SC1, SC4: is refused to everybody but the sender, and with any other term', async () => {
      const payment = await paid({ lockTime: world.chain.now });
      for (const from of [RECEIVER, WATCHER, STRANGER]) {
        expect(await refused(refund(to, payment, from)), from).toBe('TermsDiffer');
      }
      const others: Partial<Payment>[] = [
        ...[{ amount: 999n }, { amount: 1_001n }, { receiver: SENDER }, { token: STRANGER }],
        ...[{ secret: world.payment().secret }],
      ];
      for (const other of others) {
        expect(await refused(refund(to, { ...payment, ...other }))).toBe('TermsDiffer');
      }
      expect(await world.stateOf(payment)).toBe(SENT);
    });

    it('SC1: in the block of a claim has no effect, whichever comes first', async () => {
      const payments = [await paid({ lockTime: world.chain.now }), await paid({ lockTime: world.chain.now })];
      const [first, second] = payments as [Payment, Payment];
      const one = await world.chain.sendAll([claim(to, first), refund(to, first)]);
      expect(one.map(({ error }) => error)).toEqual([undefined, 'PaymentNotOpen']);
      const two = await world.chain.sendAll([refund(to, second), claim(to, second)]);
      expect(two.map(({ error }) => error)).toEqual([undefined, 'PaymentNotOpen']);
    });
  });

  describe('an account with code', () => {
    it('SC4: is itself the caller, not the origin of the transaction', async () => {
      const actor = await world.actor();
      const token = await world.token('PlainToken', { owners: [STRANGER, actor] });
      const through = ({ data, value = 0n }: Call): Call => ({
        ...{ from: STRANGER, to: actor, value, data: tool('run', [to, value, data]) },
      });
      const strangers = await paid({ sender: STRANGER, receiver: STRANGER, lockTime: world.chain.now });
      expect(await refused(through(claim(to, strangers)))).toBe('TermsDiffer');
      expect(await refused(through(refund(to, strangers)))).toBe('TermsDiffer');
      const reward = { target: 3, onClaim: false, amount: 1n };
      for (const given of [{}, { token }, { reward }, { token, reward }]) {
        const own = { ...given, sender: actor, lockTime: world.chain.now };
        const [claimed, refunded] = [world.payment({ ...own, receiver: actor }), world.payment(own)];
        for (const one of [claimed, refunded]) {
          await world.must(through(pay(to, one)));
          expect((await world.stored(one.id)).hash).toBe(paymentHash(one));
        }
        await world.must(through(claim(to, claimed)));
        await world.must(through(refund(to, refunded)));
      }
      expect(await world.balance(token, STRANGER)).toBe(1_000_000n);
      expect(await world.balance(token, actor)).toBe(1_000_000n);
    });

    it('SC5: that refuses ether makes its claim revert, which stays open until it accepts it', async () => {
      const actor = await world.actor();
      const payment = await paid({ receiver: actor });
      await world.must({ from: STRANGER, to: actor, data: tool('refuse', [true]) });
      expect(await refused(claim(to, payment))).toBe('EtherRefused');
      expect(await world.stateOf(payment)).toBe(SENT);
      await world.must({ from: STRANGER, to: actor, data: tool('refuse', [false]) });
      const changes = await world.changes({ coin: ETHER, of: [actor, to] }, () => world.must(claim(to, payment)));
      expect(changes).toEqual([1_000n, -1_000n]);
    });

    it('SC5: that refuses ether makes its refund revert, which stays open until it accepts it', async () => {
      const actor = await world.actor();
      const payment = await paid({ sender: actor, lockTime: world.chain.now });
      await world.must({ from: STRANGER, to: actor, data: tool('refuse', [true]) });
      expect(await refused(refund(to, payment))).toBe('EtherRefused');
      await world.must({ from: STRANGER, to: actor, data: tool('refuse', [false]) });
      await world.must(refund(to, payment));
      expect(await world.stateOf(payment)).toBe(REFUNDED);
    });

    it('SC5: that claims, refunds or pays again while it is paid gets nothing more', async () => {
      const actor = await world.actor();
      const reserve = await paid({ amount: 50_000n });
      const claimed = await paid({ receiver: actor });
      const refunded = await paid({ sender: actor, lockTime: world.chain.now });
      for (const [call, again] of [
        [claim(to, claimed), claim(to, claimed).data],
        [refund(to, refunded), refund(to, refunded).data],
      ] as const) {
        await world.must({ from: STRANGER, to: actor, data: tool('prepare', [to, again]) });
        const changes = await world.changes({ coin: ETHER, of: [actor, to] }, () => world.must(call));
        expect(changes).toEqual([1_000n, -1_000n]);
        expect(BigInt(await world.chain.read(actor, tool('succeeded')))).toBe(0n);
      }
      expect(BigInt(await world.chain.read(actor, tool('calls')))).toBe(2n);
      expect(await world.stateOf(reserve)).toBe(SENT);
    });

    it('SC5: may claim another payment of its own while it is paid', async () => {
      const actor = await world.actor();
      const payments = [await paid({ receiver: actor }), await paid({ receiver: actor, amount: 70n })];
      const [first, second] = payments as [Payment, Payment];
      await world.must({ from: STRANGER, to: actor, data: tool('prepare', [to, claim(to, second).data]) });
      const changes = await world.changes({ coin: ETHER, of: [actor, to] }, () => world.must(claim(to, first)));
      expect(changes).toEqual([1_070n, -1_070n]);
      expect([await world.stateOf(first), await world.stateOf(second)]).toEqual([CLAIMED, CLAIMED]);
    });
  });
});
