import type { PaymentTerms } from '../../../ports/chain.ts';
import type { DecimalText } from '../../../primitives/decimal.ts';
import { addSeconds, heightOf } from '../../../primitives/time.ts';
import {
  answerOf,
  type Check,
  expectEqual,
  expectFault,
  expectThat,
  FOR_SWAP,
  paymentSeenBy,
  preparedPayment,
  type Scene,
  sentPayment,
  termsOf,
} from './scene.ts';

/** Terms that differ from those of a payment in one thing each. */
function changedTerms(fixture: Scene, terms: PaymentTerms): Readonly<Record<string, PaymentTerms>> {
  return {
    amount: { ...terms, amount: '0.6' as DecimalText },
    'secret hash': { ...terms, secretHash: 'ee'.repeat(terms.secretHash.length / 2) },
    receiver: { ...terms, receiver: fixture.watcher.htlcKey(FOR_SWAP.swap) },
    sender: { ...terms, sender: fixture.watcher.htlcKey(FOR_SWAP.swap) },
    lock: { ...terms, lock: addSeconds(terms.lock, 86_400) },
  };
}

/** No chain has to be waited for longer than this, in blocks. */
const MOST_COUNTED = 20;

/** Payments under hash time locks. */
export const paymentCases: readonly Check[] = [
  {
    title: 'C4: finds a payment by its terms alone, first unconfirmed, and counts its confirmations',
    check: async (fixture) => {
      const { receiver, confirm } = fixture;
      const terms = termsOf(fixture);
      expectEqual((await paymentSeenBy(receiver, terms)).funding, null, 'the funding of a payment that was never made');
      const { tx_hex, tx_hash } = await sentPayment(fixture, terms, { confirmations: 0 });
      for (const confirmations of [0, 1, 2]) {
        const { funding, problem, spend, refundable } = await paymentSeenBy(receiver, terms);
        expectThat(funding !== null, 'the payment is found');
        expectEqual({ tx_hex, tx_hash }, { ...funding.tx }, 'the transaction of the funding');
        expectEqual(funding.confirmations, confirmations, 'the confirmations of the funding');
        expectEqual(
          [problem, spend, refundable],
          [null, null, false],
          'problem, spend and refundable of a valid payment',
        );
        await confirm(1);
      }
    },
  },
  {
    title: 'C4: finds a payment by a search that begins at its block, and counts on beyond finality',
    check: async (fixture) => {
      const { receiver, confirm } = fixture;
      const { finality } = receiver.traits;
      const terms = termsOf(fixture);
      await sentPayment(fixture, terms);
      const { height } = await paymentSeenBy(receiver, terms);
      // A policy may ask for more than the chain's own number.
      const deeper = Math.min(finality, MOST_COUNTED) + 2;
      await confirm(deeper);
      const { funding } = await answerOf(receiver.payment({ terms, from: heightOf(height) }));
      expectEqual(funding?.confirmations, deeper + 1, 'the confirmations of a payment, searched for from its block,');
    },
  },
  {
    title: 'C1: height and clock of a view rise with the blocks',
    check: async (fixture) => {
      const terms = termsOf(fixture);
      const before = await paymentSeenBy(fixture.receiver, terms);
      await fixture.confirm(3);
      const after = await paymentSeenBy(fixture.receiver, terms);
      expectEqual(after.height, before.height + 3, 'the height');
      expectThat(after.clock >= before.clock, 'the clock never goes back');
    },
  },
  {
    title: 'checks a transaction that the other side names against the terms, sent or not',
    check: async (fixture) => {
      const { receiver } = fixture;
      const terms = termsOf(fixture);
      const payment = await preparedPayment(fixture, terms);
      const named = await answerOf(receiver.payment({ terms, claimed: payment.tx_hex }));
      expectEqual([named.funding, named.problem], [null, null], 'funding and problem of a valid one that was not sent');
      for (const [what, changed] of Object.entries(changedTerms(fixture, terms))) {
        const { problem } = await answerOf(receiver.payment({ terms: changed, claimed: payment.tx_hex }));
        expectThat(what === 'lock' || problem !== null, `another ${what} is a problem`);
      }
      const garbage = await answerOf(receiver.payment({ terms, claimed: '00' }));
      expectThat(garbage.problem !== null, 'bytes that are not a transaction are a problem');
      expectEqual((await paymentSeenBy(receiver, terms)).problem, null, 'the problem when no transaction is named');
    },
  },
  {
    title: 'never shows a payment of another amount as valid because the other side names a good one',
    check: async (fixture) => {
      const terms = termsOf(fixture);
      await sentPayment(fixture, { ...terms, amount: '0.03' as DecimalText });
      const named = await fixture.sender.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }, FOR_SWAP);
      // Where the id of a payment leaves out the amount, nobody makes a second one under it.
      if (!named.ok) expectEqual(named.fault.kind, 'invalid', 'the fault of a second payment under one id');
      const claimed = named.ok ? { claimed: named.value.tx_hex } : {};
      const { funding, problem } = await answerOf(fixture.receiver.payment({ terms, ...claimed }));
      expectThat(funding === null || problem !== null, 'what is on the chain is judged, and not only what is named');
    },
  },
  {
    title: 'never shows a payment of other terms as valid',
    check: async (fixture) => {
      const terms = termsOf(fixture);
      await sentPayment(fixture, terms);
      for (const [what, changed] of Object.entries(changedTerms(fixture, terms))) {
        const { funding, problem } = await paymentSeenBy(fixture.receiver, changed);
        expectThat(funding === null || problem !== null, `a payment with another ${what} is not accepted for this one`);
      }
    },
  },
  {
    title: 'a payment whose lock ends too early is a problem',
    check: async (fixture) => {
      const terms = termsOf(fixture);
      const payment = await sentPayment(fixture, terms);
      const later = { ...terms, lock: addSeconds(terms.lock, 7800) };
      const { problem } = await answerOf(fixture.receiver.payment({ terms: later, claimed: payment.tx_hex }));
      expectThat(problem !== null, 'a lock of half the duration does not fulfil the terms');
    },
  },
  {
    title: 'does not let anyone pay in the name of another sender',
    check: async (fixture) => {
      const terms = termsOf(fixture);
      const request = { purpose: 'payment', terms, urgency: 0, replaces: null } as const;
      await expectFault(fixture.receiver.prepare(request, FOR_SWAP), 'invalid');
    },
  },
];
