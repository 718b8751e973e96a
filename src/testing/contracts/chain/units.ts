import type { Chain, Quote } from '../../../ports/chain.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../../primitives/decimal.ts';
import { answerOf, type Check, expectEqual, expectThat, paymentSeenBy, sentPayment, termsOf } from './scene.ts';

/** How far a chain's own clock may be behind the true time: a test network without blocks for a while. */
const BEHIND = 30 * 86_400;
/** The same ahead: what consensus rules permit to a block. */
const AHEAD = 7200;

function expectSeconds(clock: number, now: number, what: string): void {
  const near = Number.isSafeInteger(clock) && clock >= now - BEHIND && clock <= now + AHEAD;
  expectThat(near, `${what} is ${clock}, not whole seconds near the true time ${now}`);
}

function expectDigits(amount: DecimalText, decimals: number, what: string): void {
  const digits = amount.split('.')[1]?.length ?? 0;
  expectThat(digits <= decimals, `${what} is ${amount}, with more decimals than the ${decimals} of traits.decimals`);
}

async function spendable(chain: Chain): Promise<bigint> {
  return toBaseUnits((await answerOf(chain.quote())).spendable, chain.traits.decimals);
}

function feesOf({ feeCoin, paymentFee, spendFee, dexFeeFee, spendable }: Quote): Readonly<Record<string, DecimalText>> {
  return feeCoin === undefined ? { paymentFee, spendFee, dexFeeFee, spendable } : { spendable };
}

/** Units: seconds for times, coin units for amounts, base units for the least amount. */
export const unitCases: readonly Check[] = [
  {
    title: 'traits are whole numbers within their bounds, and equal for every wallet of the chain',
    check: async ({ sender, receiver, watcher }) => {
      for (const { traits } of [sender, receiver, watcher]) {
        const { decimals, finality, minTxAmount, secretHashBytes, coin } = traits;
        const count = (value: number, least: number) => Number.isSafeInteger(value) && value >= least;
        expectThat(coin !== '', 'traits.coin is a ticker');
        expectThat(
          count(decimals, 0) && decimals <= 30,
          `traits.decimals is ${decimals}, not a whole number from 0 to 30`,
        );
        expectThat(count(finality, 1), `traits.finality is ${finality}, not a number of confirmations from 1`);
        expectThat(minTxAmount > 0n, `traits.minTxAmount is ${minTxAmount}, not above zero`);
        expectThat(secretHashBytes === 20 || secretHashBytes === 32, 'traits.secretHashBytes is 20 or 32');
        const { decimals: others, finality: depth } = sender.traits;
        expectEqual([coin, decimals, finality], [sender.traits.coin, others, depth], 'coin, decimals and finality');
      }
    },
  },
  {
    title: 'the clock is in seconds near the true time, both in a quote and in a view of a payment',
    check: async (fixture) => {
      const { sender, receiver, now } = fixture;
      const terms = termsOf(fixture);
      await sentPayment(fixture, terms);
      for (const chain of [sender, receiver]) {
        expectSeconds((await answerOf(chain.quote())).clock, now(), 'the clock of a quote');
        expectSeconds((await paymentSeenBy(chain, terms)).clock, now(), 'the clock of a payment view');
      }
    },
  },
  {
    title: 'amounts have the decimals that traits.decimals names, and the last one counts',
    check: async (fixture) => {
      const { sender, receiver } = fixture;
      const { decimals } = sender.traits;
      const plain = termsOf(fixture);
      const amount = fromBaseUnits(toBaseUnits(plain.amount, decimals) + 1n, decimals);
      const { fee } = await sentPayment(fixture, { ...plain, amount });
      const exact = await paymentSeenBy(receiver, { ...plain, amount });
      expectThat(exact.funding !== null && exact.problem === null, `a payment of ${amount} is found`);
      const { funding, problem } = await paymentSeenBy(receiver, plain);
      const what = `a payment of ${amount} is not accepted for one of ${plain.amount}: the chain has ${decimals} decimals`;
      expectThat(funding === null || problem !== null, what);
      const quote = await answerOf(sender.quote());
      for (const [name, value] of Object.entries(feesOf(quote))) expectDigits(value, decimals, `${name} of a quote`);
      if (quote.feeCoin === undefined) expectDigits(fee, decimals, 'the fee of a payment');
    },
  },
  {
    title: 'the spendable amount is in coin units: it falls by the amount of a payment and at most its fee',
    check: async (fixture) => {
      const { sender } = fixture;
      const { decimals } = sender.traits;
      const terms = termsOf(fixture);
      const before = await spendable(sender);
      const { paymentFee, feeCoin } = await answerOf(sender.quote());
      const { fee } = await sentPayment(fixture, terms);
      const fell = before - (await spendable(sender));
      const amount = toBaseUnits(terms.amount, decimals);
      const most = [fee, paymentFee].map((each) => toBaseUnits(each, decimals)).reduce((sum, each) => sum + each);
      const text = fromBaseUnits(fell, decimals);
      const right = fell >= amount && fell <= amount + (feeCoin === undefined ? most : 0n);
      expectThat(right, `spendable fell by ${text} for a payment of ${terms.amount} coins with a fee of ${fee}`);
    },
  },
];
