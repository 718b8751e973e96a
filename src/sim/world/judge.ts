import type { NegotiationMessage } from '../../htlc/negotiation.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import type { Absence } from './assumptions.ts';
import { type Acts, checkAsked, checkHanding, noActs, noteLook, noteRecords } from './judge/acts.ts';
import { type Agreement, agreementOf } from './judge/agreement.ts';
import { watcherImbalance } from './judge/balances.ts';
import { checkEnding, type Ending, type Excused, endingOf } from './judge/ending.ts';
import { checkEvent } from './judge/events.ts';
import { promiseProblems } from './judge/promises.ts';
import { endedTwice } from './judge/rewards.ts';
import type { Report, RuleId, Violation } from './judge/rules.ts';
import { type Scene, secondsOf } from './judge/truth.ts';
import { checkWord } from './judge/wire-check.ts';
import type { SimNode } from './node.ts';
import { createPacer } from './told/pace.ts';
import { type Added, readAppend } from './told/reader.ts';
import { emptyStory, readOn, type Story } from './told/story.ts';
import { noteTaken, type Taken, untoldTaking } from './told/taken.ts';
import { watchProblems } from './told/watches.ts';
import { GRABBER, type Observer, type World } from './world.ts';

export type { Ending, Excused } from './judge/ending.ts';
export { RULES, type RuleId, type Violation } from './judge/rules.ts';

export type Judgement = {
  readonly violations: readonly Violation[];
  readonly endings: readonly Ending[];
  /** What was lost where the run gave up what the rules assume. */
  readonly excused: readonly Excused[];
};

export type Judge = {
  readonly observer: Observer;
  /** Judges the whole run, once it is over. */
  readonly conclude: (world: World) => Judgement;
};

/** What the judge keeps of one party. */
type Docket = {
  readonly absences: Absence[];
  readonly acts: Acts;
  readonly story: Story;
  readonly taken: Taken;
  /** What its own clock showed when its start became durable; null before. */
  startedAt: UnixSeconds | null;
  spoke: boolean;
};

function newDocket(): Docket {
  return { absences: [], acts: noActs(), story: emptyStory(), taken: new Map(), startedAt: null, spoke: false };
}

/**
 * Judges a run by the rules. It knows the scenario, the messages and the ledgers; a party's own records are claims to check.
 *
 * @example
 * ```ts
 * import { createJudge, createWorld, runWorld } from 'swapfold/testing';
 * import { SOUND, scenario, storageFaultAt } from 'swapfold/testing';
 *
 * const lost = scenario(storageFaultAt('taker', { at: 3, how: 'lost' }));
 * const judge = createJudge();
 * const behaviours = { taker: { ...SOUND, publishFirst: true } };
 * const world = createWorld(lost, { observer: judge.observer, behaviours });
 * runWorld(world);
 * const { violations } = judge.conclude(world);
 * [...new Set(violations.map(({ rule }) => rule))]; // → ['R8']
 * ```
 */
export function createJudge(): Judge {
  const violations: Violation[] = [];
  const dockets = { maker: newDocket(), taker: newDocket() };
  let agreement: Agreement | null = null;
  const agreed = (world: World): Agreement | null => {
    agreement ??= agreementOf(world);
    return agreement;
  };
  const reportFor = (world: World, { name }: SimNode): Report => {
    return (rule: RuleId, text: string) => violations.push({ rule, party: name, at: secondsOf(world), text });
  };
  const pacer = createPacer(reportFor);
  const observer: Observer = {
    waits: pacer.waits,
    sent(world, node, message) {
      pacer.sent(world, node, message);
      const said = wordOf(node, message);
      const mine = onLeg(dockets, node.name);
      if (said === null || mine.spoke || !isHonest(node)) return;
      mine.spoke = true;
      checkWord(world, node, { said, startedAt: mine.startedAt, report: reportFor(world, node) });
    },
    appended(world, node, records) {
      pacer.appended(world, node, records);
      if (!isHonest(node)) return;
      const { story, acts } = noteStart(onLeg(dockets, node.name), { node, records });
      const known = agreed(world);
      noteRecords({ world, node }, { acts, records });
      if (known === null) for (const record of records) readOn(story, record);
      else judgeAppend({ world, node, agreement: known }, { story, records }, reportFor(world, node));
    },
    answered(world, node, { command, result }) {
      pacer.answered(world, node, { command, result });
      noteTaken(onLeg(dockets, node.name).taken, node, { question: command.question, result });
      const { acts } = onLeg(dockets, node.name);
      const known = isHonest(node) ? agreed(world) : null;
      if (known !== null)
        judgeAnswer({ world, node, agreement: known }, { command, result, acts }, reportFor(world, node));
    },
    crashed(world, { name }, by) {
      const from = secondsOf(world);
      if (by !== 'storage') onLeg(dockets, name).absences.push({ from, until: from + by.downFor });
    },
  };
  const conclude = (world: World): Judgement => {
    const excused: Excused[] = [];
    const endings = (['maker', 'taker'] as const).map((name) => {
      const node = onLeg(world.nodes, name);
      const ending = endingOf(world, node, onLeg(dockets, name).absences);
      const excuse = (rule: RuleId, text: string, because: Excused['because']) =>
        excused.push({ rule, party: name, text, because });
      const report = reportFor(world, node);
      if (isHonest(node)) judgeEnd(world, node, { ending, report, excuse, taken: onLeg(dockets, name).taken });
      return ending;
    });
    violations.push(...imbalances(world), ...watchViolations(world), ...rewardViolations(world));
    return { violations, endings, excused };
  };
  return { observer, conclude };
}

