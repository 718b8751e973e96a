import type { PaymentQuery } from '../../../ports/chain.ts';
import type { DecimalText } from '../../../primitives/decimal.ts';
import { addSeconds } from '../../../primitives/time.ts';
import { type Check, expectEqual, expectThat, OTHER_SWAP, sentPayment, termsOf } from './scene.ts';

/** Questions about many payments at once; of an adapter without them, nothing is asked. */
export const batchCases: readonly Check[] = [
  {
    title:
      'answers many payment questions at once, each with its own answer and in order, and a bad one affects no other',
    check: async (fixture) => {
      const { receiver, confirm } = fixture;
      if (receiver.payments === undefined) return;
      expectEqual(await receiver.payments([]), [], 'the answer to an invalid question');
      const first = termsOf(fixture);
      const later = { ...first, lock: addSeconds(first.lock, 1200), amount: '0.4' as DecimalText };
      const paid = await sentPayment(fixture, first);
      const other = await sentPayment(fixture, later);
      await confirm(1);
      const queries: readonly PaymentQuery[] = [
        { terms: later },
        { terms: first, claimed: '00' },
        { terms: { ...first, sender: fixture.watcher.htlcKey(OTHER_SWAP.swap) } },
        { terms: first, claimed: paid.tx_hex },
        { terms: later, claimed: other.tx_hex },
      ];
      const together = await receiver.payments(queries);
      expectEqual(together.length, queries.length, 'the number of answers');
      const alone: unknown[] = [];
      for (const query of queries) alone.push(await receiver.payment(query));
      expectEqual(together, alone, 'the answers in one batch');
      const found = together.map((answer) => (answer.ok ? answer.value.funding?.tx.tx_hash : answer.fault.kind));
      expectThat(found[0] === other.tx_hash && found[3] === paid.tx_hash, 'each answer belongs to its own question');
    },
  },
];
