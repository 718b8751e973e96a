import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAULT_HEADS } from '../../../../src/cli/render/sim.ts';
import { conductOf, scenario } from '../../../../src/sim/world/build.ts';
import { FAULT_KINDS } from '../../../../src/sim/world/simulate.ts';
import { jsonRows, runCli, scratchFolder } from '../../../support/cli.ts';

describe('sim', () => {
  it('has its own heading for every kind of fault, and explains it', async () => {
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

  it('--seed accepts only what makes a complete scenario', async () => {
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

  it('shows which states, events and faults never met, in short and as a whole', async () => {
    const { out } = await runCli(['sim', '--runs', '12']);
    expect(out).toMatch(/State, event and fault in force at the same time: \d+ of \d+ reached\nNever: /);
    const { out: json } = await runCli(['sim', '--runs', '12', '--json']);
    const [row] = jsonRows<{ readonly unreached: readonly object[]; readonly meetings: object }>(json);
    expect(row?.unreached.length).toBeGreaterThan(20);
    expect(row?.meetings).toHaveProperty(['taker/created/Started', 'met']);
  });

  it('prints the given seed, which shows the run again', async () => {
    const { out } = await runCli(['sim', '--seed', '31', '--runs', '1']);
    expect(out).toMatch(/^Seed 31\n/);
    const { out: json } = await runCli(['sim', '--seed', '31', '--runs', '1', '--json']);
    const [row] = jsonRows<{ readonly seed: number; readonly scenario: { readonly seed: number } }>(json);
    expect([row?.seed, row?.scenario.seed]).toEqual([31, 31]);
  });

  it('--scenario refuses what says how others are drawn, and --runtime draws its own', async () => {
    using scratch = scratchFolder({ 'calm.json': JSON.stringify(scenario()) });
    const told = async (...more: readonly string[]) => {
      const { code, err } = await runCli(['sim', '--scenario', scratch.file('calm.json'), ...more]);
      return [code, err];
    };
    const text =
      '--scenario runs what is stored, and --seed says what is drawn: leave out --seed, or change the member';
    expect(await told('--seed', '7')).toEqual([2, expect.stringContaining(text)]);
    expect(await told('--seed', '1')).toEqual([2, expect.stringContaining(text)]);
    expect(await told('--runs', '9')).toEqual([2, expect.stringContaining('leave out --runs.')]);
    expect(await told('--no-adversaries')).toEqual([2, expect.stringContaining('leave out --no-adversaries.')]);
    expect(await told('--runtime')).toEqual([2, expect.stringContaining('--runtime draws its own markets')]);
    expect(await told('--workers', '2', '--no-coverage')).toEqual([0, '']);
  });

  it('--scenario runs all that a folder keeps beside files that hold none, and names these', async () => {
    using scratch = scratchFolder({
      'a.json': 'no',
      'b.json': JSON.stringify(scenario({ useWatchers: true })),
      'c.json': JSON.stringify({ ...scenario(), horizon: 0 }),
      'd.json': JSON.stringify(scenario()),
      'e.json': JSON.stringify(scenario(conductOf('taker', { kind: 'custom', name: 'thief' }))),
    });
    mkdirSync(scratch.file('f.json'));
    const { code, out, err } = await runCli(['sim', '--scenario', scratch.path], { columns: 400 });
    expect([code, err]).toEqual([1, '']);
    expect(out.split('\n').map((line) => line.replaceAll(scratch.path, 'kept'))).toEqual([
      'Not run: kept/a.json holds no scenario: the text is not JSON',
      'kept/b.json: no rule was broken.',
      'Not run: kept/c.json holds no scenario: scenario.horizon is 0; allowed: a whole number from 1.',
      'kept/d.json: no rule was broken.',
      expect.stringMatching(/^Not run: the taker of kept\/e.json has a conduct of its own/),
      expect.stringMatching(/^Not run: .*kept\/f.json/),
      '2 stored scenarios, 0 of them break a rule. 4 files were not run.',
      '',
    ]);
    const json = await runCli(['sim', '--scenario', scratch.path, '--json']);
    const rows = jsonRows<{ readonly from: string; readonly error?: string; readonly endings?: unknown }>(json.out);
    expect([json.code, rows.map(({ error }) => error === undefined)]).toEqual([
      1,
      [false, true, false, true, false, false],
    ]);
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
  it('does not say of an abandoned search that no rule was broken', async () => {
    const given = await runCli(['check', '--crashes', '0', '--max-states', '100']);
    expect(given.code).toBe(1);
    expect(given.out.replaceAll(/\s+/g, ' ')).toMatch(
      /No rule was broken in the states explored\. 1 search was abandoned before it was complete\. $/,
    );
    expect(given.out).not.toContain('No rule was broken. ');
  });

  it('lets chains with accounts pay watchers, and says so of others that they do not', async () => {
    const small = ['check', '--rewards', '--watcher', 'engine', '--max-states', '50', '--json'];
    const { out } = await runCli([...small, '--taker-chain', 'account']);
    expect(JSON.parse(out)).toMatchObject({
      bounds: { rewards: true, watcher: 'engine', chains: { maker: 'utxo', taker: 'account' } },
    });
    for (const chains of [[], ['--maker-chain', 'autoRefund']]) {
      const refused = await runCli([...small, ...chains]);
      expect([refused.code, refused.err]).toEqual([
        2,
        expect.stringContaining('--rewards is about chains with accounts'),
      ]);
    }
  });
});
