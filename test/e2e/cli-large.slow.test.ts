import { spawn } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { MOST_OF_A_KIND } from '../../src/cli/repeated-errors.ts';
import { savedSwapText } from '../../src/events/encode.ts';
import { buildSwap, successPath } from '../../src/testing/logs/swap-builder.ts';
import { scratchFolder } from '../support/cli.ts';
import { BIN, type Ended, ended, swapfold } from '../support/cli-process.ts';
import { draws } from '../support/draws.ts';

const BAD_LINES = draws({ change: 200_000, release: 10_000_000 });
const LINES_A_BLOCK = 100_000;
/** Of a process that starts with some 80 and reads ten million bad lines with 365; two gigabytes where each error is kept. */
const MOST_MB = 500;
const EVENTS = 150_000;

// The kernel's own count: that of getrusage begins with the peak of whoever starts the process.
const TELL_PEAK = `import { readFileSync, writeSync } from 'node:fs';
process.on('exit', () => writeSync(2, /VmHWM:.*/.exec(readFileSync('/proc/self/status', 'utf8'))[0]));`;

/** Runs the command line, which tells its peak of memory last. */
async function measured(argv: readonly string[]): Promise<Ended & { readonly megabytes: number }> {
  const preload = `data:text/javascript,${encodeURIComponent(TELL_PEAK)}`;
  const done = await ended(spawn(process.execPath, ['--import', preload, BIN, ...argv], { stdio: 'pipe' }), '');
  return { ...done, megabytes: Number(/VmHWM:\s+(\d+) kB/.exec(done.err)?.[1]) / 1024 };
}

describe('input without bounds', () => {
  it.skipIf(process.platform !== 'linux')(
    `${BAD_LINES.toLocaleString('en-GB')} bad lines of two kinds are reported in 202 errors, in bounded memory`,
    async () => {
      using scratch = scratchFolder();
      const blocks = function* () {
        const block = Buffer.from('x\n{"a":1}\n'.repeat(LINES_A_BLOCK / 2));
        for (let lines = 0; lines < BAD_LINES; lines += LINES_A_BLOCK) yield block;
      };
      await pipeline(Readable.from(blocks()), createWriteStream(scratch.file('bad.jsonl')));
      const { code, out, err, megabytes } = await measured(['replay', scratch.file('bad.jsonl')]);
      expect(code).toBe(1);
      expect(out).toMatch(/^0 swaps\n/);
      expect(err.match(/^error/gm)).toHaveLength(2 * (MOST_OF_A_KIND + 1));
      const more = `There are ${BAD_LINES / 2 - MOST_OF_A_KIND} more errors of this kind`;
      expect(err.replaceAll(/\s+/g, ' ').split(more)).toHaveLength(3);
      expect(megabytes).toBeLessThan(MOST_MB);
    },
    1_800_000,
  );

  it(`the timeline of ${EVENTS.toLocaleString('en-GB')} events has a line for each`, async () => {
    using scratch = scratchFolder();
    const log = buildSwap({ role: 'taker', path: successPath('taker', { era: 'current', watchers: false }), seed: 7 });
    const again = log.events.find(({ type }) => type === 'TakerFeeSent');
    if (again === undefined) throw new Error('the path has no fee');
    const events = [...log.events, ...Array.from({ length: EVENTS - log.events.length }, () => again)];
    writeFileSync(scratch.file('long.json'), savedSwapText({ ...log, events }));
    const { code, out } = await swapfold(['timeline', scratch.file('long.json')]);
    // An event after the end is a finding, however many there are.
    expect(code).toBe(1);
    expect(out.match(/ TakerFeeSent /g)?.length).toBe(EVENTS - log.events.length + 1);
    const rows = await swapfold(['timeline', '--json', scratch.file('long.json')]);
    expect(
      (JSON.parse(rows.out) as { rows: { kind: string }[] }).rows.filter(({ kind }) => kind === 'event'),
    ).toHaveLength(EVENTS);
  }, 600_000);
});
