import type { Answer, FaultKind, PreparedTransaction } from '../../../ports/chain.ts';
import type { Awaitable } from '../../../ports/event-log.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../../primitives/decimal.ts';
import {
  answerOf,
  areRivals,
  type Check,
  expectEqual,
  expectFault,
  expectThat,
  FOR_SWAP,
  isHeard,
  paymentSeenBy,
  preparedPayment,
  type Scene,
  sentPayment,
  termsOf,
} from './scene.ts';

function askedFee({ sender }: Scene, replaces: PreparedTransaction | null): Awaitable<Answer<PreparedTransaction>> {
  const feeSat = sender.traits.minTxAmount * 20n;
  const urgency = replaces === null ? 0 : 2;
  return sender.prepare({ purpose: 'fee', feeSat, burnSat: 0n, urgency, replaces }, FOR_SWAP);
}

function preparedFee(scene: Scene, replaces: PreparedTransaction | null): Promise<PreparedTransaction> {
  return answerOf(askedFee(scene, replaces));
}

/** What a fee is refused with that is paid already. */
const DONE: readonly FaultKind[] = ['inputsSpent', 'nonceUsed'];

/** Fees of an ordinary payment that one of all coins costs at most: each output that it takes makes it larger. */
const FEES_OF_ALL = 50n;

