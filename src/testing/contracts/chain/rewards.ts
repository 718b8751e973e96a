import type { RewardRole } from '../../../htlc/reward-role.ts';
import type { PaymentTerms, PreparedTransaction } from '../../../ports/chain.ts';
import { fromBaseUnits } from '../../../primitives/decimal.ts';
import {
  answerOf,
  type Check,
  expectEqual,
  expectFault,
  expectThat,
  FOR_SWAP,
  paymentSeenBy,
  preparedClaim,
  type Scene,
  sentPayment,
  termsOf,
} from './scene.ts';

const ROLES = {
  maker: { leg: 'maker', otherPays: false },
  makerOfTwo: { leg: 'maker', otherPays: true },
  taker: { leg: 'taker', otherPays: false },
  takerOfTwo: { leg: 'taker', otherPays: true },
} as const satisfies Readonly<Record<string, RewardRole>>;

const FIRST = { urgency: 0, replaces: null } as const;

type Promised = { readonly terms: PaymentTerms; readonly funding: PreparedTransaction };

/** A payment of this role in a block, which promises what gas costs now. */
async function promising(fixture: Scene, role: RewardRole): Promise<Promised> {
  const { sender, confirm } = fixture;
  const terms = termsOf(fixture, { reward: role });
  const funding = await answerOf(sender.prepare({ purpose: 'payment', terms, reward: null, ...FIRST }, FOR_SWAP));
  await answerOf(sender.broadcast(funding));
  await confirm(1);
  return { terms, funding };
}

const claimOf = ({ secret }: Scene, { terms, funding }: Promised) =>
  ({ purpose: 'claimFor', terms, funding, secret, unpaid: true, ...FIRST }) as const;
const refundOf = ({ terms, funding }: Promised) =>
  ({ purpose: 'refundFor', terms, funding, unpaid: true, ...FIRST }) as const;

/** A case for chains that pay rewards; the others must say that they do not. */
function where(check: Check['check']): Check['check'] {
  return async (fixture) => {
    const { sender } = fixture;
    if (sender.traits.rewards === true) {
      expectThat(sender.traits.watchers, 'traits.watchers is true if the chain pays rewards');
      return check(fixture);
    }
    expectThat(sender.promised === undefined, 'the adapter reads no promises if the chain pays no rewards');
    const terms = termsOf(fixture);
    const funding = { tx_hex: '00', tx_hash: '00'.repeat(32) };
    const nothing = { terms, funding: { ...funding, spends: [], fee: fromBaseUnits(0n) } };
    await expectFault(fixture.watcher.prepare(claimOf(fixture, nothing), FOR_SWAP), 'unsupported');
    await expectFault(fixture.watcher.prepare(refundOf(nothing), FOR_SWAP), 'unsupported');
  };
}

