import type { Purpose } from '../../events/journal.ts';
import type { PaymentTerms } from '../../ports/chain.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Seconds } from '../../primitives/time.ts';
import { stateOf, viewOf } from '../../runtime/runner.ts';
import type { PaymentState, SeenTransaction } from '../chains/types.ts';
import { type Absence, type Assumption, brokenAssumptions, publishedMargin } from './assumptions.ts';
import type { SimNode } from './node.ts';
import { type ChainName, EPOCH, type Scenario } from './scenario.ts';
import type { Observer, World } from './world.ts';

/** A broken rule: which one, whose, when and how. */
export type Violation = {
  readonly rule: RuleId;
  readonly party: 'maker' | 'taker';
  /** Seconds from the start of the world. */
  readonly at: Seconds;
  readonly text: string;
};

/** The money rules that every run is held against. */
export const RULES = {
  R1: 'a taker pays only against a payment that is valid, confirmed and unspent in that moment, and in time',
  R2: 'once the secret is known the own payment is not refunded, and the claim is not given up while it can succeed',
  R3: 'a refund is broadcast only when the chain can take it, and a swap does not end while the own payment is locked',
  R4: 'what an event says of the end of a payment is so on the chain',
  R5: 'at most one payment and one fee of a party reach the chain',
  R6: 'a completed swap has its coins at the end of the run, a refunded one its own back',
  R7: 'a party that follows the protocol loses nothing but fees, and no coin is made or lost',
  R8: 'nothing is broadcast that the log does not hold, and nothing is told that is not durable',
  R9: 'the secret of a maker leaves it only against a payment that is confirmed and in time',
  R10: 'every swap comes to its end',
} as const;

export type RuleId = keyof typeof RULES;

/** How a run ended for one party. */
export type Ending = {
  readonly party: 'maker' | 'taker';
  readonly state: string;
  readonly done: boolean;
  /** What the chains say became of its money. */
  readonly money: 'untouched' | 'swapped' | 'refunded' | 'gained' | 'locked' | 'lost';
  readonly broken: readonly Assumption[];
  readonly restarts: number;
};

export type Judgement = {
  readonly violations: readonly Violation[];
  readonly endings: readonly Ending[];
};

export type Judge = {
  readonly observer: Observer;
  /** Looks at the whole run, once it is over. */
  readonly conclude: (world: World) => Judgement;
};

/** Holds a run against the rules, looking at the true chains and never at what the engines believe. */
export function createJudge(): Judge {
  const violations: Violation[] = [];
  const absences: Record<'maker' | 'taker', Absence[]> = { maker: [], taker: [] };
  const report = (world: World, rule: RuleId, { node, text }: { node: SimNode; text: string }) => {
    if (node.plan.conduct.kind !== 'honest') return;
    violations.push({ rule, party: node.name, at: seconds(world), text });
  };
  const observer: Observer = {
    answered(world, node, { command, result }) {
      const { question, leg } = command;
      if (question.op !== 'broadcast') return;
      const hash = question.transaction.tx_hash;
      const purpose = purposeOf(node, hash);
      if (purpose === null) return;
      if (purpose === 'payment' && node.name === 'taker') checkPaying(world, node, report);
      if (purpose === 'claim' && node.name === 'maker') {
        checkRevealing(world, node, report);
        checkRevealedInTime(world, node, report);
      }
      if (purpose !== 'refund') return;
      if (node.name === 'taker' && viewOf(node.runner).secretIsPublic) {
        report(world, 'R2', { node, text: 'a refund was broadcast though the secret is known' });
      }
      if (!result.ok && result.fault.kind === 'notFinal' && !disturbed(world.scenario, node, leg)) {
        report(world, 'R3', { node, text: 'a refund was broadcast before the chain could take it' });
      }
    },
    crashed(world, { name }, by) {
      const from = seconds(world);
      if (by !== 'storage') onLeg(absences, name).push({ from, until: from + by.downFor });
    },
  };
  const conclude = (world: World): Judgement => {
    const endings = (['maker', 'taker'] as const).map((name) => {
      const node = onLeg(world.nodes, name);
      const ending = endingOf(world, node, onLeg(absences, name));
      checkEnding(world, node, { ending, report });
      return ending;
    });
    for (const chain of ['maker', 'taker'] as const) {
      const text = onLeg(world.chains, chain).ledger.imbalance();
      if (text !== null) violations.push({ rule: 'R7', party: chain, at: seconds(world), text });
    }
    return { violations, endings };
  };
  return { observer, conclude };
}

