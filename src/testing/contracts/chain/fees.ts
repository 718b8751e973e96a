import type { FeeCheck } from '../../../ports/chain.ts';
import { toBaseUnits } from '../../../primitives/decimal.ts';
import {
  answerOf,
  type Check,
  expectEqual,
  expectThat,
  FOR_SWAP,
  OTHER_SWAP,
  type Scene,
  sentPayment,
  termsOf,
} from './scene.ts';

async function sentFee({ sender, receiver }: Scene): Promise<FeeCheck & { readonly feeSat: bigint }> {
  const feeSat = sender.traits.minTxAmount * 20n;
  const fee = await answerOf(
    sender.prepare({ purpose: 'fee', feeSat, burnSat: 0n, urgency: 0, replaces: null }, FOR_SWAP),
  );
  const { height } = await answerOf(receiver.quote());
  await answerOf(sender.broadcast(fee));
  const payer = sender.htlcKey(FOR_SWAP.swap);
  return { tx: fee.tx_hex, hash: fee.tx_hash, payer, feeSat, burnSat: 0n, minHeight: height };
}

async function expectProblem({ receiver }: Scene, check: FeeCheck, what: string): Promise<void> {
  const found = await answerOf(receiver.checkFee(check, FOR_SWAP));
  expectThat(typeof found === 'string' && found !== '', `${what} is a reason to refuse the fee`);
}

/** The trading fee. */
export const feeCases: readonly Check[] = [
  {
    title: 'accepts a pending and a confirmed fee, by its bytes or its id alone',
    check: async (fixture) => {
      const { receiver, confirm } = fixture;
      const check = await sentFee(fixture);
      expectEqual(await answerOf(receiver.checkFee(check, FOR_SWAP)), null, 'a pending fee');
      await confirm(1);
      expectEqual(await answerOf(receiver.checkFee(check, FOR_SWAP)), null, 'a confirmed fee');
      expectEqual(
        await answerOf(receiver.checkFee({ ...check, tx: null, feeSat: null }, FOR_SWAP)),
        null,
        'a fee by its id',
      );
      expectEqual(
        await answerOf(receiver.checkFee({ ...check, feeSat: check.feeSat - 1n }, FOR_SWAP)),
        null,
        'a fee that is too high',
      );
    },
  },
  {
    title:
      'refuses with the reason a fee that is too low, from another sender, too old or unknown, or whose bytes have another id',
    check: async (fixture) => {
      const check = await sentFee(fixture);
      const { feeSat, minHeight } = check;
      await fixture.confirm(1);
      await expectProblem(fixture, { ...check, feeSat: feeSat + 1n }, 'too low an amount');
      // Where each swap has a key of its own, the fee may tell its swap instead of its payer.
      if (check.payer === fixture.sender.htlcKey(OTHER_SWAP.swap))
        await expectProblem(fixture, { ...check, payer: fixture.receiver.htlcKey(FOR_SWAP.swap) }, 'another payer');
      await expectProblem(fixture, { ...check, minHeight: minHeight + 2 }, 'a confirmation before the swap');
      await expectProblem(fixture, { ...check, tx: null, hash: 'cd'.repeat(32) }, 'an id that does not exist');
      await expectProblem(fixture, { ...check, hash: 'cd'.repeat(32) }, 'bytes with a different id');
      await expectProblem(fixture, { ...check, tx: '00' }, 'bytes that are not a transaction');
    },
  },
  {
    title: 'does not accept a payment of the same amount as a fee',
    check: async (fixture) => {
      const { sender, receiver } = fixture;
      const terms = termsOf(fixture);
      const { height } = await answerOf(receiver.quote());
      const { tx_hex, tx_hash } = await sentPayment(fixture, terms);
      const payer = sender.htlcKey(FOR_SWAP.swap);
      const feeSat = toBaseUnits(terms.amount, sender.traits.decimals);
      const check = { tx: tx_hex, hash: tx_hash, payer, feeSat, burnSat: 0n, minHeight: height };
      await expectProblem(fixture, check, 'a time-locked payment');
      await expectProblem(fixture, { ...check, tx: null, feeSat: null }, 'a time-locked payment, by its id,');
    },
  },
  {
    title: 'does not accept the fee of one swap for another (a wallet with its own keys for each swap)',
    check: async (fixture) => {
      const { sender, receiver } = fixture;
      const payer = sender.htlcKey(OTHER_SWAP.swap);
      if (payer === sender.htlcKey(FOR_SWAP.swap)) return;
      const check = await sentFee(fixture);
      for (const waits of [true, false]) {
        if (!waits) await fixture.confirm(1);
        const found = await answerOf(receiver.checkFee({ ...check, payer }, OTHER_SWAP));
        expectThat(typeof found === 'string' && found !== '', 'a fee for another swap is refused');
      }
      expectEqual(await answerOf(receiver.checkFee(check, FOR_SWAP)), null, 'the fee for its own swap');
    },
  },
];
