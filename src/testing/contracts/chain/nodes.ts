import type { Answer, PaymentView, PreparedTransaction } from '../../../ports/chain.ts';
import { heightOf } from '../../../primitives/time.ts';
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
  preparedPayment,
  type Scene,
  sentPayment,
  termsOf,
} from './scene.ts';

// What nodes do that no simulated chain does of its own accord: they take their time, fall silent, forget, replace nothing, and have
// histories that nobody has read. A fixture without the power for it lets its case pass.

function askedFee({ sender }: Scene, urgency = 0) {
  const feeSat = sender.traits.minTxAmount * 20n;
  return sender.prepare({ purpose: 'fee', feeSat, burnSat: 0n, urgency, replaces: null }, FOR_SWAP);
}

/** Blocks that a new process has read, and how many more there are above a payment that it has not. */
const READ = 2;

/** Whether this chain keeps payments in outputs, which nothing can take before they are there. */
function hasOutputs({ sender }: Scene): boolean {
  return sender.traits.contract === null && sender.traits.refund === 'transaction';
}

/** How the wallet answers while its node is silent. */
async function expectUnavailable(fixture: Scene, { asked, sent }: Record<'asked' | 'sent', PreparedTransaction>) {
  const { sender } = fixture;
  const terms = termsOf(fixture);
  const payer = sender.htlcKey(FOR_SWAP.swap);
  const check = { tx: asked.tx_hex, hash: asked.tx_hash, payer, feeSat: null, burnSat: 0n, minHeight: 0 };
  const questions: Readonly<Record<string, () => unknown>> = {
    'quote()': () => sender.quote(),
    'payment()': () => sender.payment({ terms }),
    'transaction()': () => sender.transaction(sent.tx_hash),
    'checkFee()': () => sender.checkFee(check, FOR_SWAP),
    'broadcast()': () => sender.broadcast(asked),
  };
  for (const [name, ask] of Object.entries(questions)) {
    const answer = (await ask()) as Answer<unknown>;
    const found = answer.ok ? JSON.stringify(answer.value) : answer.fault.kind;
    expectThat(
      !answer.ok && answer.fault.kind === 'unavailable',
      `${name} of a node that does not answer returns ${found}`,
    );
  }
}

/** What a view tells of a payment, without members that an adapter adds of its own and without the time of the look. */
function toldOf({ funding, spend, problem, refundable }: PaymentView): unknown {
  return [funding?.tx.tx_hash ?? null, funding?.confirmations ?? 0, spend?.how ?? null, problem, refundable];
}

/** The receiver's wallet while too few answer it: what its answers hold, and what it makes and sends all the same. */
async function checkDoubt(fixture: Scene, end: () => unknown): Promise<void> {
  const { sender, receiver, secret, confirm } = fixture;
  const terms = termsOf(fixture);
  const funding = await sentPayment(fixture, terms);
  const view = await paymentSeenBy(sender, terms);
  const answer = await receiver.payment({ terms });
  expectThat(!answer.ok && answer.fault.kind === 'unavailable', 'too few answers about a payment are no answer');
  const seen = answer.fault.doubtful;
  expectEqual(seen ? toldOf(seen) : null, toldOf(view), 'the payment in the fault');
  const request = { purpose: 'claim', terms, funding, secret, urgency: 0, replaces: null } as const;
  await expectFault(receiver.quote(), 'unavailable');
  await expectFault(receiver.transaction(funding.tx_hash), 'unavailable');
  await expectFault(receiver.prepare(request, FOR_SWAP), 'unavailable');
  const feeSat = receiver.traits.minTxAmount * 20n;
  const fee = { purpose: 'fee', feeSat, burnSat: 0n, urgency: 0, replaces: null } as const;
  await expectFault(receiver.prepare(fee, FOR_SWAP), 'unavailable');
  const claim = await answerOf(receiver.prepare({ ...request, doubtful: true }, FOR_SWAP));
  await expectFault(receiver.broadcast(claim), 'unavailable');
  await answerOf(receiver.broadcast(claim, { doubtful: true }));
  await confirm(1);
  await end();
  const { spend } = await paymentSeenBy(receiver, terms);
  expectEqual([spend?.how, spend?.secret], ['secret', secret], 'the claim that was sent while too few answered');
}

