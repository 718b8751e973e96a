import * as fc from 'fast-check';
import type { Fact, FoundSpend, LookUp, Recovery, RecoveryFacts } from '../../../machines/recovery/facts.ts';
import { type RecoverableSwap, type RecoveryMode, recoverFunds } from '../../../machines/recovery/recover.ts';
import type { StoredTransaction } from '../../../src/events/payloads.ts';
import type { SwapLog } from '../../../src/events/saved-swap.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { type UnixSeconds, unixSecondsOf } from '../../../src/primitives/time.ts';
import { replayEvents } from '../../../src/replay/events.ts';
import { swapMachines } from '../../../src/replay/swaps.ts';
import { legalPath } from '../../../src/testing/drawn/legal-path.ts';
import { buildSwap } from '../../../src/testing/logs/swap-builder.ts';
import { type SwapTerms, swapTerms } from '../../../src/testing/logs/swap-terms.ts';
import { type SwapTransactions, swapTransactions } from '../../../src/testing/logs/swap-transactions.ts';

export type Role = 'taker' | 'maker';

/** The fold of a log, for {@link recoverFunds}. */
export function recoverable(log: SwapLog): RecoverableSwap {
  const machine = swapMachines[log.role];
  const { context } = replayEvents(machine, log.events);
  return { role: log.role, context } as RecoverableSwap;
}

/** Which of the two payments a chain has, and who took it. */
export type Leg = 'absent' | 'unspent' | 'spent' | 'refunded';

/** Both chains as they are. */
export type World = {
  readonly own: Leg;
  readonly other: Leg;
  readonly refundableFrom: UnixSeconds | null;
  readonly otherRefundable: boolean;
  readonly autoRefund: boolean;
  /** The look-up that fails, if any. */
  readonly failing: Fact | null;
};

export const worlds: fc.Arbitrary<World> = fc.record({
  own: fc.constantFrom('absent', 'unspent', 'spent', 'refunded'),
  other: fc.constantFrom('absent', 'unspent', 'spent', 'refunded'),
  refundableFrom: fc.constantFrom(null, unixSecondsOf(1_900_000_000)),
  otherRefundable: fc.boolean(),
  autoRefund: fc.constantFrom(false, false, true),
  failing: fc.constantFrom(
    null,
    null,
    null,
    'ownPayment',
    'ownPaymentSpend',
    'otherPayment',
    'otherPaymentSpend',
    'refundableFrom',
    'otherRefundable',
  ),
});

/** A swap under way or over, its terms, and its transactions. */
export type Case = {
  readonly role: Role;
  readonly path: readonly string[];
  readonly swap: RecoverableSwap;
  readonly terms: SwapTerms;
  readonly transactions: SwapTransactions;
};

export function caseOf(role: Role, path: readonly string[], seed = 1): Case {
  const log = buildSwap({ role, path, seed });
  return { role, path, swap: recoverable(log), ...madeOf(seed) };
}

const made = new Map<number, Pick<Case, 'terms' | 'transactions'>>();

function madeOf(seed: number): Pick<Case, 'terms' | 'transactions'> {
  const terms = swapTerms({ seed });
  const one = made.get(seed) ?? { terms, transactions: swapTransactions(terms) };
  made.set(seed, one);
  return one;
}

/** A random legal log of the role, whole or cut off anywhere. */
export function cases(role: Role): fc.Arbitrary<Case> {
  return fc
    .record({
      path: fc.oneof(
        legalPath(swapMachines[role].definition),
        legalPath(swapMachines[role].definition, { complete: true }),
      ),
      seed: fc.nat({ max: 5 }),
    })
    .map(({ path, seed }) => caseOf(role, path.events, seed));
}

const stored = ({ tx_hex, tx_hash }: StoredTransaction): StoredTransaction => ({ tx_hex, tx_hash });

/** The transactions of the case by their part for the owner of the log. */
export function partsOf({ role, transactions }: Case) {
  const maker = {
    payment: stored(transactions.makerPayment()),
    spend: stored(transactions.makerPaymentSpend()),
    refund: stored(transactions.makerPaymentRefund()),
  };
  const taker = {
    payment: stored(transactions.takerPayment()),
    spend: stored(transactions.takerPaymentSpend()),
    refund: stored(transactions.takerPaymentRefund()),
  };
  return role === 'taker' ? { own: taker, other: maker } : { own: maker, other: taker };
}

function spendOf(
  leg: Leg,
  parts: { readonly spend: StoredTransaction; readonly refund: StoredTransaction },
): FoundSpend | null {
  if (leg === 'spent') return { kind: 'spent', tx: parts.spend };
  return leg === 'refunded' ? { kind: 'refunded', tx: parts.refund } : null;
}

/** What the chains of a world answer to a question. */
export function answer(world: World, at: Case, fact: Fact): LookUp<never> {
  const { own, other } = partsOf(at);
  const values: Readonly<Record<Fact, unknown>> = {
    ownPayment: world.own === 'absent' ? null : own.payment,
    ownPaymentSpend: spendOf(world.own, own),
    otherPayment: world.other === 'absent' ? null : other.payment,
    otherPaymentSpend: spendOf(world.other, other),
    refundableFrom: world.refundableFrom,
    otherRefundable: world.otherRefundable,
  };
  if (world.failing === fact) return { ok: false, error: `no answer about ${fact}` };
  return { ok: true, value: values[fact] as never };
}

/** Asks until there is a decision. */
export function decide(at: Case, world: World, mode: RecoveryMode = 'engine'): { asked: Fact[]; decision: Recovery } {
  const asked: Fact[] = [];
  let facts: RecoveryFacts = { autoRefund: world.autoRefund };
  for (;;) {
    const decision = recoverFunds(at.swap, facts, { mode });
    if (!('look' in decision) || asked.length > 10) return { asked, decision };
    asked.push(decision.look);
    facts = { ...facts, [decision.look]: answer(world, at, decision.look) };
  }
}

export const secretOfCase = ({ terms }: Case): string => bytesToHex(terms.secret);
