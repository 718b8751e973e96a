import type { Chain, PaymentView, PreparedTransaction, Quote } from '../../../ports/chain.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../../primitives/decimal.ts';
import { addSeconds } from '../../../primitives/time.ts';
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

// What an adapter says of heights, clocks, fees and least amounts is held against what the chain then does: each is a number that a swap
// plans with, and nothing else would show that it is wrong.

/** A quote may say more than a transaction then costs: it is for the worst that may come, by so much at most. */
const MOST_ABOVE = 10n;

/** Digits of any coin in which fees are paid. */
const FEE_DIGITS = 30;

const units = (amount: DecimalText): bigint => toBaseUnits(amount, FEE_DIGITS);

function expectCovers(quoted: DecimalText, paid: readonly PreparedTransaction[], what: string): void {
  const cost = paid.reduce((sum, { fee }) => sum + units(fee), 0n);
  const text = fromBaseUnits(cost, FEE_DIGITS);
  expectThat(units(quoted) >= cost, `${what} is ${quoted}, and the transactions cost ${text}`);
  expectThat(
    units(quoted) <= cost * MOST_ABOVE,
    `${what} is ${quoted}, more than ${MOST_ABOVE} times the ${text} that the transactions cost`,
  );
}

async function trading({ sender }: Scene): Promise<PreparedTransaction> {
  const feeSat = sender.traits.minTxAmount * 20n;
  return answerOf(sender.prepare({ purpose: 'fee', feeSat, burnSat: 0n, urgency: 0, replaces: null }, FOR_SWAP));
}

async function heightsOf(chain: Chain, fixture: Scene): Promise<readonly number[]> {
  const terms = termsOf(fixture);
  return [(await answerOf(chain.quote())).height, (await paymentSeenBy(chain, terms)).height];
}

/** Blocks by which a lock that counts them may be off, beside the block that holds its payment. */
const BLOCKS_OFF = 10;

/** Looks at an expiry in blocks, one block after the other, at most. */
const MOST_LOOKS = 60;

/** What a view says of the end of a lock is held against the rest of it: its unit, where the chain stands, and whether it lets go. */
function expectExpiry({ expiry, clock, height, refundable }: PaymentView): void {
  if (expiry === undefined) return;
  const { unit, at, now } = expiry;
  expectEqual(now, unit === 'seconds' ? clock : height, `the clock of the chain, in ${unit},`);
  // At the very moment either will do: some chains let go at it, others behind it.
  if (now > at) expectThat(refundable, `a lock that ended at ${at} releases at ${now} ${unit}`);
  if (now < at) expectThat(!refundable, `a lock that ends at ${at} does not release at ${now} ${unit}`);
}

function amountOf({ traits }: Chain, baseUnits: bigint): DecimalText {
  return fromBaseUnits(baseUnits, traits.decimals);
}