type Report = (world: World, rule: RuleId, found: { readonly node: SimNode; readonly text: string }) => void;

function seconds(world: World): Seconds {
  return Math.floor(world.now / 1000) - EPOCH;
}

function purposeOf({ runner }: SimNode, hash: string): Purpose | null {
  const { prepared } = runner.journal;
  for (const purpose of ['fee', 'payment', 'claim', 'refund', 'void'] as const) {
    if (prepared[purpose].some(({ tx }) => tx.tx_hash === hash)) return purpose;
  }
  return null;
}

/** Whether a party's view of a chain can differ from the truth, so that a wrong look is not the engine's fault. */
function disturbed(scenario: Scenario, node: SimNode, chain: ChainName): boolean {
  return onLeg(node.plan.nodes, chain).length > 0 || scenario.chainEvents.some((event) => event.chain === chain);
}

function truth(world: World, chain: ChainName, terms: PaymentTerms | null): PaymentState | null {
  return terms === null ? null : onLeg(world.chains, chain).ledger.payment(terms);
}

function checkPaying(world: World, node: SimNode, report: Report): void {
  const view = viewOf(node.runner);
  // A second broadcast brings back what was sent before.
  if (view.ownPayment !== null) return;
  const theirs = truth(world, 'maker', view.otherTerms);
  const confirmations = theirs?.fundings[0]?.confirmations ?? 0;
  const needed = Math.max(1, view.otherConfirmations);
  if (!disturbed(world.scenario, node, 'maker') && (confirmations < needed || theirs?.spend !== null)) {
    report(world, 'R1', { node, text: `the maker payment has ${confirmations} of ${needed} confirmations` });
  }
  const started = view.startedAt ?? 0;
  const limit = started + Math.floor((2 * view.lockDuration) / 5);
  const now = Math.floor(world.now / 1000) + node.plan.skew;
  if (now > limit + 60) report(world, 'R1', { node, text: `the taker paid ${now - limit} s too late` });
  const agreed = view.otherTerms?.lock ?? 0;
  if (agreed - (view.ownTerms?.lock ?? 0) < view.lockDuration - 180) {
    report(world, 'R1', { node, text: `the maker payment is locked for only ${agreed - started} s` });
  }
}

function checkRevealing(world: World, node: SimNode, report: Report): void {
  const view = viewOf(node.runner);
  const attempts = node.runner.journal.prepared.claim;
  if (view.claim !== null || attempts.length > 1 || attempts[0]?.acceptedAt != null) return;
  if (attempts[0] !== undefined && attempts[0].refused !== null) return;
  const theirs = truth(world, 'taker', view.otherTerms);
  const confirmations = theirs?.fundings[0]?.confirmations ?? 0;
  const needed = Math.max(1, view.otherConfirmations);
  const restarted = node.restarts > 0;
  if (!disturbed(world.scenario, node, 'taker') && !restarted && confirmations < needed) {
    report(world, 'R9', { node, text: `the taker payment has ${confirmations} of ${needed} confirmations` });
  }
}

/**
 * Once a broadcast was attempted the secret may be out, and only the claim is safe. So the first attempt must be in time: the
 * margin before the lock of the taker payment at the latest.
 */
function checkRevealedInTime(world: World, node: SimNode, report: Report): void {
  const { lockDuration, otherTerms } = viewOf(node.runner);
  let earliest = Number.POSITIVE_INFINITY;
  for (const { attemptedAt } of node.runner.journal.prepared.claim) {
    if (attemptedAt !== null && attemptedAt < earliest) earliest = attemptedAt;
  }
  if (earliest === Number.POSITIVE_INFINITY || otherTerms === null) return;
  const first = Math.floor(earliest / 1000) - node.plan.skew;
  const late = first - (otherTerms.lock - publishedMargin(lockDuration));
  if (late > 60) report(world, 'R9', { node, text: `the secret was revealed ${late} s too late` });
}

