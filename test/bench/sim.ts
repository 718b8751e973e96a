import type { NewRecord } from '../../src/ports/event-log.ts';
import { generateScenario } from '../../src/sim/world/generate.ts';
import { runScenario } from '../../src/sim/world/simulate.ts';
import { assertSame, measure, type Row, type SuiteOptions } from './measure.ts';

const RUNS = 2_000;
/** Until the last of the code is compiled. */
const WARM_UP = 8;

type Run = { readonly seed: number; readonly records: readonly NewRecord[] };

function run(seed: number): Run {
  const records: NewRecord[] = [];
  const { violations } = runScenario(generateScenario(seed), {
    watch: { appended: (_world, _node, appended) => records.push(...(appended as readonly NewRecord[])) },
  });
  assertSame(violations, [], `the money rules in the run of seed ${seed}`);
  return { seed, records };
}

/**
 * Simulated swaps with every fault, one after the other on one thread: both sides' engines, both chains, the network and the
 * judge. Beside it the least that a log costs anybody: the events of the same runs, written as JSON and read back.
 */
export async function* simSuite({ rounds, swaps = RUNS }: SuiteOptions): AsyncGenerator<Row> {
  const runs = Array.from({ length: swaps }, (_, seed) => run(seed + 1));
  const logs = runs.map(({ records }) => records);
  assertSame(run(1).records, logs[0], 'two runs of one seed');
  const times = await measure(
    {
      ours: () => {
        for (const { seed } of runs) runScenario(generateScenario(seed));
        return swaps;
      },
      reference: () => {
        for (const log of logs) JSON.parse(JSON.stringify(log));
        return swaps;
      },
    },
    { rounds, warmUp: WARM_UP },
  );
  yield {
    name: 'simulated swaps on one thread, vs JSON of their logs',
    unit: 'swaps/s',
    ours: 1e9 / times.ours,
    reference: 1e9 / times.reference,
    ratio: times.reference / times.ours,
  };
}