/** Payments that pay watchers, and watchers that act by calls of their own. */
export const rewardCases: readonly Check[] = [
  {
    title: 'recognizes a payment with a reward by its terms, and reads the terms from its bytes without a key',
    check: where(async (fixture) => {
      const { receiver, watcher } = fixture;
      for (const role of Object.values(ROLES)) {
        const { terms, funding } = await promising(fixture, role);
        const { problem } = await answerOf(receiver.payment({ terms, claimed: funding.tx_hex }));
        expectEqual(problem, null, `the problem of a payment of the ${role.leg}`);
        const told = watcher.promised?.(funding.tx_hex) ?? null;
        expectThat(told !== null && told.tx_hash === funding.tx_hash, 'the promise in the bytes');
        const { lock, amount, contract } = terms;
        expectEqual([told.terms.lock, told.terms.amount, told.terms.contract], [lock, amount, contract], 'the terms');
        const byAccounts = { ...told.terms, secretHash: terms.secretHash, reward: role };
        const seen = await paymentSeenBy(watcher, byAccounts);
        expectEqual([seen.funding?.tx.tx_hash, seen.problem], [funding.tx_hash, null], 'the payment by accounts');
      }
      expectEqual(watcher.promised?.('00'), null, 'the promise in other bytes');
    }),
  },
  {
    title: 'a watcher claims for the receiver with a call of its own and the secret alone',
    check: where(async (fixture) => {
      const { sender, receiver, watcher, confirm } = fixture;
      const paid = await promising(fixture, ROLES.maker);
      const preimage = await answerOf(receiver.prepare({ purpose: 'claimPreimage', ...paid }, FOR_SWAP));
      const { tx_hex, tx_hash } = paid.funding;
      expectEqual(preimage, { tx_hex, tx_hash, spends: [], fee: fromBaseUnits(0n) }, 'what the watcher receives');
      const request = claimOf(fixture, paid);
      await expectFault(watcher.prepare({ ...request, secret: fixture.wrongSecret }, FOR_SWAP), 'invalid');
      const claim = await answerOf(watcher.prepare(request, FOR_SWAP));
      await answerOf(watcher.broadcast(claim));
      await confirm(1);
      const { spend } = await paymentSeenBy(sender, paid.terms);
      expectEqual(
        [spend?.how, spend?.secret, spend?.tx?.tx_hash],
        ['secret', fixture.secret, claim.tx_hash],
        'the spend',
      );
    }),
  },
  {
    title: 'a watcher refunds a payment to its sender after the lock, and only once',
    check: where(async (fixture) => {
      const { sender, watcher, confirm, passTime } = fixture;
      const paid = await promising(fixture, ROLES.taker);
      const preimage = await answerOf(sender.prepare({ purpose: 'refundPreimage', ...paid }, FOR_SWAP));
      expectEqual(preimage.tx_hex, paid.funding.tx_hex, 'what the watcher receives');
      await expectFault(watcher.prepare(refundOf(paid), FOR_SWAP), 'unavailable', 'notFinal');
      await passTime(paid.terms.lock);
      const refund = await answerOf(watcher.prepare(refundOf(paid), FOR_SWAP));
      await answerOf(watcher.broadcast(refund));
      await confirm(1);
      const { spend } = await paymentSeenBy(sender, paid.terms);
      expectEqual([spend?.how, spend?.tx?.tx_hash], ['refund', refund.tx_hash], 'the spend');
      await expectFault(watcher.prepare(refundOf(paid), FOR_SWAP), 'unavailable');
    }),
  },
  {
    title: 'does not accept a payment with another reward than its role has, and no watcher acts on it',
    check: where(async (fixture) => {
      const { receiver, watcher } = fixture;
      const { terms, funding } = await promising(fixture, ROLES.taker);
      for (const reward of [ROLES.maker, ROLES.makerOfTwo, ROLES.takerOfTwo]) {
        const wrong = { terms: { ...terms, reward }, funding };
        const { problem } = await paymentSeenBy(receiver, wrong.terms);
        expectThat(problem !== null, 'a payment with the reward of another role has a problem');
        await expectFault(watcher.prepare(claimOf(fixture, wrong), FOR_SWAP), 'invalid');
        await expectFault(receiver.prepare({ purpose: 'claimPreimage', ...wrong }, FOR_SWAP), 'invalid');
      }
      // A claim of what the taker paid brings a watcher nothing.
      await expectFault(watcher.prepare(claimOf(fixture, { terms, funding }), FOR_SWAP), 'unsupported');
    }),
  },
  {
    title: 'no watcher acts on a payment without a reward',
    check: where(async (fixture) => {
      const { receiver, sender, watcher, passTime } = fixture;
      const terms = termsOf(fixture, { reward: ROLES.maker });
      const funding = await sentPayment(fixture, terms);
      expectEqual((await paymentSeenBy(receiver, terms)).problem, null, 'the problem of a plain payment');
      expectEqual(watcher.promised?.(funding.tx_hex), null, 'the promise of a plain payment');
      await expectFault(receiver.prepare({ purpose: 'claimPreimage', terms, funding }, FOR_SWAP), 'unsupported');
      await expectFault(sender.prepare({ purpose: 'refundPreimage', terms, funding }, FOR_SWAP), 'unsupported');
      await expectFault(watcher.prepare(claimOf(fixture, { terms, funding }), FOR_SWAP), 'unsupported');
      await passTime(terms.lock);
      await expectFault(watcher.prepare(refundOf({ terms, funding }), FOR_SWAP), 'unsupported');
    }),
  },
  {
    title: 'a watcher that comes second makes no call, and the receiver can claim beside one that does',
    check: where(async (fixture) => {
      const { sender, receiver, watcher, confirm } = fixture;
      const paid = await promising(fixture, ROLES.makerOfTwo);
      const beside = await answerOf(watcher.prepare(claimOf(fixture, paid), FOR_SWAP));
      const claim = await preparedClaim(fixture, paid);
      await answerOf(receiver.broadcast(claim));
      await confirm(1);
      await expectFault(watcher.prepare(claimOf(fixture, paid), FOR_SWAP), 'unavailable');
      await answerOf(watcher.broadcast(beside));
      await confirm(1);
      const { spend } = await paymentSeenBy(sender, paid.terms);
      expectEqual([spend?.how, spend?.tx?.tx_hash], ['secret', claim.tx_hash], 'the spend');
      expectEqual((await answerOf(watcher.transaction(beside.tx_hash))).status, 'reverted', 'the second watcher');
    }),
  },
  {
    title: 'a replacement payment promises the same, and a quote names the promise',
    check: where(async (fixture) => {
      const { sender, receiver, confirm } = fixture;
      const { reward } = await answerOf(sender.quote());
      expectThat(reward !== undefined && Number(reward) > 0, 'a quote names the reward');
      const terms = termsOf(fixture, { reward: ROLES.maker });
      const request = { purpose: 'payment', terms, reward: null } as const;
      const first = await answerOf(sender.prepare({ ...request, ...FIRST }, FOR_SWAP));
      const again = { purpose: 'payment', terms, urgency: 1, replaces: first } as const;
      const second = await answerOf(sender.prepare(again, FOR_SWAP));
      await answerOf(sender.broadcast(second));
      await confirm(1);
      expectEqual((await paymentSeenBy(receiver, terms)).problem, null, 'the problem of the replacement payment');
      const told = [first, second].map(({ tx_hex }) => sender.promised?.(tx_hex)?.terms ?? null);
      expectEqual(told[0], told[1], 'the promise of both');
      await expectFault(sender.prepare({ ...request, terms: termsOf(fixture), ...FIRST }, FOR_SWAP), 'unsupported');
    }),
  },
];
