import type { PreparedTransaction, PrepareRequest } from '../../../ports/chain.ts';
import {
  answerOf,
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

// Children of what waits: a block that wants the child takes its parent too. A chain whose miners look at each by itself makes none.

function childOf(parent: PreparedTransaction, replaces: PreparedTransaction | null = null): PrepareRequest {
  const { tx_hex, tx_hash } = parent;
  return { purpose: 'child', parent: { tx_hex, tx_hash }, urgency: 4, replaces };
}

/** A claim that waits for a block. */
async function waitingClaim(fixture: Scene): Promise<PreparedTransaction> {
  const terms = termsOf(fixture);
  const funding = await sentPayment(fixture, terms);
  const claim = await preparedClaim(fixture, { terms, funding });
  await answerOf(fixture.receiver.broadcast(claim));
  return claim;
}

function expectSpends(child: PreparedTransaction, parent: PreparedTransaction): void {
  const ofParent = child.spends.every((spent) => spent.startsWith(`${parent.tx_hash}:`));
  expectThat(ofParent && child.spends.length === 1, 'a child spends one output of its parent, and nothing else');
}

/** Children. */
export const childCases: readonly Check[] = [
  {
    title: 'builds a child of a pending claim that spends an output of the claim, and confirms with it',
    check: async (fixture) => {
      const { receiver, sender, confirm } = fixture;
      const claim = await waitingClaim(fixture);
      if (receiver.traits.children !== true) {
        await expectFault(receiver.prepare(childOf(claim), FOR_SWAP), 'unsupported');
        return;
      }
      await expectFault(sender.prepare(childOf(claim), FOR_SWAP), 'unsupported', 'parentsUnknown');
      const child = await answerOf(receiver.prepare(childOf(claim), FOR_SWAP));
      expectSpends(child, claim);
      expectEqual(await answerOf(receiver.broadcast(child)), 'sent', 'the answer to the broadcast of a child');
      expectEqual(await answerOf(receiver.broadcast(child)), 'known', 'the answer to its second broadcast');
      await confirm(1);
      for (const { tx_hash } of [claim, child])
        expectEqual((await answerOf(receiver.transaction(tx_hash))).status, 'confirmed', 'a claim and its child');
      await expectFault(receiver.prepare(childOf(claim), FOR_SWAP), 'inputsSpent');
    },
  },
  {
    title: 'accepts a child that a node forgot together with its parent, after the parent and not before',
    check: async (fixture) => {
      const { receiver, restartNode, confirm } = fixture;
      if (receiver.traits.children !== true || restartNode === undefined) return;
      const claim = await waitingClaim(fixture);
      const child = await answerOf(receiver.prepare(childOf(claim), FOR_SWAP));
      await answerOf(receiver.broadcast(child));
      await restartNode();
      expectEqual((await answerOf(receiver.transaction(child.tx_hash))).status, 'unknown', 'a forgotten child');
      await expectFault(receiver.broadcast(child), 'parentsUnknown');
      await answerOf(receiver.broadcast(claim));
      await answerOf(receiver.broadcast(child));
      await confirm(1);
      expectEqual((await answerOf(receiver.transaction(child.tx_hash))).status, 'confirmed', 'the child at the end');
    },
  },
  {
    title: 'keeps the output of a child that was marked after a restart until the child is released',
    check: async (fixture) => {
      const { sender, restartedSender, receiver } = fixture;
      if (sender.traits.children !== true) return;
      const terms = termsOf(fixture);
      const payment = await preparedPayment(fixture, terms);
      await answerOf(sender.broadcast(payment));
      const child = await answerOf(sender.prepare(childOf(payment), FOR_SWAP));
      expectSpends(child, payment);
      const again = await restartedSender();
      again.reserve([payment, child]);
      await expectFault(again.prepare(childOf(payment), FOR_SWAP), 'coinsPromised');
      const instead = await answerOf(again.prepare(childOf(payment, child), FOR_SWAP));
      expectEqual(instead.spends, child.spends, 'the reservation of another child');
      again.release([instead, child]);
      expectSpends(await answerOf(again.prepare(childOf(payment), FOR_SWAP)), payment);
      expectEqual(await answerOf(again.broadcast(child)), 'sent', 'the answer to the broadcast after the restart');
      await fixture.confirm(1);
      expectEqual((await paymentSeenBy(receiver, terms)).funding?.confirmations, 1, 'the payment that it spends');
    },
  },
];
