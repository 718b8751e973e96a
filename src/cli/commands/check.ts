import { performance } from 'node:perf_hooks';
import { type Bounds, boundsOf } from '../../testing/check/bounds.ts';
import { type CheckResult, check } from '../../testing/check/check.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { createOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { checkRowText, checkSummary } from '../render/check.ts';
import { styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';

export type CheckCommandOptions = {
  readonly crashes?: number;
  readonly nodeErrors?: number;
  readonly losses?: number;
  readonly preemptions?: number;
  readonly reorgs?: number;
  readonly drops?: number;
  readonly adversary?: Bounds['adversary'];
  readonly watcher?: Bounds['watcher'];
  readonly maxStates?: number;
  readonly json?: boolean;
};

/** The bounds that `swapfold check` explores where none are given: one trouble of each kind, and each kind of opponent. */
export const PUBLISHED_BOUNDS: readonly Partial<Bounds>[] = [
  {},
  { crashes: 1 },
  { crashes: 2 },
  { nodeErrors: 1 },
  { losses: 1 },
  { preemptions: 1 },
  { reorgs: 1 },
  { drops: 1 },
  { crashes: 1, nodeErrors: 1 },
  { crashes: 1, watcher: 'engine' },
  { adversary: 'taker' },
  { adversary: 'maker' },
];

/** `swapfold check`: everything that can happen within bounds, held against the money rules. */
export async function checkCommand({
  io,
  json = false,
  maxStates,
  ...given
}: CheckCommandOptions & { readonly io: CliIo }): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const style = styleOf(io);
  const own = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<Bounds>;
  const plans = Object.keys(own).length === 0 ? PUBLISHED_BOUNDS : [own];
  const results: CheckResult[] = [];
  const progress = createProgress(io, { unit: 'states' });
  for (const plan of plans) {
    const result = check(plan, {
      clock: () => performance.now(),
      onProgress: (states) => progress.at(states),
      ...(maxStates === undefined ? {} : { maxStates }),
    });
    results.push(result);
    progress.clear();
    if (json) await output.write(jsonLine({ bounds: boundsOf(plan), ...result }));
    else await output.write(checkRowText(plan, result, style));
    await output.flush();
  }
  if (!json) await output.write(checkSummary(results));
  await output.flush();
  return results.every(({ violations, complete }) => complete && violations.length === 0) ? EXIT.ok : EXIT.findings;
}
