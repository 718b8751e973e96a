import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { crashAt, scenario } from '../../../../src/sim/world/build.ts';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import { keepRun } from '../../../../src/sim/world/keep-run.ts';
import { SOUND } from '../../../../src/sim/world/node.ts';
import { assertSound, BrokenRuleError, renderRun } from '../../../../src/sim/world/render-run.ts';
import { runScenario } from '../../../../src/sim/world/simulate.ts';
import { jsonRows, runCli, scratchFolder } from '../../../support/cli.ts';
import { plantedBugs } from '../../../support/planted-bugs.ts';

const bug = plantedBugs['refundAfterSecret'];
const broken = () => {
  const behaviours = { taker: bug?.plant(SOUND) ?? SOUND };
  return runScenario(generateScenario(3), { behaviours });
};

describe('a run as text', () => {
  it('is what the command line prints for its seed', async () => {
    for (const seed of [3, 17, 31]) {
      const { out } = await runCli(['sim', '--seed', String(seed), '--runs', '1'], { columns: 120 });
      const style = { bold: String, dim: String, yellow: String, columns: 120 };
      expect(renderRun(runScenario(generateScenario(seed)), { style })).toBe(out);
    }
  });

  it('reports a broken rule with the whole timeline, and how to see it again', () => {
    const result = broken();
    expect(() => assertSound(result)).toThrow(BrokenRuleError);
    const text = renderRun(result);
    expect(text).toMatch(/^Seed 3\n/);
    expect(text).toContain('TakerPaymentSent');
    expect(text).toContain('R2 broken by the taker');
    expect(text).toContain('See it again: runScenario of generateScenario(3) with the same options');
    expect(() => assertSound(runScenario(scenario()))).not.toThrow();
  });

  it('names the command that draws the same run, or says that the scenario must be kept', () => {
    expect(runScenario(generateScenario(9)).repeat).toBe('swapfold sim --seed 9 --runs 1');
    const calm = Array.from({ length: 50 }, (_, seed) => seed).find((seed) => {
      return runScenario(generateScenario(seed, { adversaries: false })).repeat.endsWith('--no-adversaries');
    });
    expect(calm).toBeDefined();
    const changed = { ...generateScenario(9), lockDuration: 9000 };
    expect(runScenario(changed).repeat).toContain('keepRun');
  });
});

describe('a run that is kept', () => {
  it('is a file that sim runs again, alone or with the others of its folder', async () => {
    using scratch = scratchFolder();
    const first = runScenario(scenario(crashAt('taker', { at: 9, when: 'after', downFor: 300 })));
    const folder = scratch.file('kept');
    const file = keepRun(first, folder);
    expect(readFileSync(file.replace('.json', '.txt'), 'utf8')).toBe(renderRun(first));
    const alone = await runCli(['sim', '--scenario', folder, '--json']);
    expect(alone.code).toBe(0);
    const [row] = jsonRows<{ readonly endings: unknown }>(alone.out);
    expect(row?.endings).toEqual(first.endings);

    keepRun(broken(), folder);
    keepRun(first, folder);
    expect(readdirSync(folder).filter((name) => name.endsWith('.json'))).toHaveLength(2);
    const all = await runCli(['sim', '--scenario', folder]);
    expect(all.code).toBe(0);
    expect(all.out).toContain('2 stored scenarios, 0 of them break a rule.');
  });

  it('in an empty folder is asked for, and one with its own program is not run without it', async () => {
    using scratch = scratchFolder({ 'kept.txt': '' });
    const own = { ...scenario(), parties: { ...scenario().parties } };
    const maker = { ...own.parties.maker, conduct: { kind: 'custom', name: 'thief' } as const };
    const result = runScenario({ ...own, parties: { ...own.parties, maker } }, { conducts: { thief: () => ({}) } });
    keepRun(result, scratch.file('programs'));
    const told = await runCli(['sim', '--scenario', scratch.file('programs')]);
    expect([told.code, told.err]).toEqual([2, expect.stringContaining('the maker of')]);
    const empty = await runCli(['sim', '--scenario', scratch.file('.')]);
    expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('holds no scenario')]);
  });
});
