import type { SeenTransaction, SimLedger } from '../../chains/types.ts';

// Rewards by the table of the swap contract, counted from the calls in the blocks: no chain and no engine says who is paid.

/** What a payment promises: to whom (0 nobody, 1 the contract, 2 whoever paid, 3 whoever claims), whether on a claim, and how much in base units. */
export type Promised = NonNullable<SeenTransaction['reward']>;

/** A payment in a block that promises a reward. */
export type PromisedReward = {
  /** Of the transaction that paid. */
  readonly hash: string;
  readonly lock: string;
  readonly payer: string | null;
  readonly promise: Promised;
  /** In base units, what its payer paid for it in addition to the payment. */
  readonly taken: bigint;
  /** What ended the payment in a block; null while it is open. */
  readonly end: { readonly how: 'claim' | 'refund'; readonly caller: string | null } | null;
  /** Who has it now; null for the contract, which keeps it while the payment is open and may keep it forever. */
  readonly has: string | null;
};

type End = NonNullable<PromisedReward['end']>;

/** To whom, as payments number it. */
export const TARGET = { nobody: 0, contract: 1, payer: 2, claimer: 3 } as const;

/**
 * Who gets a reward, by the rows of the table: a reward on a claim goes to the caller, a refund pays the caller if there is a target, and all others
 * go back to the payer.
 */
export function hasReward(
  { target, onClaim }: Pick<Promised, 'target' | 'onClaim'>,
  { payer, end }: { readonly payer: string | null; readonly end: End | null },
): string | null {
  if (end === null) return null;
  if (end.how === 'refund') return target === TARGET.nobody ? payer : end.caller;
  if (onClaim || target === TARGET.claimer) return end.caller;
  return target === TARGET.payer ? payer : null;
}

/** All rewards that payments in blocks of a chain promise. */
export function rewardsOn(ledger: SimLedger): readonly PromisedReward[] {
  const seen = ledger.transactions().filter(({ status }) => status === 'confirmed');
  return seen.flatMap((payment): readonly PromisedReward[] => {
    const { purpose, reward: promise, hash, lock, party: payer } = payment;
    if (purpose !== 'payment' || promise === undefined || lock === null) return [];
    const ended = seen.find(
      (other) => other.lock === lock && (other.purpose === 'claim' || other.purpose === 'refund'),
    );
    const how = ended?.purpose === 'refund' ? 'refund' : 'claim';
    const end = ended === undefined ? null : ({ how, caller: ended.party } as const);
    const isTaken = promise.target !== TARGET.nobody || promise.onClaim;
    const has = isTaken ? hasReward(promise, { payer, end }) : null;
    return [{ hash, lock, payer, promise, taken: isTaken ? promise.amount : 0n, end, has }];
  });
}

/** What rewards have brought someone, less what that party put up for them; in base units. */
export function rewardsOf(name: string, ledger: SimLedger): bigint {
  let total = 0n;
  for (const { payer, taken, has } of rewardsOn(ledger)) {
    if (payer === name) total -= taken;
    if (has === name) total += taken;
  }
  return total;
}

/** Payments that more than one call has ended, as texts. */
export function endedTwice(ledger: SimLedger): readonly string[] {
  const ends = new Map<string, number>();
  for (const { purpose, lock, status } of ledger.transactions()) {
    if (status !== 'confirmed' || lock === null || (purpose !== 'claim' && purpose !== 'refund')) continue;
    ends.set(lock, (ends.get(lock) ?? 0) + 1);
  }
  return [...ends].flatMap(([lock, count]) =>
    count > 1 ? [`${count} calls ended the payment ${lock.slice(0, 12)}`] : [],
  );
}