/** Keys, funds, what is promised to prepared transactions, and broadcasts. */
export const walletCases: readonly Check[] = [
  {
    title: 'a key has 33 bytes and is always the same; two wallets have different keys',
    check: async ({ sender, receiver }) => {
      expectThat(/^0[23][0-9a-f]{64}$/.test(sender.htlcKey('swap')), 'a key is 33 bytes in hex');
      expectEqual(sender.htlcKey('swap'), sender.htlcKey('swap'), 'the key of one swap');
      expectThat(sender.htlcKey('swap') !== receiver.htlcKey('swap'), 'keys of two wallets differ');
    },
  },
  {
    title: 'a quote names the height, the clock, the spendable amount and the fees',
    check: async ({ sender, now }) => {
      const quote = await answerOf(sender.quote());
      const { decimals } = sender.traits;
      expectThat(
        quote.height > 0 && quote.clock > 0 && quote.clock <= now() + 7200,
        `height and clock of a quote are those of a chain with a block: ${quote.height} and ${quote.clock}, at ${now()}`,
      );
      for (const fee of [quote.paymentFee, quote.spendFee, quote.dexFeeFee]) {
        expectThat(toBaseUnits(fee, decimals) > 0n, 'every fee is above zero');
        expectThat(toBaseUnits(fee, decimals) < toBaseUnits(quote.spendable, decimals), 'the funds suffice for a fee');
      }
    },
  },
  {
    title: 'C2: preparing changes nothing on the chain',
    check: async (fixture) => {
      const terms = termsOf(fixture);
      const payment = await preparedPayment(fixture, terms);
      await fixture.confirm(1);
      expectEqual((await paymentSeenBy(fixture.receiver, terms)).funding, null, 'the funding of a prepared payment');
      const seen = await answerOf(fixture.receiver.transaction(payment.tx_hash));
      expectEqual(seen, { status: 'unknown', confirmations: 0 }, 'a transaction that was never broadcast');
    },
  },
  {
    title: 'C2: no transaction reserves what another prepared one reserves',
    check: async (fixture) => {
      const fee = await preparedFee(fixture, null);
      const payment = await preparedPayment(fixture, termsOf(fixture));
      expectThat(fee.spends.length > 0 && payment.spends.length > 0, 'each reserves something');
      expectThat(!areRivals(fee, payment), 'a fee and a payment reserve different things');
    },
  },
  {
    title: 'C2: a new process that knows of prepared transactions reserves nothing that they reserve',
    check: async (fixture) => {
      const fee = await preparedFee(fixture, null);
      const sender = await fixture.restartedSender();
      sender.reserve([fee]);
      const payment = await preparedPayment({ ...fixture, sender }, termsOf(fixture));
      expectThat(!areRivals(fee, payment), 'what was reserved is left alone');
    },
  },
  {
    title: 'a variant that replaces an earlier one spends something of the same, so at most one confirms',
    check: async (fixture) => {
      const { sender, confirm } = fixture;
      const first = await preparedFee(fixture, null);
      const second = await preparedFee(fixture, first);
      expectThat(areRivals(first, second), 'the variants are rivals');
      await answerOf(sender.broadcast(second));
      // No block has taken anything yet: who hears that it is settled gives the earlier one up.
      await expectFault(sender.broadcast(first), 'feeTooLow', 'noReplacement');
      await confirm(1);
      const { status } = await answerOf(sender.transaction(first.tx_hash));
      expectEqual(status, 'conflicted', 'the status of the variant that lost');
      await expectFault(sender.broadcast(first), 'inputsSpent', 'nonceUsed');
    },
  },
  {
    title:
      'does not replace an earlier variant that is settled: the new one is independent, or is refused as done already',
    check: async (fixture) => {
      const first = await preparedFee(fixture, null);
      await answerOf(fixture.sender.broadcast(first));
      await fixture.confirm(1);
      const given = await askedFee(fixture, first);
      if (given.ok) expectThat(!areRivals(first, given.value), 'the new one spends nothing of the old one');
      else expectThat(DONE.includes(given.fault.kind), `it is done already, and the answer is ${given.fault.kind}`);
    },
  },
  {
    title: 'C3: a broadcast can be repeated, before and after the confirmation',
    check: async (fixture) => {
      const { sender, receiver, confirm } = fixture;
      const payment = await sentPayment(fixture, termsOf(fixture), { confirmations: 0 });
      expectEqual(await answerOf(sender.broadcast(payment)), 'known', 'the answer while it is pending');
      expectEqual(await answerOf(receiver.broadcast(payment)), 'known', 'the answer to another wallet');
      await confirm(1);
      expectEqual(await answerOf(sender.broadcast(payment)), 'confirmed', 'the answer once it is in a block');
    },
  },
  {
    title: 'a transaction is unknown, then pending, then counts confirmations',
    check: async (fixture) => {
      const { receiver, confirm } = fixture;
      const unknown = await answerOf(receiver.transaction('ab'.repeat(32)));
      expectEqual(unknown, { status: 'unknown', confirmations: 0 }, 'an id that does not exist');
      const { tx_hash, tx_hex } = await sentPayment(fixture, termsOf(fixture), { confirmations: 0 });
      const { tx_hex: shown = tx_hex, ...waiting } = await answerOf(receiver.transaction(tx_hash));
      expectEqual(waiting, { status: 'mempool', confirmations: 0 }, 'a pending transaction');
      expectEqual(shown, tx_hex, 'its bytes, if they are reported');
      for (const confirmations of [1, 2]) {
        await confirm(1);
        const { tx_hex: kept = tx_hex, ...found } = await answerOf(receiver.transaction(tx_hash));
        expectEqual(found, { status: 'confirmed', confirmations }, 'a confirmed transaction');
        expectEqual(kept, tx_hex, 'its bytes, if they are reported');
      }
    },
  },
  {
    title: 'a void replaces its target for good',
    check: async (fixture) => {
      const { sender, receiver, confirm } = fixture;
      const terms = termsOf(fixture);
      const target = await preparedPayment(fixture, terms);
      const taken = await answerOf(sender.prepare({ purpose: 'void', target, urgency: 0 }, FOR_SWAP));
      expectThat(areRivals(target, taken), 'the void spends what its target spends');
      await answerOf(sender.broadcast(taken));
      await confirm(1);
      await expectFault(sender.broadcast(target), 'inputsSpent', 'nonceUsed');
      expectEqual(
        (await answerOf(sender.transaction(target.tx_hash))).status,
        'conflicted',
        'the status of the target',
      );
      expectEqual((await paymentSeenBy(receiver, terms)).funding, null, 'the funding after the void');
    },
  },
  {
    title: 'refuses before it signs what the wallet does not have',
    check: async (fixture) => {
      const terms = termsOf(fixture, { amount: '1000000' as DecimalText });
      const request = { purpose: 'payment', terms, urgency: 0, replaces: null } as const;
      await expectFault(fixture.sender.prepare(request, FOR_SWAP), 'insufficientFunds');
    },
  },
  {
    title: 'lets a wallet spend what a quote calls spendable, except the fees, and nothing above it',
    check: async (fixture) => {
      const { sender } = fixture;
      const { decimals } = sender.traits;
      const quote = await answerOf(sender.quote());
      const spendable = toBaseUnits(quote.spendable, decimals);
      const fees = quote.feeCoin === undefined ? toBaseUnits(quote.paymentFee, decimals) * FEES_OF_ALL : 0n;
      if (fees >= spendable) return;
      const paying = (units: bigint) => {
        const terms = termsOf(fixture, { amount: fromBaseUnits(units, decimals) });
        return sender.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }, FOR_SWAP);
      };
      await expectFault(paying(spendable + 1n), 'insufficientFunds', 'coinsPromised');
      sender.release([await answerOf(paying(spendable - fees))]);
    },
  },
  {
    title: 'refuses for good bytes that are not a transaction, or have another id',
    check: async (fixture) => {
      const { sender } = fixture;
      const payment = await preparedPayment(fixture, termsOf(fixture));
      await expectFault(sender.broadcast({ ...payment, tx_hex: '00', tx_hash: '11'.repeat(32) }), 'invalid');
      await expectFault(sender.broadcast({ ...payment, tx_hash: '11'.repeat(32) }), 'invalid');
    },
  },
  {
    title: 'subscribers hear of new transactions and blocks until they close',
    check: async (fixture) => {
      let calls = 0;
      const terms = termsOf(fixture);
      // A wallet over servers knows of a payment from the moment in which it was asked about it.
      await fixture.receiver.payment({ terms });
      const subscription = fixture.receiver.subscribe(() => {
        calls++;
      });
      // A feed that looks from time to time has to have seen how it was before.
      await fixture.nextNews?.();
      const before = calls;
      await sentPayment(fixture, terms, { confirmations: 0 });
      expectThat(await isHeard(fixture, () => calls > before), 'a transaction is reported');
      const waiting = calls;
      await fixture.confirm(1);
      expectThat(await isHeard(fixture, () => calls > waiting), 'a block is reported');
      subscription.close();
      const closed = calls;
      await fixture.confirm(1);
      await fixture.nextNews?.();
      expectEqual(calls, closed, 'the number of calls after closing');
    },
  },
];
