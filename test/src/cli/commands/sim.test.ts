import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAULT_HEADS } from '../../../../src/cli/render/sim.ts';
import { FAULT_KINDS } from '../../../../src/testing/world/simulate.ts';
import { jsonRows, runCli, scratchFolder } from '../../../support/cli.ts';

describe('sim', () => {
  it('has a head of its own for every kind of fault, and tells what it stands for', async () => {
    expect(Object.keys(FAULT_HEADS)).toEqual([...FAULT_KINDS]);
    expect(new Set(Object.values(FAULT_HEADS)).size).toBe(FAULT_KINDS.length);
    expect(Object.values(FAULT_HEADS).filter((head) => head.length > 5)).toEqual([]);
    const { out } = await runCli(['sim', '--runs', '20']);
    expect(out).toMatch(/ mLoss mTwic mLate /);
    expect(out.replace(/\s+/g, ' ')).toContain('mLoss messageLoss, mTwic messageDuplicate, mLate messageDelay');
  });

  it('--scenario runs what --runs 1 --json has printed, whole or the scenario alone', async () => {
    using scratch = scratchFolder();
    const drawn = await runCli(['sim', '--seed', '17', '--runs', '1', '--json']);
    const [row] = jsonRows<{ readonly scenario: object }>(drawn.out);
    writeFileSync(scratch.file('row.json'), drawn.out);
    writeFileSync(scratch.file('alone.json'), JSON.stringify(row?.scenario));
    for (const name of ['row.json', 'alone.json']) {
      const again = await runCli(['sim', '--scenario', scratch.file(name), '--json']);
      expect([again.code, again.out]).toEqual([drawn.code, drawn.out]);
    }
    const { out } = await runCli(['sim', '--scenario', scratch.file('alone.json')]);
    expect(out).toContain(`Scenario of ${scratch.file('alone.json')}`);
  });

  it('--seed takes what makes a scenario of its own, and no more', async () => {
    for (const seed of ['9007199254740992', '-1', '1.5', 'x']) {
      const { code, err } = await runCli(['sim', '--seed', seed, '--runs', '1']);
      expect([seed, code]).toEqual([seed, 2]);
      expect(err).toContain('--seed');
    }
    const { code } = await runCli(['sim', '--seed', '4294967295', '--runs', '1']);
    expect(code).toBe(0);
    // Above it are the seeds to which a guide leads, each of one run.
    expect((await runCli(['sim', '--seed', '4294967296', '--runs', '1'])).out).toMatch(/^Seed 4294967296\n/);
    const many = await runCli(['sim', '--seed', '4294967296', '--runs', '2']);
    expect([many.code, many.err]).toEqual([2, expect.stringContaining('--runs 1')]);
  });

  it('tells which states, events and faults never met, in short and as a whole', async () => {
    const { out } = await runCli(['sim', '--runs', '40']);
    expect(out).toMatch(/State, event and fault in force at that moment: \d+ of \d+ reached\nNever: /);
    const { out: json } = await runCli(['sim', '--runs', '40', '--json']);
    const [row] = jsonRows<{ readonly unreached: readonly object[]; readonly meetings: object }>(json);
    expect(row?.unreached.length).toBeGreaterThan(20);
    expect(row?.meetings).toHaveProperty(['taker/created/Started', 'met']);
  });

  it('tells the seed that it was given, by which the run is seen again', async () => {
    const { out } = await runCli(['sim', '--seed', '31', '--runs', '1']);
    expect(out).toMatch(/^Seed 31\n/);
    const { out: json } = await runCli(['sim', '--seed', '31', '--runs', '1', '--json']);
    const [row] = jsonRows<{ readonly seed: number; readonly scenario: { readonly seed: number } }>(json);
    expect([row?.seed, row?.scenario.seed]).toEqual([31, 31]);
  });

  it('--scenario says what is wrong with a file that holds none', async () => {
    using scratch = scratchFolder({
      'text.json': 'no',
      'other.json': '{"seed":1}',
      'wrong.json': '{"scenario":{"useWatcher":true}}',
    });
    const told = async (name: string) => {
      const { code, err } = await runCli(['sim', '--scenario', scratch.file(name)]);
      return [code, err];
    };
    expect(await told('text.json')).toEqual([2, expect.stringContaining('holds no scenario: the text is not JSON')]);
    expect(await told('other.json')).toEqual([2, expect.stringContaining('scenario.fidelity is missing')]);
    expect(await told('wrong.json')).toEqual([2, expect.stringContaining('scenario has no member useWatcher')]);
    expect(await told('none.json')).toEqual([1, expect.stringContaining('[FILE_NOT_FOUND]')]);
  });
});

describe('check', () => {
  it('does not say of a search that was given up that no rule was broken', async () => {
    const given = await runCli(['check', '--crashes', '0', '--max-states', '100']);
    expect(given.code).toBe(1);
    expect(given.out).toMatch(
      /No rule was broken in what was seen\. 1 search was given up before it was complete\.\n$/,
    );
    expect(given.out).not.toContain('No rule was broken. ');
  });
});
