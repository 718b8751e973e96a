import * as fc from 'fast-check';
import { MANNERS } from './contract-world.ts';
import type { Mood } from './ledger-model.ts';

/** So many ids are in play. */
export const IDS = 16;
const MOODS: readonly Mood[] = ['takes', 'refuses', 'burns'];

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

const account = fc.nat(4);
const amount = fc.constantFrom(0n, 1n, 99n, 100n, 101n, 1_000n, 3_000n);
const mostly = <T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>, weight = 12) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: unusual });
const absent = fc.constant(undefined);
const reward = fc.record({
  target: mostly(fc.nat(3), fc.constant(4)),
  onClaim: fc.boolean(),
  amount: fc.constantFrom(0n, 1n, 50n, 100n, 1_000n),
});

const id = fc.nat(IDS - 1);

/** Accounts, coins and ids are places in lists; the receivers 5 and 6 cannot claim. */
const paying = fc.record({
  type: fc.constant('pay' as const),
  id,
  /** Mostly under the next id that was not used, whatever is drawn. */
  fresh: mostly(fc.constant(true), fc.constant(false)),
  sender: account,
  receiver: mostly(account, fc.constantFrom(5, 6)),
  coin: fc.nat(2),
  amount,
  /** Seconds from the payment's block. */
  lock: fc.integer({ min: -2, max: 30 }),
  reward: mostly<Drawn<typeof reward> | undefined>(reward, absent, 1),
  /** Wei that nobody asked for beside tokens. */
  extra: mostly(fc.constant(0n), fc.constantFrom(1n, 100n)),
});

const wrongTerm = fc.oneof(
  fc.record({ term: fc.constant('amount' as const), amount }),
  fc.record({ term: fc.constantFrom('sender' as const, 'receiver' as const), account }),
  fc.record({ term: fc.constant('coin' as const), coin: fc.nat(2) }),
  fc.record({ term: fc.constant('secret' as const), secret: fc.nat(IDS - 1) }),
  fc.record({ term: fc.constant('reward' as const), reward: fc.option(reward, { nil: undefined }) }),
);

const ending = fc.record({
  type: fc.constantFrom('claim' as const, 'refund' as const),
  id,
  /** Mostly one of the open payments, whatever is drawn. */
  open: mostly(fc.constant(true), fc.constant(false)),
  /** Undefined is the party. */
  by: mostly<number | undefined>(absent, account, 2),
  /** In the next block, or in one whose time stands so to the lock time. */
  when: fc.constantFrom('next' as const, 'just before' as const, 'just then' as const, 'long after' as const),
  wrong: mostly<Drawn<typeof wrongTerm> | undefined>(absent, wrongTerm, 5),
});

export type Paying = Drawn<typeof paying>;
export type Ending = Drawn<typeof ending>;

/** Something that somebody does: pays, claims, refunds, or changes how a token or an account behaves. */
export const ledgerAction = fc.oneof(
  { weight: 6, arbitrary: paying },
  { weight: 8, arbitrary: ending },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('manner' as const), manner: fc.constantFrom(...MANNERS) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('mood' as const), mood: fc.constantFrom(...MOODS) }) },
);
export type LedgerAction = Drawn<typeof ledgerAction>;
