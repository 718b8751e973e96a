import { type CrossSwap, type Legs, SIDES } from './world.ts';

/** Who has what in the end: both what they agreed on, each its own, or the maker both. */
export type End = 'swapped' | 'back' | 'kept';

export type Scenario = {
  readonly name: string;
  /** Plays it until both have finished. @throws Error naming what did not come */
  readonly play: (swap: CrossSwap) => Promise<void>;
  readonly end: (legs: Legs) => End;
};

const MINUTE = 60;

async function wanted(
  swap: CrossSwap,
  [what, condition]: readonly [string, () => boolean],
  most?: number,
): Promise<void> {
  if (await swap.until(condition, most)) return;
  const told = SIDES.map((side) => `${side}: ${swap.parties[side].types().join(' ')}`);
  throw new Error(`${what} did not come to be; ${told.join('; ')}`);
}

const finish = (swap: CrossSwap): Promise<void> => wanted(swap, ['the end of both', swap.finished], 900);

export const SCENARIOS: readonly Scenario[] = [
  { name: 'both swap', end: () => 'swapped', play: finish },
  {
    name: 'the maker is killed before it claims, and resumes',
    end: () => 'swapped',
    async play(swap) {
      await wanted(swap, ['the taker’s payment', swap.has('maker', 'TakerPaymentReceived')]);
      swap.parties.maker.die();
      await swap.until(() => false, 5);
      swap.parties.maker.revive();
      await finish(swap);
    },
  },
  {
    name: 'the taker is killed when it has paid, and resumes',
    end: () => 'swapped',
    async play(swap) {
      await wanted(swap, ['the taker’s payment', swap.has('taker', 'TakerPaymentSent')]);
      swap.parties.taker.die();
      await wanted(swap, ['the maker’s claim', swap.has('maker', 'TakerPaymentSpent')], MINUTE);
      swap.parties.taker.revive();
      await finish(swap);
    },
  },
  {
    name: 'both are started again after each event',
    end: () => 'swapped',
    async play(swap) {
      const seen = { maker: 0, taker: 0 };
      await wanted(swap, [
        'the end of both',
        () => {
          for (const side of SIDES) {
            const { length } = swap.parties[side].types();
            if (length === seen[side] || swap.has(side, 'Finished')()) continue;
            seen[side] = length;
            swap.parties[side].die();
            swap.parties[side].revive();
          }
          return swap.finished();
        },
      ]);
    },
  },
  {
    name: 'the maker vanishes before it pays',
    end: () => 'back',
    async play(swap) {
      await wanted(swap, ['the fee', swap.has('taker', 'TakerFeeSent')]);
      swap.parties.maker.die();
      await wanted(swap, ['the taker’s end', swap.has('taker', 'Finished')]);
      swap.parties.maker.revive();
      await finish(swap);
    },
  },
  {
    name: 'the maker vanishes when both paid',
    end: () => 'back',
    async play(swap) {
      await wanted(swap, ['the maker’s payment', swap.has('maker', 'MakerPaymentSent')]);
      await wanted(swap, ['the taker’s payment', swap.has('taker', 'TakerPaymentSent')]);
      swap.parties.maker.die();
      await wanted(swap, ['the taker’s refund', swap.has('taker', 'TakerPaymentRefunded')]);
      swap.parties.maker.revive();
      await finish(swap);
    },
  },
  {
    name: 'the taker vanishes before it pays',
    end: () => 'back',
    async play(swap) {
      await wanted(swap, ['the fee', swap.has('taker', 'TakerFeeSent')]);
      swap.parties.taker.die();
      // A maker that fell before it had noted the fee has no peer left who tells it again: it ends without a payment.
      const isPaid = swap.has('maker', 'MakerPaymentSent');
      const isOver = swap.has('maker', 'Finished');
      const isRefunded = swap.has('maker', 'MakerPaymentRefunded');
      const endsUnpaid = () => swap.parties.maker.hasFallen() && isOver() && !isPaid();
      await wanted(swap, ['the maker’s refund', () => isRefunded() || endsUnpaid()]);
      swap.parties.taker.revive();
      await finish(swap);
    },
  },
  {
    name: 'the taker vanishes when it has paid, and is back when the maker could have refunded',
    // Only a chain that refunds by itself takes back what the other side has been paid for.
    end: ({ maker }) => (maker.refundsByItself ? 'kept' : 'swapped'),
    async play(swap) {
      await wanted(swap, ['the taker’s payment', swap.has('taker', 'TakerPaymentSent')]);
      swap.parties.taker.die();
      await wanted(swap, ['the maker’s claim', swap.has('maker', 'TakerPaymentSpent')], MINUTE);
      await swap.until(() => false, swap.makerLock / MINUTE + 30);
      swap.parties.taker.revive();
      await finish(swap);
    },
  },
];
