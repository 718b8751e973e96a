import type { PreparedTransaction } from '../../../ports/chain.ts';
import { type DecimalText, toBaseUnits } from '../../../primitives/decimal.ts';
import {
  answerOf,
  areRivals,
  type Check,
  expectEqual,
  expectFault,
  expectThat,
  FOR_SWAP,
  preparedPayment,
  type Scene,
  termsOf,
} from './scene.ts';

/** Two swaps of one wallet. */
const FIRST = '5d2f8c31-7b94-4c06-a1ee-90c4d7f3b825';
const SECOND = 'e83b1f47-06ad-4d59-b2c8-317a5e9f64d0';

type Wanted = {
  readonly urgency?: number;
  readonly replaces?: PreparedTransaction;
  readonly maxFee?: DecimalText;
  readonly swap?: string;
};

function askFee({ sender }: Scene, { urgency = 0, replaces, maxFee, swap }: Wanted = {}) {
  const request = {
    purpose: 'fee',
    feeSat: sender.traits.minTxAmount * 20n,
    burnSat: 0n,
    urgency,
    replaces: replaces ?? null,
    ...(maxFee === undefined ? {} : { maxFee }),
  } as const;
  return sender.prepare(request, swap === undefined ? FOR_SWAP : { swap });
}

async function spendableOf({ sender }: Scene): Promise<DecimalText> {
  return (await answerOf(sender.quote())).spendable;
}

/** One wallet for many swaps: what is given back, what is held, and what a fee may be. */
export const sharingCases: readonly Check[] = [
  {
    title: 'what a prepared transaction took and nobody will broadcast can be given back, more than once',
    check: async (fixture) => {
      const before = await spendableOf(fixture);
      const fee = await answerOf(askFee(fixture));
      expectThat((await spendableOf(fixture)) !== before, 'what is prepared cannot be spent');
      fixture.sender.release([fee]);
      fixture.sender.release([fee]);
      expectEqual(await spendableOf(fixture), before, 'the spendable amount after the release');
    },
  },
  {
    title: 'releases several transactions at once, and no other',
    check: async (fixture) => {
      const { sender } = fixture;
      const kept = await answerOf(askFee(fixture));
      const before = await spendableOf(fixture);
      const first = await answerOf(askFee(fixture));
      const second = await answerOf(askFee(fixture));
      sender.release([first, second]);
      expectEqual(await spendableOf(fixture), before, 'the spendable amount after both were released');
      expectThat(!areRivals(kept, await preparedPayment(fixture, termsOf(fixture))), 'what was kept is still reserved');
    },
  },
  {
    title: 'keeps reserved what a released variant shares with an earlier one',
    check: async (fixture) => {
      const first = await answerOf(askFee(fixture));
      const second = await answerOf(askFee(fixture, { urgency: 2, replaces: first }));
      fixture.sender.release([second]);
      expectThat(!areRivals(first, await preparedPayment(fixture, termsOf(fixture))), 'the first still reserves it');
    },
  },
  {
    title: 'exceeds no fee bound, and refuses as feeTooLow what no fee within the bound would confirm',
    check: async (fixture) => {
      const first = await answerOf(askFee(fixture));
      fixture.sender.release([first]);
      const { decimals } = fixture.sender.traits;
      const bounded = await answerOf(askFee(fixture, { urgency: 6, maxFee: first.fee }));
      expectThat(toBaseUnits(bounded.fee, decimals) <= toBaseUnits(first.fee, decimals), 'the fee is within its bound');
      await expectFault(askFee(fixture, { urgency: 2, replaces: bounded, maxFee: '0' as DecimalText }), 'feeTooLow');
      fixture.sender.release([bounded]);
      await expectFault(askFee(fixture, { maxFee: '0' as DecimalText }), 'feeTooLow');
      const refusal = await askFee(fixture, { maxFee: '0' as DecimalText });
      const leastFee = refusal.ok ? undefined : refusal.fault.leastFee;
      if (leastFee === undefined) return;
      const least = await answerOf(askFee(fixture, { maxFee: leastFee }));
      expectThat(toBaseUnits(least.fee, decimals) <= toBaseUnits(leastFee, decimals), 'the minimum fee suffices');
    },
  },
  {
    title:
      'after a restart nothing waits for a transaction that was signed, never sent, and is in no log (a chain with nonces)',
    check: async (fixture) => {
      await answerOf(askFee(fixture));
      const later = await preparedPayment(fixture, termsOf(fixture));
      const sender = await fixture.restartedSender();
      sender.reserve([later]);
      sender.resumed?.();
      const sent = await sender.broadcast(later);
      expectThat(sent.ok || sent.fault.kind === 'nonceGap', 'what was marked is sent');
      await fixture.confirm(2);
      expectEqual((await answerOf(sender.transaction(later.tx_hash))).status, 'confirmed', 'the marked transaction');
    },
  },
  {
    title: 'frees after a restart what was prepared before and is not marked (a wallet that outlives its user)',
    check: async (fixture) => {
      const { sender } = fixture;
      if (sender.resumed === undefined) return;
      const before = await spendableOf(fixture);
      await answerOf(askFee(fixture));
      sender.resumed();
      expectEqual(await spendableOf(fixture), before, 'the spendable amount after the restart');
      const fee = await answerOf(askFee(fixture));
      sender.reserve([fee]);
      sender.resumed();
      expectThat(!areRivals(fee, await preparedPayment(fixture, termsOf(fixture))), 'what was marked stays reserved');
    },
  },
  {
    title:
      'holds an amount for one swap until it is no longer needed, and other swaps leave it alone (a wallet that can hold)',
    check: async (fixture) => {
      const { sender } = fixture;
      if (sender.hold === undefined) return;
      const all = await spendableOf(fixture);
      sender.hold({ swap: FIRST, amount: all });
      expectEqual(await spendableOf(fixture), all, 'a held amount counts as spendable');
      await expectFault(askFee(fixture, { swap: SECOND }), 'coinsPromised');
      const own = await answerOf(askFee(fixture, { swap: FIRST }));
      sender.release([own]);
      // Told anew, it stands in the place of what was left of it.
      sender.hold({ swap: FIRST, amount: all });
      await expectFault(askFee(fixture, { swap: SECOND }), 'coinsPromised');
      sender.hold({ swap: FIRST, amount: '0' as DecimalText });
      await answerOf(askFee(fixture, { swap: SECOND }));
    },
  },
];
