import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { MachineEvent } from '../../machines/definition.ts';
import { applyJournal, initialJournalContext } from '../../machines/journal/context.ts';
import { isJournalType, type JournalEvent } from '../../src/events/journal.ts';
import { fold } from '../../src/replay/fold.ts';
import { swapMachines } from '../../src/replay/swaps.ts';
import { stateOf } from '../../src/runtime/swap/runner.ts';
import { runWorld } from '../../src/sim/world/advance.ts';
import { crashAt, lyingNode, scenario, storageFaultAt } from '../../src/sim/world/build.ts';
import { createJudge } from '../../src/sim/world/judge.ts';
import type { SimNode } from '../../src/sim/world/node.ts';
import { calmScenario, type Scenario } from '../../src/sim/world/scenario.ts';
import { createWorld, type Observer, type World, type WorldOptions } from '../../src/sim/world/world.ts';
import { together } from '../support/observers.ts';

type Behaviours = NonNullable<WorldOptions['behaviours']>;

/** State and contexts that a log folds to, made from nothing but the log. */
export function foldOf({ name, records }: SimNode) {
  const journal = initialJournalContext();
  const events: MachineEvent[] = [];
  for (const { type, at, data } of records) {
    if (isJournalType(type)) applyJournal(journal, { type, at, data } as JournalEvent);
    else events.push({ type, at, data });
  }
  return { ...fold(swapMachines[name], events), journal };
}

export function liveOf({ runner }: SimNode) {
  return { state: stateOf(runner), context: runner.position.context, journal: runner.journal };
}

/** Holds every party against a fresh fold of its log after each append, and counts how often. */
export function foldsAlong(): Observer & { count: number } {
  const observer = {
    count: 0,
    appended(_: World, node: SimNode) {
      observer.count++;
      const [folded, live] = [foldOf(node), liveOf(node)];
      if (!isDeepStrictEqual(folded, live)) expect(live).toEqual(folded);
    },
  };
  return observer;
}

export function outcomeOf(planned: Scenario, behaviours: Behaviours = {}) {
  const judge = createJudge();
  const observer = together(judge.observer, foldsAlong());
  const world = createWorld(planned, { observer, behaviours });
  runWorld(world);
  const { endings, violations } = judge.conclude(world);
  const money = Object.fromEntries(endings.map((ending) => [ending.party, ending.money]));
  return { world, money, violations };
}

const kinds = (maker: 'utxo' | 'account' | 'autoRefund', taker: typeof maker) => {
  const { chains } = calmScenario();
  return { chains: { maker: { ...chains.maker, kind: maker }, taker: { ...chains.taker, kind: taker } } };
};

/** Runs of each shape, and what becomes of both parties' money. */
export const RUNS: readonly (readonly [string, Scenario, { readonly maker: string; readonly taker: string }])[] = [
  ['a swap of two UTXO coins', scenario(), { maker: 'swapped', taker: 'swapped' }],
  ['a swap with watchers', scenario({ useWatchers: true }), { maker: 'swapped', taker: 'swapped' }],
  ['a swap of two coins with accounts', scenario(kinds('account', 'account')), { maker: 'swapped', taker: 'swapped' }],
  [
    'a swap with a coin that refunds by itself',
    scenario(kinds('autoRefund', 'utxo')),
    { maker: 'swapped', taker: 'swapped' },
  ],
  [
    'a refund of both payments',
    scenario(lyingNode('maker', { chain: 'taker', says: 'absent', from: 0, until: 9000 })),
    { maker: 'refunded', taker: 'refunded' },
  ],
  [
    'a refund of the payment on a chain with accounts',
    scenario(kinds('account', 'account'), lyingNode('maker', { chain: 'taker', says: 'absent', from: 0, until: 9000 })),
    { maker: 'refunded', taker: 'refunded' },
  ],
  [
    'a claim during the refund',
    scenario(lyingNode('taker', { chain: 'taker', says: 'spendHidden', from: 0, until: 9300 })),
    { maker: 'swapped', taker: 'swapped' },
  ],
  [
    'a payment that the taker never follows',
    scenario(lyingNode('taker', { chain: 'maker', says: 'absent', from: 0, until: 9000 })),
    { maker: 'refunded', taker: 'untouched' },
  ],
];

type Party = 'maker' | 'taker';

type Expected = {
  readonly party: Party;
  readonly money: Readonly<Record<Party, string>>;
  /** Engines to run. @defaultValue the sound ones */
  readonly behaviours?: Behaviours;
};

/** Numbers of the commands of a party: all, or those after which something is different from before. */
export function commandsOf(calm: Scenario, party: Party, which: 'all' | 'telling'): readonly number[] {
  const telling = new Set<number>();
  const world = createWorld(calm, {
    observer: {
      appended(_, { name, commands }) {
        if (name === party) telling.add(commands).add(commands + 1);
      },
      answered(_, { name, commands }, { command: { question } }) {
        if (name === party && question.op !== 'payment' && question.op !== 'transaction') telling.add(commands);
      },
    },
  });
  runWorld(world);
  const { commands } = world.nodes[party];
  const all = Array.from({ length: commands }, (_, index) => index + 1);
  return which === 'all' ? all : all.filter((at) => telling.has(at));
}

/** What went otherwise in runs in which the party crashes at one of these commands, before it or after. */
export function crashEverywhere(
  calm: Scenario,
  { party, at: commands, ...expected }: Expected & { readonly at: readonly number[] },
): readonly string[] {
  const wrong: string[] = [];
  for (const at of commands) {
    for (const when of ['before', 'after'] as const) {
      const planned = crashAt(party, { at, when, downFor: 0 })(calm);
      wrong.push(...wrongIn(planned, { party, ...expected }).map((text) => `${party} crashes ${when} ${at}: ${text}`));
    }
  }
  return wrong;
}

/** The same for runs in which one append of the party fails, and was stored or not. */
export function failEveryAppend(calm: Scenario, { party, ...expected }: Expected): readonly string[] {
  const appends = new Set<number>();
  const appended = (_: World, { name, commands }: SimNode) => void (name === party && appends.add(commands));
  runWorld(createWorld(calm, { observer: { appended } }));
  const wrong: string[] = [];
  for (const at of appends) {
    for (const how of ['lost', 'unanswered'] as const) {
      const planned = storageFaultAt(party, { at, how })(calm);
      wrong.push(
        ...wrongIn(planned, { party, ...expected }).map((text) => `append ${at} of ${party} is ${how}: ${text}`),
      );
    }
  }
  return wrong;
}

function wrongIn(planned: Scenario, { party, money, behaviours }: Expected): string[] {
  const ended = outcomeOf(planned, behaviours);
  const wrong = ended.violations.map(({ rule, text }) => `${rule} ${text}`);
  if (ended.world.nodes[party].restarts !== 1) wrong.push('there was no restart');
  if (!isDeepStrictEqual(ended.money, money)) wrong.push(`the money is ${JSON.stringify(ended.money)}`);
  return wrong;
}
