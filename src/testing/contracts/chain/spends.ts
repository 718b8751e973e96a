import type { PreparedTransaction } from '../../../ports/chain.ts';
import { addSeconds } from '../../../primitives/time.ts';
import {
  answerOf,
  areRivals,
  type Check,
  expectEqual,
  expectFault,
  expectThat,
  FOR_SWAP,
  paymentSeenBy,
  preparedClaim,
  preparedRefund,
  type Scene,
  sentPayment,
  termsOf,
} from './scene.ts';

/** Whether a transaction had no effect: it was refused, or included and reverted. */
async function hadNoEffect({ sender, confirm }: Scene, transaction: PreparedTransaction): Promise<boolean> {
  const answer = await sender.broadcast(transaction);
  await confirm(1);
  const { status } = await answerOf(sender.transaction(transaction.tx_hash));
  return answer.ok ? status === 'reverted' : status !== 'confirmed';
}

/** Claims and refunds. */
export const spendCases: readonly Check[] = [
  {
    title: 'sees a claim by the terms of its payment, with the secret, and counts its confirmations',
    check: async (fixture) => {
      const { sender, receiver, confirm } = fixture;
      const terms = termsOf(fixture);
      const funding = await sentPayment(fixture, terms);
      const claim = await preparedClaim(fixture, { terms, funding });
      await answerOf(receiver.broadcast(claim));
      for (const confirmations of [0, 1, 2]) {
        const { spend } = await paymentSeenBy(sender, terms);
        const tx = { tx_hex: claim.tx_hex, tx_hash: claim.tx_hash };
        expectEqual(spend, { how: 'secret', tx, confirmations, secret: fixture.secret }, 'the spend');
        await confirm(1);
      }
    },
  },
  {
    title: 'lets a wrong secret claim nothing',
    check: async (fixture) => {
      const { sender, receiver } = fixture;
      const terms = termsOf(fixture);
      const funding = await sentPayment(fixture, terms);
      const request = { purpose: 'claim', terms, funding, urgency: 0, replaces: null } as const;
      const answer = await receiver.prepare({ ...request, secret: fixture.wrongSecret }, FOR_SWAP);
      if (answer.ok) expectThat(await hadNoEffect(fixture, answer.value), 'a claim with a wrong secret has no effect');
      expectEqual((await paymentSeenBy(sender, terms)).spend, null, 'the spend after a wrong secret');
      await expectFault(receiver.prepare({ ...request, secret: 'ab' }, FOR_SWAP), 'invalid');
    },
  },
  {
    title: 'lets nobody else sign a claim or a refund',
    check: async (fixture) => {
      const { sender, watcher } = fixture;
      const terms = termsOf(fixture);
      const funding = await sentPayment(fixture, terms);
      const common = { terms, funding, urgency: 0, replaces: null } as const;
      await expectFault(watcher.prepare({ purpose: 'claim', secret: fixture.secret, ...common }, FOR_SWAP), 'invalid');
      await expectFault(sender.prepare({ purpose: 'claim', secret: fixture.secret, ...common }, FOR_SWAP), 'invalid');
      await expectFault(watcher.prepare({ purpose: 'refund', ...common }, FOR_SWAP), 'invalid', 'unsupported');
    },
  },
  {
    title: "a refund has no effect before the lock by the chain's clock, and works after it",
    check: async (fixture) => {
      const { sender, receiver, confirm, passTime } = fixture;
      const terms = termsOf(fixture);
      const funding = await sentPayment(fixture, terms);
      const request = { purpose: 'refund', terms, funding, urgency: 0, replaces: null } as const;
      if (sender.traits.refund === 'automatic') {
        await expectFault(sender.prepare(request, FOR_SWAP), 'unsupported');
        return;
      }
      const early = await preparedRefund(fixture, { terms, funding });
      expectThat(await hadNoEffect(fixture, early), 'a refund before the lock has no effect');
      expectEqual((await paymentSeenBy(receiver, terms)).spend, null, 'the spend before the lock');
      await passTime(terms.lock);
      expectThat((await paymentSeenBy(sender, terms)).refundable, 'the payment is refundable after the lock');
      const refund = await preparedRefund(fixture, { terms, funding, urgency: 1, replaces: early });
      await answerOf(sender.broadcast(refund));
      await confirm(1);
      const { spend } = await paymentSeenBy(receiver, terms);
      expectEqual([spend?.how, spend?.confirmations, spend?.secret], ['refund', 1, null], 'the refund');
      expectEqual(spend?.tx?.tx_hash, refund.tx_hash, 'the id of the refund');
    },
  },
  {
    title: 'a view calls a refund possible no sooner than the chain accepts it',
    check: async (fixture) => {
      const { sender, confirm, passTime } = fixture;
      if (sender.traits.refund === 'automatic') return;
      const terms = termsOf(fixture);
      const funding = await sentPayment(fixture, terms);
      const refund = await preparedRefund(fixture, { terms, funding });
      for (const before of [600, 60, 1, 0]) {
        await passTime(addSeconds(terms.lock, -before));
        const { refundable, clock } = await paymentSeenBy(sender, terms);
        if (!refundable) continue;
        const sent = await sender.broadcast(refund);
        const told = `a refund is called possible at ${clock}`;
        expectThat(sent.ok || sent.fault.kind !== 'notFinal', `${told}, and the chain refuses it as notFinal`);
        await confirm(1);
        const { status } = await answerOf(sender.transaction(refund.tx_hash));
        expectThat(status !== 'reverted', `${told}, and it is reverted`);
        return;
      }
    },
  },
  {
    title: 'coins return automatically, without a transaction, if the chain refunds',
    check: async (fixture) => {
      const { sender, passTime } = fixture;
      if (sender.traits.refund !== 'automatic') return;
      const terms = termsOf(fixture);
      await sentPayment(fixture, terms);
      await passTime(terms.lock);
      await fixture.confirm(20);
      const { spend, refundable } = await paymentSeenBy(sender, terms);
      expectEqual([spend?.how, spend?.tx, refundable], ['refund', null, true], 'the refund by the chain');
      expectThat((spend?.confirmations ?? 0) > 0, 'the refund counts confirmations');
    },
  },
  {
    title: 'a claim stays possible after the lock as long as nobody refunded',
    check: async (fixture) => {
      if (fixture.sender.traits.refund === 'automatic') return;
      const terms = termsOf(fixture);
      const funding = await sentPayment(fixture, terms);
      await fixture.passTime(terms.lock);
      await answerOf(fixture.receiver.broadcast(await preparedClaim(fixture, { terms, funding })));
      await fixture.confirm(1);
      expectEqual((await paymentSeenBy(fixture.sender, terms)).spend?.how, 'secret', 'the spend');
    },
  },
  {
    title: 'a more urgent claim pays a higher fee and replaces the earlier one; at most one confirms',
    check: async (fixture) => {
      const { receiver, sender, confirm } = fixture;
      const terms = termsOf(fixture);
      const funding = await sentPayment(fixture, terms);
      const first = await preparedClaim(fixture, { terms, funding });
      const second = await preparedClaim(fixture, { terms, funding, urgency: 2, replaces: first });
      expectThat(
        Number(second.fee) > Number(first.fee) && areRivals(first, second),
        'the second one pays a higher fee than the first',
      );
      await answerOf(receiver.broadcast(first));
      const answer = await receiver.broadcast(second);
      await confirm(1);
      const { spend } = await paymentSeenBy(sender, terms);
      expectEqual(spend?.tx?.tx_hash, (answer.ok ? second : first).tx_hash, 'the claim that confirmed');
      await expectFault(receiver.broadcast(answer.ok ? first : second), 'inputsSpent', 'nonceUsed');
    },
  },
  {
    title: 'refunds no payment that was claimed',
    check: async (fixture) => {
      const { sender, receiver, confirm, passTime } = fixture;
      if (sender.traits.refund === 'automatic') return;
      const terms = termsOf(fixture);
      const funding = await sentPayment(fixture, terms);
      await answerOf(receiver.broadcast(await preparedClaim(fixture, { terms, funding })));
      await confirm(1);
      await passTime(terms.lock);
      const refund = await preparedRefund(fixture, { terms, funding });
      expectThat(await hadNoEffect(fixture, refund), 'a refund of a claimed payment has no effect');
      expectEqual((await paymentSeenBy(sender, terms)).spend?.how, 'secret', 'the spend');
    },
  },
];
