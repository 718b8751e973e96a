import { onLeg } from '../../../primitives/pair.ts';
import type { Seconds } from '../../../primitives/time.ts';
import { stateOf } from '../../../runtime/swap/runner.ts';
import type { PaymentState, SeenTransaction } from '../../chains/types.ts';
import { type Absence, type Assumption, brokenAssumptions } from '../assumptions.ts';
import type { SimNode } from '../node.ts';
import { EPOCH, type WatcherPlan } from '../scenario.ts';
import type { WatcherNode } from '../watcher-node.ts';
import { KEYS, type World } from '../world.ts';
import { type Agreement, agreementOf } from './agreement.ts';
import { imbalanceOf, strayPayments } from './balances.ts';
import type { Report, RuleId } from './rules.ts';
import { otherLeg, secondsOf } from './truth.ts';

/** How a run ended for one party. */
export type Ending = {
  readonly party: 'maker' | 'taker';
  readonly state: string;
  readonly done: boolean;
  /** What happened to its money, by the payments under the agreed terms: also `untouched` for a party that paid under other terms. */
  readonly money: 'untouched' | 'swapped' | 'refunded' | 'gained' | 'locked' | 'lost';
  readonly broken: readonly Assumption[];
  readonly restarts: number;
};

/** What would be a broken rule if the run had not given up what the rule assumes. */
export type Excused = {
  readonly rule: RuleId;
  readonly party: 'maker' | 'taker';
  readonly text: string;
  readonly because: readonly Assumption[];
};

/** How the run ended for a party, by the ledgers. */
export function endingOf(world: World, node: SimNode, absences: readonly Absence[]): Ending {
  const { name } = node;
  const agreement = agreementOf(world);
  const own = agreement === null ? null : onLeg(world.chains, name).ledger.payment(onLeg(agreement, name).terms);
  const leg = otherLeg(name);
  const other = agreement === null ? null : onLeg(world.chains, leg).ledger.payment(onLeg(agreement, leg).terms);
  const standing = standingOf(own);
  const money = moneyOf(standing, other?.spend?.how === 'secret');
  const broken = brokenAssumptions({
    party: name,
    world,
    absences: node.alive ? absences : [...absences, { from: secondsOf(world), until: null }],
    end: secondsOf(world),
    isOpen: !node.done || money === 'locked',
    // A party that never paid has nothing to claim.
    ...locksOf(name, standing === 'none' ? null : agreement, other),
    stuckSince: stuckSince(world, name),
  });
  return { party: name, state: stateOf(node.runner), done: node.done, money, broken, restarts: node.restarts };
}

/** A chain that counts blocks refunds a payment after that many, however fast they came. */
function locksOf(name: 'maker' | 'taker', agreement: Agreement | null, other: PaymentState | null) {
  if (agreement === null) return { claimLock: null, ownLock: null };
  const lock = onLeg(agreement, otherLeg(name)).terms.lock;
  const returned = other?.returnedAt ?? Number.POSITIVE_INFINITY;
  return { claimLock: Math.min(lock, returned) - EPOCH, ownLock: onLeg(agreement, name).terms.lock - EPOCH };
}

/** When a party's claim reached a chain with accounts that replaces nothing, and on which it still waits or came too late. */
function stuckSince({ chains }: World, name: 'maker' | 'taker'): Seconds | null {
  const { kind, ledger } = onLeg(chains, otherLeg(name));
  if (kind !== 'autoRefund') return null;
  const claim = ledger.transactions(name).find(({ purpose, status }) => {
    return purpose === 'claim' && (status === 'mempool' || status === 'reverted');
  });
  return claim === undefined ? null : claim.firstSeen - EPOCH;
}

type Standing = 'none' | 'locked' | 'taken' | 'back';

function standingOf(own: PaymentState | null): Standing {
  if (own === null || own.fundings.length === 0) return 'none';
  if (own.spend === null) return 'locked';
  return own.spend.how === 'secret' ? 'taken' : 'back';
}

function moneyOf(own: Standing, claimed: boolean): Ending['money'] {
  // A party that has the other coins and left its own for the other side has swapped, whether the other side takes them
  // or not.
  if (own === 'locked') return claimed ? 'swapped' : 'locked';
  if (own === 'taken') return claimed ? 'swapped' : 'lost';
  if (claimed) return 'gained';
  return own === 'back' ? 'refunded' : 'untouched';
}

export type Reports = {
  /** A broken rule that nothing excuses. */
  readonly report: Report;
  /** What only the given-up assumptions excuse. */
  readonly excuse: (rule: RuleId, text: string, because: readonly Assumption[]) => void;
};

