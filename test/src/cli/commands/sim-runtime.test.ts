import { describe, expect, it } from 'vitest';
import { jsonRows, runCli } from '../../../support/cli.ts';
import { draws } from '../../../support/draws.ts';

const RUNS = String(draws({ sample: 2, change: 5 }));

describe('sim --runtime', () => {
  it('shows in figures what became of the payments, and that the parts of the sum do not depend on threads', async () => {
    const one = await runCli(['sim', '--runtime', '--seed', '40', '--runs', RUNS, '--json']);
    const [row] = jsonRows<{ readonly runs: number; readonly swaps: number; readonly violations: unknown[] }>(one.out);
    expect([one.code, row?.runs, row?.violations]).toEqual([0, Number(RUNS), []]);
    expect(row?.swaps).toBeGreaterThan(Number(RUNS));
    const { out, code } = await runCli(['sim', '--runtime', '--seed', '40', '--runs', RUNS]);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^${RUNS} markets from seed 40 with \\d+ swaps, `));
    expect(out).toContain('No rule was broken.');
  });

  it('shows one market with the logs of all its parties', async () => {
    const { out, code } = await runCli(['sim', '--runtime', '--seed', '3', '--runs', '1']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Seed 3\nswap 0: \w+ gives /);
    expect(out).toContain('swap 0  SwapRequested');
    expect(out).toMatch(/own payment (taken|back|none|open)\n/);
    const again = await runCli(['sim', '--runtime', '--seed', '3', '--runs', '1']);
    expect(again.out).toBe(out);
  });

  it('accepts no stored scenario', async () => {
    const { code, err } = await runCli(['sim', '--runtime', '--scenario', 'x.json']);
    expect(code).toBe(2);
    expect(err).toContain('--runtime draws its own markets: leave out --scenario');
  });
});
