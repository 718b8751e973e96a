import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonlText } from '../../../src/events/jsonl.ts';
import type { SwapLog } from '../../../src/events/saved-swap.ts';
import { runWorld } from '../../../src/sim/world/advance.ts';
import { generateScenario } from '../../../src/sim/world/generate.ts';
import { readStream, storedStream } from '../../../src/sim/world/stored-log.ts';
import { createWorld } from '../../../src/sim/world/world.ts';
import { type CliRun, jsonRows, runCli, scratchFolder } from '../../support/cli.ts';

// Two swaps of the simulator in which one side got both payments, for good: of a taker whose maker claimed after its own refund was in a block,
// and of a maker on a chain that refunds by itself.

const SIDES = { taker: 331, maker: 993 } as const;
const TOLD = 'the other side has both payments, and nothing on the chains brings the coins back.';
/** What a person or a node would be sent to do. */
const ERRAND = /at once|someone must act|with the secret at|is ordered/i;

describe.each(Object.entries(SIDES))('a swap that is lost for its %s', (role, seed) => {
  let log: SwapLog;

  beforeAll(() => {
    const world = createWorld(generateScenario(seed));
    runWorld(world);
    log = readStream(storedStream(world.nodes[role as keyof typeof SIDES]));
  });

  const told = ({ out, err }: CliRun): string => `${out}${err}`.replace(/\s+/g, ' ');

  it('is called lost by every command that reads its file, gives nobody a task, and is a finding', async () => {
    using scratch = scratchFolder();
    const file = join(scratch.path, 'lost.jsonl');
    writeFileSync(file, jsonlText(log));
    for (const command of ['replay', 'explain', 'timeline']) {
      const run = await runCli([command, file]);
      expect([command, run.code]).toEqual([command, 1]);
      expect(told(run), command).not.toMatch(ERRAND);
    }
    expect(jsonRows((await runCli(['replay', file, '--json'])).out)[0]).toMatchObject({
      outcome: 'lost',
      next: null,
    });
    expect(told(await runCli(['explain', file]))).toContain('Nothing on the chains brings');
  });

  it('is lost in a durable log too, where nothing is ordered', async () => {
    using scratch = scratchFolder();
    const [file, path] = [join(scratch.path, 'lost.jsonl'), join(scratch.path, 'log.db')];
    writeFileSync(file, jsonlText(log));
    expect((await runCli(['import', file, '--log', path])).code).toBe(1);
    for (let times = 0; times < 2; times++) {
      const status = await runCli(['status', '--log', path]);
      expect([status.code, told(status)]).toEqual([1, expect.stringContaining(`Nothing is left to do: ${TOLD}`)]);
      const recovery = await runCli(['recover', log.uuid, '--log', path]);
      expect([recovery.code, told(recovery)]).toEqual([1, expect.stringContaining(`Nothing was ordered: ${TOLD}`)]);
    }
    const [row] = jsonRows((await runCli(['recover', log.uuid, '--log', path, '--json'])).out);
    expect(row).toMatchObject({ role, ordered: false, outcome: 'lost', reason: TOLD });
  });
});