/** Numbers that swaps plan with. */
export const truthCases: readonly Check[] = [
  {
    title: 'C1: a quote and a view report the same height to every wallet, and both rise with the blocks',
    check: async (fixture) => {
      const [before = 0] = await heightsOf(fixture.sender, fixture);
      for (const blocks of [0, 1, 2]) {
        await fixture.confirm(blocks);
        const tip = before + (blocks === 2 ? 3 : blocks);
        for (const chain of [fixture.sender, fixture.receiver]) {
          expectEqual(await heightsOf(chain, fixture), [tip, tip], 'the height of a quote and of a view');
        }
      }
    },
  },
  {
    title: 'the height of a quote decides about the age of a fee, to the block',
    check: async (fixture) => {
      const { sender, receiver, confirm } = fixture;
      const fee = await trading(fixture);
      await answerOf(sender.broadcast(fee));
      const { height } = await answerOf(receiver.quote());
      await confirm(1);
      const feeSat = sender.traits.minTxAmount * 20n;
      const payer = sender.htlcKey(FOR_SWAP.swap);
      const check = { tx: fee.tx_hex, hash: fee.tx_hash, payer, feeSat, burnSat: 0n };
      const found = (minHeight: number) => answerOf(receiver.checkFee({ ...check, minHeight }, FOR_SWAP));
      expectEqual(await found(height + 1), null, 'a fee in the block after the quote, required from there on,');
      expectThat((await found(height + 2)) !== null, 'a fee in the block before the least height is too old');
    },
  },
  {
    title: 'a quote and a view report the same clock, and it decides when a refund is possible',
    check: async (fixture) => {
      const { sender, passTime } = fixture;
      const terms = termsOf(fixture);
      await sentPayment(fixture, terms);
      const seen = async () => {
        const view = await paymentSeenBy(sender, terms);
        expectExpiry(view);
        const { clock, refundable } = view;
        expectEqual((await answerOf(sender.quote())).clock, clock, 'the clock of a quote beside that of a view');
        return { past: clock > terms.lock, refundable };
      };
      // A chain that counts blocks goes by them, and its clock is that of its tip.
      const byClock = sender.traits.refund === 'transaction';
      await passTime(addSeconds(terms.lock, -1800));
      const early = await seen();
      if (byClock) expectEqual(early, { past: false, refundable: false }, 'the lock half an hour before it passes');
      await passTime(terms.lock);
      const late = await seen();
      expectThat(late.past, 'the clock of a chain that has passed a lock is past it');
      if (byClock) expectThat(late.refundable, 'a payment can be refunded once the clock has passed its lock');
      for (let looks = 0, { refundable } = late; !refundable && looks < MOST_LOOKS; looks++) {
        await fixture.confirm(1);
        refundable = (await seen()).refundable;
      }
    },
  },
  {
    title: 'traits.blockTime is what the fixture says, and gives the duration of a lock that counts blocks',
    check: async (fixture) => {
      const { sender, receiver, watcher, blockTime } = fixture;
      for (const { traits } of blockTime === undefined ? [] : [sender, receiver, watcher])
        expectEqual(traits.blockTime, blockTime, 'traits.blockTime');
      const terms = termsOf(fixture);
      await sentPayment(fixture, terms);
      const { expiry, clock } = await paymentSeenBy(sender, terms);
      if (expiry?.unit !== 'blocks') return;
      const { blockTime: told = 0 } = sender.traits;
      expectThat(told > 0, 'a chain whose locks count blocks names its block time');
      const [left, agreed] = [(expiry.at - expiry.now) * told, terms.lock - clock];
      const near = left >= agreed - BLOCKS_OFF * told && left <= agreed + BLOCKS_OFF * told;
      expectThat(near, `the ${expiry.at - expiry.now} blocks of a lock take ${left} s of the agreed ${agreed} s`);
    },
  },
  {
    title: 'a quote covers the cost of a payment with its refund, a spend and the dex fee, and no multiple of it',
    check: async (fixture) => {
      const { sender, receiver } = fixture;
      const quote = await answerOf(sender.quote());
      const { spendFee } = await answerOf(receiver.quote());
      const fee = await trading(fixture);
      await answerOf(sender.broadcast(fee));
      expectCovers(quote.dexFeeFee, [fee], 'dexFeeFee of a quote');
      const terms = termsOf(fixture);
      const payment = await sentPayment(fixture, terms);
      const fromWallet = quote.spendFeeFrom === 'wallet' && sender.traits.refund === 'transaction';
      const back = { purpose: 'refund', terms, funding: payment, urgency: 0, replaces: null } as const;
      const refunds = fromWallet ? [await answerOf(sender.prepare(back, FOR_SWAP))] : [];
      expectCovers(quote.paymentFee, [payment, ...refunds], 'paymentFee of a quote');
      if (sender.traits.refundFeeFrom === 'wallet')
        expectCovers(payment.refundFee ?? ('0' as DecimalText), refunds, 'refundFee of a payment');
      expectCovers(spendFee, [await preparedClaim(fixture, { terms, funding: payment })], 'spendFee of a quote');
    },
  },
  {
    title: 'spendFeeFrom says whether a wallet without coins can claim',
    check: async (fixture) => {
      const { watcher } = fixture;
      const { spendable, spendFeeFrom, feeCoin }: Quote = await answerOf(watcher.quote());
      // The third wallet of a fixture has no funds of its own; one that has some shows nothing here.
      if (units(feeCoin?.spendable ?? spendable) > 0n) return;
      const terms = termsOf(fixture, { receiver: watcher.htlcKey(FOR_SWAP.swap) });
      const funding = await sentPayment(fixture, terms);
      const request = { purpose: 'claim', terms, funding, secret: fixture.secret, urgency: 0, replaces: null } as const;
      const answer = watcher.prepare(request, FOR_SWAP);
      if (spendFeeFrom === 'wallet') await expectFault(answer, 'insufficientFunds', 'coinsPromised');
      else await answerOf(answer);
    },
  },
  {
    title: 'pays traits.minTxAmount, and nothing less',
    check: async (fixture) => {
      const { sender } = fixture;
      const { minTxAmount } = sender.traits;
      const least = termsOf(fixture, { amount: amountOf(sender, minTxAmount) });
      await answerOf(sender.broadcast(await preparedPayment(fixture, least)));
      if (minTxAmount === 1n) return;
      const terms = termsOf(fixture, { amount: amountOf(sender, minTxAmount - 1n) });
      const less = await sender.prepare({ purpose: 'payment', terms, urgency: 0, replaces: null }, FOR_SWAP);
      const sent = less.ok ? await sender.broadcast(less.value) : less;
      expectThat(!sent.ok, `a payment of less than ${least.amount}, the least amount of the traits, is refused`);
    },
  },
  {
    title: 'traits.finality is the depth that the fixture names, if it names one',
    check: async ({ sender, receiver, watcher, finality }) => {
      if (finality === undefined) return;
      for (const { traits } of [sender, receiver, watcher]) expectEqual(traits.finality, finality, 'traits.finality');
    },
  },
];