/** Rules about the end of a run: R2, R3, R5, R6, R7, R8, R10, R11. */
export function checkEnding(
  world: World,
  node: SimNode,
  { ending, ...reports }: { readonly ending: Ending } & Reports,
) {
  checkMoney(world, node, { ending, ...reports });
  const { report } = reports;
  const agreement = agreementOf(world);
  for (const leg of ['maker', 'taker'] as const) {
    const text = imbalanceOf(world, node, { leg, agreement });
    if (text !== null) report('R7', text);
  }
  for (const text of strayPayments(world, node.name, agreement)) report('R11', text);
  checkOnce(node, onLeg(world.chains, node.name).ledger.transactions(node.name), report);
  checkLogged(world, node, report);
  checkTold(node, report);
}

function checkMoney(
  world: World,
  node: SimNode,
  { ending, report, excuse }: { readonly ending: Ending } & Reports,
): void {
  const { money, broken, state, done } = ending;
  const found = (rule: RuleId, text: string, because = broken) => {
    if (because.length === 0) report(rule, text);
    else excuse(rule, text, because);
  };
  if (money === 'lost') found('R7', 'the own payment was taken and the other one is gone');
  if (money === 'locked') found('R3', `the own payment is still locked, in state ${state}`);
  if (!done) found('R10', `the swap is unfinished, in state ${state}`);
  const { kind, position, journal } = node.runner;
  const { outcome } = kind.definition.verdict(state, position.context, journal);
  // Only a deep reorganization undoes what was final; what was never final was a lie of a node.
  const undone = broken.filter((assumption) => assumption === 'depth' || assumption === 'ownNode');
  if (outcome === 'completed' && money !== 'swapped' && money !== 'gained') {
    found('R6', `the log says completed, the chains say ${money}`, undone);
  }
  if (outcome === 'refunded' && money !== 'refunded' && money !== 'gained' && money !== 'untouched') {
    found('R6', `the log says refunded, the chains say ${money}`, undone);
  }
  if (outcome === 'lost' && money !== 'lost') found('R6', `the log says lost, the chains say ${money}`, undone);
  if (node.name === 'taker' && money === 'lost' && isWatched(world, broken)) {
    report('R7', 'the claim was lost although a watcher watched');
  }
}

/**
 * Whether a watcher stood in for a taker that was offline, and nothing else was given up. A watcher acts for nobody whose fee is not on the chain.
 */
function isWatched({ scenario, watcher, chains }: World, broken: readonly Assumption[]): boolean {
  if (scenario.watcher === null || hasTrouble(scenario.watcher)) return false;
  const onlyAway = broken.length === 1 && broken[0] === 'online';
  if (watcher === null || !isWatchedByKey(watcher) || !onlyAway) return false;
  const sent = chains.taker.ledger.transactions('taker');
  return sent.some(({ purpose, status }) => purpose === 'fee' && status === 'confirmed');
}

/** Whether a watch is genuine, and not that of a maker who was first to name the taker's fee. */
function isWatchedByKey({ watches }: WatcherNode): boolean {
  return [...watches.keys()].some((key) => key !== KEYS.maker);
}

function hasTrouble({ crashes, nodes }: WatcherPlan): boolean {
  return crashes.length + nodes.maker.length + nodes.taker.length > 0;
}

function checkOnce({ name }: SimNode, transactions: readonly SeenTransaction[], report: Report): void {
  const count = (purpose: string) =>
    transactions.filter((seen) => seen.purpose === purpose && seen.status === 'confirmed').length;
  if (count('payment') > 1) report('R5', `${count('payment')} payments are on the chain`);
  if (name === 'taker' && count('fee') > 1) report('R5', `${count('fee')} fees are on the chain`);
}

/** Checks a party's log: it must hold what the network received from the party. */
function checkLogged(world: World, { name, records }: SimNode, report: Report): void {
  const known = new Set<string>();
  for (const { type, data } of records) {
    if (type === 'TransactionPrepared') known.add((data as { tx: { tx_hash: string } }).tx.tx_hash);
  }
  for (const chain of ['maker', 'taker'] as const) {
    for (const { purpose, submittedBy, hash } of onLeg(world.chains, chain).ledger.transactions(name)) {
      if (purpose === 'transfer' || submittedBy !== name || known.has(hash)) continue;
      report('R8', `the log does not hold the ${purpose} ${hash.slice(0, 12)}`);
    }
  }
}

function checkTold({ records, published }: SimNode, report: Report): void {
  for (let index = 0; index < published.length; index += 1) {
    if (records[index]?.type === published[index]) continue;
    report('R8', `${published[index]} was told at ${index} and is not in the log`);
    return;
  }
}