type Stored = { readonly node: SimNode; readonly records: readonly { readonly type: string }[] };

/** Keeps the moment at which a start becomes durable, by the party's own clock, which is all that it can know of the time. */
function noteStart(docket: Docket, { node, records }: Stored): Docket {
  if (docket.startedAt === null && records.some(({ type }) => type === 'Started'))
    docket.startedAt = Math.floor(node.hostClock()) as UnixSeconds;
  return docket;
}

type Ended = Parameters<typeof checkEnding>[2] & Pick<Docket, 'taken'>;

function judgeEnd(world: World, node: SimNode, { taken, ...ended }: Ended): void {
  checkEnding(world, node, ended);
  for (const text of untoldTaking(node, taken)) ended.report('R8', text);
}

function watchViolations(world: World): readonly Violation[] {
  const agreement = world.watcher === null ? null : agreementOf(world);
  if (agreement === null) return [];
  return watchProblems(world, agreement).map((text) => ({ rule: 'R17', party: 'taker', at: secondsOf(world), text }));
}

/** Rule R18. A dishonest party may promise what it likes, and is judged only by what it is paid. */
function rewardViolations(world: World): readonly Violation[] {
  return (['maker', 'taker'] as const).flatMap((party): readonly Violation[] => {
    const { ledger } = onLeg(world.chains, party);
    if (onLeg(world.scenario.chains, party).rewards !== true) return [];
    const strangers = ['watcher', GRABBER].map((name) => watcherImbalance(world, name, party));
    const promised = isHonest(onLeg(world.nodes, party)) ? promiseProblems(world, party) : [];
    const texts = [...strangers.filter((text) => text !== null), ...endedTwice(ledger), ...promised];
    return texts.map((text) => ({ rule: 'R18', party, at: secondsOf(world), text }));
  });
}

function imbalances(world: World): readonly Violation[] {
  return (['maker', 'taker'] as const).flatMap((party): Violation[] => {
    const text = onLeg(world.chains, party).ledger.imbalance();
    return text === null ? [] : [{ rule: 'R7', party, at: secondsOf(world), text }];
  });
}

type Answered = Parameters<Required<Observer>['answered']>[2] & Pick<Docket, 'acts'>;

/** A party that sends anything before both sides have spoken is found by what it leaves on the chain. */
function judgeAnswer(scene: Scene, { command: { question, leg }, result, acts }: Answered, report: Report): void {
  if (result.ok) noteLook(acts, scene, { question, leg });
  checkAsked(acts, { question, result }, report);
  if (question.op !== 'broadcast') return;
  checkHanding(scene, { leg, transaction: question.transaction, result, acts }, report);
}

/** Checks what became durable against the ledgers, and what is said from then on against what became durable. */
function judgeAppend(scene: Scene, added: Added, report: Report): void {
  for (const record of added.records) checkEvent(scene, record, report);
  readAppend(scene, added, report);
}

function isHonest({ plan }: SimNode): boolean {
  return plan.conduct.kind === 'honest';
}

function wordOf({ name }: SimNode, message: SwapMessage): NegotiationMessage | null {
  if (name === 'maker') return message.kind === 'negotiation' ? message.offer : null;
  return message.kind === 'negotiationReply' ? message.reply : null;
}
