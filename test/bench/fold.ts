import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createActor, initialTransition, transition } from 'xstate';
import { takerSwap } from '../../machines/taker-swap/definition.ts';
import { takerSwapChart } from '../../machines/taker-swap/machine.ts';
import type { TakerEvent } from '../../src/events/taker.ts';
import { compile } from '../../src/replay/compile.ts';
import { fold } from '../../src/replay/fold.ts';
import { benchSwap } from './data.ts';
import { assertSame, median, type Row, rateRow, type SuiteOptions } from './measure.ts';

const SWAPS = 250;
/** The chart is slow enough that fewer swaps give a steady time. */
const CHART_SWAPS = 50;
const REPEAT = 100;

const machine = compile(takerSwap);

const WAYS = {
  table: (events: readonly TakerEvent[]) => fold(machine, events),
  transition(events: readonly TakerEvent[]) {
    let [snapshot] = initialTransition(takerSwapChart);
    for (const event of events) [snapshot] = transition(takerSwapChart, snapshot, event);
    return { state: snapshot.value, context: snapshot.context };
  },
  actor(events: readonly TakerEvent[]) {
    const actor = createActor(takerSwapChart).start();
    for (const event of events) actor.send(event);
    const { value: state, context } = actor.getSnapshot();
    actor.stop();
    return { state, context };
  },
};

type Way = keyof typeof WAYS;
const NAMES = Object.keys(WAYS) as Way[];

function built(swaps: number): readonly (readonly TakerEvent[])[] {
  return Array.from({ length: swaps }, (_, seed) => benchSwap(seed).events as readonly TakerEvent[]);
}

/**
 * The fold alone, over events that are parsed already: our table against the chart's own ways of taking an event.
 *
 * Each way has a process of its own, for they share the recipes: an engine that has seen them work on immer's proxies
 * compiles them differently. Rounds are interleaved.
 */
export async function* foldSuite({ rounds }: SuiteOptions): AsyncGenerator<Row> {
  for (const events of built(10)) {
    const expected = WAYS.table(events);
    for (const name of NAMES) assertSame(WAYS[name](events), expected, `the table and the ${name}`);
  }
  const children = new Map(NAMES.map((name) => [name, fork(import.meta.filename, ['--fold', name])]));
  const times = new Map<Way, number[]>(NAMES.map((name) => [name, []]));
  try {
    for (let round = -1; round < rounds; round++) {
      for (const [name, child] of children) {
        const time = await roundOf(child);
        if (round >= 0) times.get(name)?.push(time);
      }
    }
  } finally {
    for (const child of children.values()) child.disconnect();
  }
  const of = (name: Way) => median(times.get(name) ?? []);
  yield rateRow('fold: table vs XState transition', { ours: of('table'), reference: of('transition') });
  yield rateRow('fold: table vs XState actor', { ours: of('table'), reference: of('actor') });
}

async function roundOf(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message');
  child.send('round');
  const [time] = (await answer) as [number];
  return time;
}

/** Nanoseconds per event of one round. */
function timeOf(name: Way, logs: readonly (readonly TakerEvent[])[]): number {
  const repeat = name === 'table' ? REPEAT : 1;
  const start = performance.now();
  let events = 0;
  for (let turn = 0; turn < repeat; turn++) {
    for (const log of logs) {
      WAYS[name](log);
      events += log.length;
    }
  }
  return ((performance.now() - start) * 1e6) / events;
}

const [flag, given] = process.argv.slice(2);
const own = NAMES.find((name) => name === given);
if (flag === '--fold' && own !== undefined) {
  const logs = built(own === 'table' ? SWAPS : CHART_SWAPS);
  process.on('message', () => process.send?.(timeOf(own, logs)));
}