export const nodeCases: readonly Check[] = [
  {
    title: 'reports, prepares and sends nothing that needs more answers while too few nodes answer',
    check: async (fixture) => {
      const end = await fixture.doubt?.();
      if (end !== undefined) await checkDoubt(fixture, end);
    },
  },
  {
    title: 'answers all simultaneous questions, and two transactions prepared meanwhile reserve different things',
    check: async (fixture) => {
      const { sender, receiver, slow } = fixture;
      const terms = termsOf(fixture);
      const quick = await slow?.();
      const [quote, view, unknown, ...made] = await Promise.all([
        answerOf(sender.quote()),
        paymentSeenBy(sender, terms),
        answerOf(sender.transaction('ab'.repeat(32))),
        answerOf(askedFee(fixture)),
        preparedPayment(fixture, terms),
        answerOf(askedFee(fixture)),
      ]);
      await quick?.();
      expectEqual(view.height, quote.height, 'the height of a view that was requested beside a quote');
      expectEqual(unknown.status, 'unknown', 'the status of a transaction that was never sent');
      const [first, payment, second] = made;
      const apart = !areRivals(first, payment) && !areRivals(first, second) && !areRivals(payment, second);
      expectThat(apart, 'transactions prepared at the same time reserve different things');
      for (const each of made)
        expectEqual(await answerOf(sender.broadcast(each)), 'sent', 'the answer to each of them');
      await fixture.confirm(1);
      expectEqual((await paymentSeenBy(receiver, terms)).funding?.confirmations, 1, 'the confirmations of the payment');
    },
  },
  {
    title: 'releases a transaction that is requested beside its own release, whenever its answer arrives',
    check: async (fixture) => {
      const { sender, slow } = fixture;
      const before = (await answerOf(sender.quote())).spendable;
      const quick = await slow?.();
      const late = answerOf(askedFee(fixture));
      // Nobody waits for it any more.
      await late.then((made) => sender.release([made]));
      await quick?.();
      expectEqual(
        (await answerOf(sender.quote())).spendable,
        before,
        'the spendable amount after a late answer was released',
      );
    },
  },
  {
    title: 'C1: reports a node that does not answer as unavailable, and continues as before when it answers again',
    check: async (fixture) => {
      const { sender, receiver, silence, confirm } = fixture;
      if (silence === undefined) return;
      const terms = termsOf(fixture);
      const sent = await sentPayment(fixture, terms);
      const asked = await answerOf(askedFee(fixture));
      const speak = await silence();
      try {
        await expectUnavailable(fixture, { asked, sent });
      } finally {
        await speak();
      }
      await confirm(1);
      for (const chain of [sender, receiver]) {
        expectEqual((await paymentSeenBy(chain, terms)).funding?.confirmations, 2, 'the confirmations afterwards');
      }
      expectEqual(await answerOf(sender.broadcast(asked)), 'sent', 'the answer to what was not heard before');
    },
  },
  {
    title: 'C1: a new process that has read only the last blocks answers unknown, and never that nothing exists',
    check: async (fixture) => {
      const { receiver, shallowReceiver, confirm } = fixture;
      if (shallowReceiver === undefined) return;
      const { height } = await answerOf(receiver.quote());
      const terms = termsOf(fixture);
      const funding = await sentPayment(fixture, terms, { confirmations: READ + 1 });
      await answerOf(receiver.broadcast(await preparedClaim(fixture, { terms, funding })));
      await confirm(1);
      const whole = await paymentSeenBy(receiver, terms);
      for (const query of [{ terms }, { terms, from: heightOf(height) }]) {
        const answer = await (await shallowReceiver(READ)).payment(query);
        if (!answer.ok) expectEqual(answer.fault.kind, 'unknown', 'the fault for an unread history');
        else expectEqual(answer.value, whole, 'the view of a payment in an unread block');
      }
      const shallow = await shallowReceiver(READ);
      const standing = await shallow.transaction(funding.tx_hash);
      if (!standing.ok) expectEqual(standing.fault.kind, 'unknown', 'the fault for an unread history');
      else expectEqual(standing.value.confirmations, READ + 2, 'the confirmations of a transaction in an unread block');
      const other = { ...terms, secretHash: 'ee'.repeat(terms.secretHash.length / 2) };
      const { funding: none } = await answerOf(shallow.payment({ terms: other, from: heightOf(whole.height) }));
      expectEqual(none, null, 'the funding of a payment that can only be in blocks that were read');
    },
  },
  {
    title: 'reports a replacement that the node refuses as noReplacement, and changes nothing',
    check: async (fixture) => {
      const { sender, receiver, replaces, confirm } = fixture;
      const terms = termsOf(fixture);
      const funding = await sentPayment(fixture, terms);
      const first = await preparedClaim(fixture, { terms, funding });
      const second = await preparedClaim(fixture, { terms, funding, urgency: 3, replaces: first });
      await answerOf(receiver.broadcast(first));
      const answer = await receiver.broadcast(second);
      if (replaces !== undefined) expectEqual(answer.ok, replaces, 'whether the node replaces transactions');
      if (!answer.ok) {
        expectEqual(answer.fault.kind, 'noReplacement', 'the fault of a refused replacement');
        const { status } = await answerOf(receiver.transaction(second.tx_hash));
        expectEqual(status, 'unknown', 'the status of the refused one while nothing is settled');
      }
      const [stays, leaves] = answer.ok ? [second, first] : [first, second];
      expectEqual((await paymentSeenBy(sender, terms)).spend?.tx?.tx_hash, stays.tx_hash, 'the pending spend');
      await confirm(1);
      expectEqual(
        (await answerOf(receiver.transaction(leaves.tx_hash))).status,
        'conflicted',
        'the status of the other one',
      );
      await expectFault(receiver.broadcast(leaves), 'inputsSpent', 'nonceUsed');
    },
  },
  {
    title: 'a transaction that a node forgot in a restart is missing, stays reserved, and can be sent again',
    check: async (fixture) => {
      const { sender, receiver, restartNode, confirm } = fixture;
      if (restartNode === undefined) return;
      const terms = termsOf(fixture);
      const payment = await sentPayment(fixture, terms, { confirmations: 0 });
      const claim = hasOutputs(fixture) ? await preparedClaim(fixture, { terms, funding: payment }) : null;
      await restartNode();
      const { status } = await answerOf(sender.transaction(payment.tx_hash));
      expectThat(status === 'unknown' || status === 'mempool', `the forgotten transaction is reported as ${status}`);
      // An adapter may have sent it again by itself.
      const funding = status === 'unknown' ? null : payment.tx_hash;
      expectEqual((await paymentSeenBy(receiver, terms)).funding?.tx.tx_hash ?? null, funding, 'the funding');
      if (claim !== null && funding === null) await expectFault(receiver.broadcast(claim), 'parentsUnknown');
      const other = await answerOf(askedFee(fixture));
      expectThat(!areRivals(other, payment), 'no other transaction reserves what it spends');
      const again = await answerOf(sender.broadcast(payment));
      expectEqual(again, funding === null ? 'sent' : 'known', 'the answer to the second broadcast');
      if (claim !== null) await answerOf(receiver.broadcast(claim));
      await confirm(1);
      const { funding: found, spend } = await paymentSeenBy(receiver, terms);
      expectEqual(found?.confirmations, 1, 'the confirmations after the second broadcast');
      expectEqual(spend?.confirmations ?? null, claim === null ? null : 1, 'the confirmations of its claim');
    },
  },
];
