import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../../src/events/encode.ts';
import { benchSwap } from '../../../bench/data.ts';
import { builtModule } from '../../../support/built.ts';
import { scratchFolder } from '../../../support/cli.ts';

const run = promisify(execFile);

/** More than 8 MiB, so that the answer is read piece by piece and the heap is as large as it gets. */
const FEW = 1_600;
/** A command takes less than a millisecond for a swap, an explanation two. */
const MANY = { import: 8_000, replay: 8_000, audit: 8_000, explain: 4_000, timeline: 4_000 } as const;
/** A swap that stays in memory as it was read takes 10 kB, and one that is driven 15. The log's own heads of streams, of which it keeps 20,000, take 1 MB here. */
const MOST_MORE_MB = 16;
/** Events of an unfinished swap; three of each four are. */
const UNFINISHED_EVENTS = 7;

const SCRIPT = `
const [built, memory, ...argv] = process.argv.slice(1);
const [{ run }, { peakMemory }] = [await import(built), await import(memory)];
const { stdin, stdout, stderr, env } = process;
const code = await run(argv, { stdin, stdout, stderr, env });
console.log(JSON.stringify({ code, peak: peakMemory() / 1024 ** 2 }));`;

/** One answer of a node with so many swaps, none of which has anything in common with another. */
function writeAnswer(path: string, swaps: number): void {
  const whole = benchSwap(0);
  const { uuid } = whole;
  const cut = { ...whole, events: whole.events.slice(0, UNFINISHED_EVENTS) };
  const texts = { whole: savedSwapText(whole), cut: savedSwapText(cut) };
  const file = openSync(path, 'w');
  writeSync(file, '{"result":{"swaps":[');
  for (let index = 0; index < swaps; index++) {
    const digits = index.toString(16).padStart(8, '0');
    const own = (index % 4 === 0 ? texts.whole : texts.cut)
      .replaceAll(uuid, digits + uuid.slice(8))
      .replace(
        /"([0-9a-f]{40}|[0-9a-f]{64}|0[23][0-9a-f]{64})"/g,
        (_, hex: string) => `"${hex.slice(0, 4)}${digits}${hex.slice(12)}"`,
      );
    writeSync(file, `${index === 0 ? '' : ','}${own}`);
  }
  writeSync(file, `],"total":${swaps}}}`);
  closeSync(file);
}

/** The peak of memory of a command, in MB, with little room for what is garbage already. */
async function peakOf(argv: readonly string[]): Promise<number> {
  const flags = ['--max-old-space-size=64', '--max-semi-space-size=2', '--input-type=module', '-e', SCRIPT];
  const built = [builtModule('src/cli/run.js'), builtModule('src/cli/peak-memory.js')];
  const { stdout } = await run(process.execPath, [...flags, ...built, ...argv], { maxBuffer: 2 ** 28 });
  const { code, peak } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { code: number; peak: number };
  // What these recompute from changed ids does not fit them.
  expect(code).toBe(argv[0] === 'audit' || argv[0] === 'explain' ? 1 : 0);
  return peak;
}

describe('a JSON answer of a node with many swaps', () => {
  it.each(Object.entries(MANY))('is read by %s in memory that does not grow with it', async (name, many) => {
    using scratch = scratchFolder();
    const peaks: number[] = [];
    for (const swaps of [FEW, many]) {
      const answer = scratch.file(`${swaps}.json`);
      writeAnswer(answer, swaps);
      const log = name === 'import' ? ['--log', scratch.file(`${swaps}.db`)] : [];
      peaks.push(await peakOf([name, answer, '--json', ...log]));
    }
    const [few = Number.NaN, most = Number.NaN] = peaks;
    expect(most - few).toBeLessThan(MOST_MORE_MB);
  });
});