function endingOf(world: World, node: SimNode, absences: readonly Absence[]): Ending {
  const view = viewOf(node.runner);
  const { name } = node;
  const own = truth(world, view.own, view.ownTerms);
  const other = truth(world, view.other, view.otherTerms);
  const claimed = other?.spend?.how === 'secret';
  const ownState =
    own === null || own.fundings.length === 0
      ? 'none'
      : own.spend === null
        ? 'locked'
        : own.spend.how === 'secret'
          ? 'taken'
          : 'back';
  const money = moneyOf(ownState, claimed);
  const since = (lock: number | undefined) => (lock === undefined ? null : lock - EPOCH);
  const broken = brokenAssumptions({
    party: name,
    scenario: world.scenario,
    reorgs: world.reorgs,
    absences: node.alive ? absences : [...absences, { from: seconds(world), until: null }],
    // A chain that counts blocks gives a payment back when they have come, however quick they were.
    claimLock: since(earlier(view.otherTerms?.lock, other?.returnedAt ?? undefined)),
    ownLock: since(view.ownTerms?.lock),
  });
  return { party: name, state: stateOf(node.runner), done: node.done, money, broken, restarts: node.restarts };
}

function earlier(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);
}

function moneyOf(own: 'none' | 'locked' | 'taken' | 'back', claimed: boolean): Ending['money'] {
  // Whoever has the other coins and left its own for the other side has swapped, whether the other side takes them or not.
  if (own === 'locked') return claimed ? 'swapped' : 'locked';
  if (own === 'taken') return claimed ? 'swapped' : 'lost';
  if (claimed) return 'gained';
  return own === 'back' ? 'refunded' : 'untouched';
}

function checkEnding(world: World, node: SimNode, { ending, report }: { ending: Ending; report: Report }): void {
  const { runner, records, published } = node;
  const { money, broken, state, done } = ending;
  const { definition } = runner.kind;
  const { outcome } = definition.verdict(state, runner.position.context);
  const sound = broken.length === 0;
  if (sound && money === 'lost')
    report(world, 'R7', { node, text: 'the own payment was taken and the other one is gone' });
  if (sound && money === 'locked')
    report(world, 'R3', { node, text: `the own payment is still locked, in state ${state}` });
  if (sound && !done) report(world, 'R10', { node, text: `the swap is unfinished, in state ${state}` });
  if (sound && outcome === 'completed' && money !== 'swapped' && money !== 'gained') {
    report(world, 'R6', { node, text: `the log says completed, the chains say ${money}` });
  }
  if (sound && outcome === 'refunded' && money !== 'refunded' && money !== 'gained' && money !== 'untouched') {
    report(world, 'R6', { node, text: `the log says refunded, the chains say ${money}` });
  }
  if (sound && state === 'finished' && money === 'lost') report(world, 'R2', { node, text: 'the claim was given up' });
  if (node.name === 'taker' && money === 'lost' && isWatched(world, broken)) {
    report(world, 'R7', { node, text: 'the claim was lost although a watcher watched' });
  }
  const known = new Set<string>();
  for (const { type, data } of records) {
    if (type === 'TransactionPrepared') known.add((data as { tx: { tx_hash: string } }).tx.tx_hash);
  }
  const sent = {
    maker: world.chains.maker.ledger.transactions(node.name),
    taker: world.chains.taker.ledger.transactions(node.name),
  };
  checkOnce(node, onLeg(sent, node.name), (text) => report(world, 'R5', { node, text }));
  for (const chain of ['maker', 'taker'] as const) {
    for (const seen of onLeg(sent, chain)) {
      if (seen.purpose !== 'transfer' && seen.submittedBy === node.name && !known.has(seen.hash)) {
        report(world, 'R8', { node, text: `the log does not hold the ${seen.purpose} ${seen.hash.slice(0, 12)}` });
      }
    }
  }
  for (let index = 0; index < published.length; index += 1) {
    if (records[index]?.type !== published[index]) {
      report(world, 'R8', { node, text: `${published[index]} was told at ${index} and is not in the log` });
      break;
    }
  }
}

/**
 * Whether somebody stood in for a taker that was away, and nothing else was given up. A watcher acts for nobody whose fee is not
 * on the chain.
 */
function isWatched({ watcher, chains }: World, broken: readonly Assumption[]): boolean {
  const onlyAway = broken.length === 1 && broken[0] === 'online';
  if (watcher === null || watcher.runner === null || watcher.crashes.length > 0 || !onlyAway) return false;
  const sent = chains.taker.ledger.transactions('taker');
  return sent.some(({ purpose, status }) => purpose === 'fee' && status === 'confirmed');
}

function checkOnce({ name }: SimNode, transactions: readonly SeenTransaction[], report: (text: string) => void): void {
  const count = (purpose: string) =>
    transactions.filter((seen) => seen.purpose === purpose && seen.status === 'confirmed').length;
  if (count('payment') > 1) report(`${count('payment')} payments are on the chain`);
  if (name === 'taker' && count('fee') > 1) report(`${count('fee')} fees are on the chain`);
}
