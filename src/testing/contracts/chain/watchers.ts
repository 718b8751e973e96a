import type { Chain } from '../../../ports/chain.ts';
import {
  answerOf,
  type Check,
  expectEqual,
  expectFault,
  expectThat,
  FOR_SWAP,
  paymentSeenBy,
  type Scene,
  sentPayment,
  termsOf,
} from './scene.ts';

async function scene(fixture: Scene) {
  const terms = termsOf(fixture);
  const funding = await sentPayment(fixture, terms);
  return { terms, funding };
}

/** Whether nothing is signed in advance for a plain payment. */
function isUnsigned({ traits: { watchers, rewards } }: Chain): boolean {
  return !watchers || rewards === true;
}

/** What is signed in advance for a third party; a chain without watchers must say that it cannot do it. */
export const watcherCases: readonly Check[] = [
  {
    title: "a watcher completes the receiver's claim with the secret and sends it",
    check: async (fixture) => {
      const { receiver, watcher, sender, confirm } = fixture;
      const { terms, funding } = await scene(fixture);
      const preimage = receiver.prepare({ purpose: 'claimPreimage', terms, funding }, FOR_SWAP);
      if (isUnsigned(receiver)) return expectFault(preimage, 'unsupported');
      const { tx_hex, ...rest } = await answerOf(preimage);
      const early = await sender.broadcast({ tx_hex, ...rest });
      expectThat(!early.ok && early.fault.kind === 'invalid', 'without the secret it claims nothing');
      const request = { purpose: 'completePreimage', preimage: tx_hex } as const;
      await expectFault(watcher.prepare({ ...request, secret: fixture.wrongSecret }, FOR_SWAP), 'invalid');
      const claim = await answerOf(watcher.prepare({ ...request, secret: fixture.secret }, FOR_SWAP));
      await answerOf(watcher.broadcast(claim));
      await confirm(1);
      const { spend } = await paymentSeenBy(sender, terms);
      expectEqual(
        [spend?.how, spend?.secret, spend?.tx?.tx_hash],
        ['secret', fixture.secret, claim.tx_hash],
        'the claim',
      );
    },
  },
  {
    title: "a watcher sends the sender's refund as soon as the chain allows it",
    check: async (fixture) => {
      const { watcher, sender, confirm, passTime } = fixture;
      const { terms, funding } = await scene(fixture);
      const preimage = sender.prepare({ purpose: 'refundPreimage', terms, funding }, FOR_SWAP);
      if (isUnsigned(sender)) return expectFault(preimage, 'unsupported');
      const refund = await answerOf(preimage);
      await expectFault(watcher.broadcast(refund), 'notFinal');
      await passTime(terms.lock);
      await answerOf(watcher.broadcast(refund));
      await confirm(1);
      const { spend } = await paymentSeenBy(sender, terms);
      expectEqual([spend?.how, spend?.tx?.tx_hash], ['refund', refund.tx_hash], 'the refund');
    },
  },
  {
    title: 'lets nobody else sign in advance, and completes nothing else',
    check: async (fixture) => {
      const { watcher } = fixture;
      const { terms, funding } = await scene(fixture);
      await expectFault(
        watcher.prepare({ purpose: 'claimPreimage', terms, funding }, FOR_SWAP),
        'invalid',
        'unsupported',
      );
      await expectFault(
        watcher.prepare({ purpose: 'refundPreimage', terms, funding }, FOR_SWAP),
        'invalid',
        'unsupported',
      );
      const request = { purpose: 'completePreimage', preimage: funding.tx_hex, secret: fixture.secret } as const;
      await expectFault(watcher.prepare(request, FOR_SWAP), 'invalid', 'unsupported');
    },
  },
];
