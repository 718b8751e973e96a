import type { Answer, PreparedTransaction } from '../../../ports/chain.ts';
import type { Awaitable } from '../../../ports/event-log.ts';
import { type DecimalText, toBaseUnits } from '../../../primitives/decimal.ts';
import { addSeconds } from '../../../primitives/time.ts';
import {
  answerOf,
  type Check,
  expectEqual,
  expectFault,
  expectThat,
  FOR_SWAP,
  type Scene,
  sentPayment,
  termsOf,
} from './scene.ts';

// A fee bound is an operator's money: each purpose keeps to it, and what it would cost instead is told as it is.

const NOTHING = '0' as DecimalText;

/** Digits of any coin in which fees are paid. */
const FEE_DIGITS = 30;

type Asking = (maxFee?: DecimalText) => Awaitable<Answer<PreparedTransaction>>;

function bound(maxFee: DecimalText | undefined) {
  return maxFee === undefined ? {} : { maxFee };
}

/** One request of each purpose that has a bound, each asked for with what bound it is given. */
async function askedBy(fixture: Scene): Promise<Readonly<Record<string, Asking>>> {
  const { sender, receiver, secret } = fixture;
  const terms = termsOf(fixture);
  const first = { urgency: 0, replaces: null } as const;
  const feeSat = sender.traits.minTxAmount * 20n;
  // Before anything else is prepared: an account's transactions wait for those with an earlier nonce.
  const funding = await sentPayment(fixture, terms);
  const fee: Asking = (maxFee) =>
    sender.prepare({ purpose: 'fee', feeSat, burnSat: 0n, ...first, ...bound(maxFee) }, FOR_SWAP);
  const target = await answerOf(fee());
  const unsent = { ...terms, amount: '0.25' as DecimalText, lock: addSeconds(terms.lock, 1) };
  const refund: Asking = (maxFee) =>
    sender.prepare({ purpose: 'refund', terms, funding, ...first, ...bound(maxFee) }, FOR_SWAP);
  return {
    fee,
    payment: (maxFee) => sender.prepare({ purpose: 'payment', terms: unsent, ...first, ...bound(maxFee) }, FOR_SWAP),
    claim: (maxFee) =>
      receiver.prepare({ purpose: 'claim', terms, funding, secret, ...first, ...bound(maxFee) }, FOR_SWAP),
    ...(sender.traits.refund === 'automatic' ? {} : { refund }),
    void: (maxFee) => sender.prepare({ purpose: 'void', target, urgency: 1, ...bound(maxFee) }, FOR_SWAP),
  };
}

/** What a fee may cost at most. */
export const boundCases: readonly Check[] = [
  {
    title: 'refuses every purpose whose bound is below every fee, and reserves nothing',
    check: async (fixture) => {
      const { sender, receiver } = fixture;
      const asked = await askedBy(fixture);
      const spendable = async () =>
        Promise.all([sender, receiver].map(async (chain) => (await answerOf(chain.quote())).spendable));
      const before = await spendable();
      for (const ask of Object.values(asked)) await expectFault(ask(NOTHING), 'feeTooLow');
      expectEqual(await spendable(), before, 'the spendable amount after the refusals');
    },
  },
  {
    title: 'names in a refusal a minimum fee that suffices, and that is no more than a request without a bound costs',
    check: async (fixture) => {
      for (const [purpose, ask] of Object.entries(await askedBy(fixture))) {
        const refusal = await ask(NOTHING);
        const leastFee = refusal.ok ? undefined : refusal.fault.leastFee;
        if (leastFee === undefined) continue;
        const wallet = purpose === 'claim' ? fixture.receiver : fixture.sender;
        const priceOf = async (maxFee?: DecimalText) => {
          const made = await answerOf(ask(maxFee));
          wallet.release([made]);
          return made.fee;
        };
        const least = await priceOf(leastFee);
        expectThat(units(least) <= units(leastFee), `a ${purpose} for the minimum fee, ${leastFee}, costs ${least}`);
        const fee = await priceOf();
        expectThat(
          units(leastFee) <= units(fee),
          `the minimum fee of a ${purpose} is ${leastFee}, and one costs ${fee}`,
        );
      }
    },
  },
];

function units(amount: DecimalText): bigint {
  return toBaseUnits(amount, FEE_DIGITS);
}
