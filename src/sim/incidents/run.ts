import { PURPOSES } from '../../events/journal.ts';
import { resultOf } from '../../runtime/command.ts';
import type { SimNode } from '../world/node.ts';
import { EPOCH } from '../world/scenario.ts';
import { type RunOptions, runScenario } from '../world/simulate.ts';
import type { Observer, World } from '../world/world.ts';
import type {
  Incident,
  IncidentOptions,
  IncidentParty,
  IncidentPlay,
  IncidentResult,
  IncidentRun,
  PartyEnding,
  SeenBroadcast,
} from './incident.ts';
import { holds, labelOf } from './records.ts';

/** Plays every part of an incident and returns what did not end as it must. */
export function playIncident(incident: Incident, options: IncidentOptions = {}): IncidentResult {
  const seed = options.seed ?? incident.seed;
  const problems: string[] = [];
  const runs: IncidentRun[] = [];
  for (const part of incident.parts) {
    // A rule does not depend on a seed: once is enough.
    if ('rule' in part && seed !== incident.seed) continue;
    const found = 'rule' in part ? [part.rule()] : judged(part, { seed, options, runs });
    for (const problem of found) if (problem !== null) problems.push(`${part.name}: ${problem}`);
  }
  return { id: incident.id, seed, ok: problems.length === 0, problems, runs };
}

type Playing = { readonly seed: number; readonly options: IncidentOptions; readonly runs: IncidentRun[] };

function judged(play: IncidentPlay, { seed, options, runs }: Playing): readonly (string | null)[] {
  const run = playOnce(play, seed, options);
  runs.push(run);
  const { violations } = run.result;
  return [
    ...violations.map(({ rule, party, at, text }) => `${rule} is broken for the ${party} at ${at} s: ${text}`),
    ...endingProblems(run, 'maker', play.ending.maker),
    ...endingProblems(run, 'taker', play.ending.taker),
    causeProblem(play, run),
    play.check?.(run) ?? null,
  ];
}

function causeProblem(play: IncidentPlay, run: IncidentRun): string | null {
  const missing = play.cause(run);
  return missing === null ? null : `the trouble took no effect: ${missing}`;
}

function playOnce(play: IncidentPlay, seed: number, { behaviours }: IncidentOptions): IncidentRun {
  const meddler = play.meddle?.() ?? {};
  const broadcasts: SeenBroadcast[] = [];
  let seen: World | null = null;
  const watch: Observer = {
    ...meddler,
    answered(world, node, asked) {
      const found = broadcastOf(world, node, asked);
      if (found !== null) broadcasts.push(found);
      meddler.answered?.(world, node, asked);
    },
    settled(world) {
      seen = world;
      meddler.settled?.(world);
    },
  };
  const scenario = play.scenario(seed);
  const meddles = play.meddle !== undefined;
  const options: RunOptions = behaviours === undefined ? { watch, meddles } : { watch, meddles, behaviours };
  const result = runScenario(scenario, options);
  const world = worldOf(seen);
  return {
    scenario,
    result,
    world,
    broadcasts,
    logs: { maker: world.nodes.maker.records, taker: world.nodes.taker.records },
  };
}

function broadcastOf(
  world: World,
  { name, runner }: SimNode,
  { command, result }: Parameters<NonNullable<Observer['answered']>>[2],
): SeenBroadcast | null {
  const { question } = command;
  if (question.op !== 'broadcast') return null;
  const hash = question.transaction.tx_hash;
  const purpose = PURPOSES.find((found) => runner.journal.prepared[found].some(({ tx }) => tx.tx_hash === hash));
  if (purpose === undefined) return null;
  const sent = resultOf(question, result);
  const answer = sent.ok ? sent.value : sent.fault.kind;
  return { party: name, purpose, hash, answer, at: Math.floor(world.now / 1000) - EPOCH };
}

function worldOf(seen: World | null): World {
  if (seen === null) throw new RangeError('nothing happened in the world of this scenario');
  return seen;
}

function endingProblems(run: IncidentRun, party: IncidentParty, expected: PartyEnding): readonly string[] {
  const problems: string[] = [];
  const { money, state = 'finished', log = [], never = [] } = expected;
  const ending = run.result.endings.find((found) => found.party === party);
  const allowed = typeof money === 'string' ? [money] : money;
  if (ending === undefined) return [`the ${party} has no ending`];
  if (!allowed.includes(ending.money))
    problems.push(`the ${party}'s money is ${ending.money}, not ${allowed.join(' or ')}`);
  if (ending.state !== state) problems.push(`the ${party} rests in ${ending.state}, not in ${state}`);
  const records = run.logs[party];
  for (const label of never) {
    if (holds(records, label)) problems.push(`the ${party}'s log holds ${label}`);
  }
  let from = 0;
  for (const label of log) {
    const index = records.findIndex((record, at) => at >= from && matches(labelOf(record), label));
    if (index < 0) {
      problems.push(`the ${party}'s log lacks ${label}${from === 0 ? '' : ' in its place'}`);
      break;
    }
    from = index + 1;
  }
  return problems;
}

function matches(found: string, label: string): boolean {
  return found === label || found.startsWith(`${label}:`);
}
