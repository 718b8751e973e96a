import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jsonlText } from '../../../../src/events/jsonl.ts';
import { decodeSwapsText } from '../../../../src/events/wrappers.ts';
import { jsonRows, runCli, SAMPLES, scratchFolder } from '../../../support/cli.ts';

const refunded = readFileSync(`${SAMPLES}/sound/refunded.json`, 'utf8');
// A refund by another transaction than the one whose id is stored.
const changed = refunded.replace(/("tx_hash": ")[0-9a-f]{8}/, '$1deadbeef');

type Row = {
  readonly audit: { readonly violated: number; readonly checks: readonly { status: string; check: string }[] };
};

describe('audit', () => {
  it('counts the checks and shows both values of a violated one', async () => {
    const { code, out } = await runCli(['audit', '-'], { stdin: changed });
    expect(code).toBe(1);
    expect(out).toMatchInlineSnapshot(`
      "29c2b538  46 verified, 1 violated, 0 not checkable  -
        ! transaction-id at event 2
            expected  0e42e8c3d0444e383a5746a17333571fb339f2ea7442963fd40752c9fec32b6d
            found     deadbeefd0444e383a5746a17333571fb339f2ea7442963fd40752c9fec32b6d
      1 swap: 46 verified, 1 violated, 0 not checkable
      violated: 1 transaction-id
      "
    `);
  });

  it('--only violated leaves out the rest', async () => {
    const { code, out } = await runCli(['audit', '--only', 'violated', `${SAMPLES}/sound`, '-'], { stdin: changed });
    expect(code).toBe(1);
    expect(out.split('\n').filter((line) => /verified/.test(line))).toHaveLength(3);
    expect(out).toContain(
      '  look coins are at risk, and no node moves them automatically: swapfold explain tells what to do',
    );
    const json = await runCli(['audit', '--json', '--only', 'violated', '-'], { stdin: changed });
    const [row] = jsonRows<Row>(json.out);
    expect(row?.audit.checks.every(({ status }) => status === 'violated')).toBe(true);
    expect(row?.audit.checks).toHaveLength(row?.audit.violated ?? 0);
  });

  it('--json gives file, uuid and report', async () => {
    const { code, out } = await runCli(['audit', '--json', `${SAMPLES}/sound/completed.json`]);
    expect(code).toBe(0);
    const [row] = jsonRows<Row>(out);
    expect(Object.keys(row ?? {})).toEqual(['file', 'uuid', 'audit']);
    expect(Object.keys(row?.audit ?? {})).toEqual(['verified', 'violated', 'notCheckable', 'checks']);
  });

  it('compares swaps of one folder with one another', async () => {
    const other = '29c2b538-0000-4000-8000-000000000001';
    const uuid = /"uuid": ?"([0-9a-f-]{36})"/.exec(refunded)?.[1] ?? '';
    expect(uuid).not.toBe('');
    using scratch = scratchFolder({ 'a.json': refunded, 'b.json': refunded.replaceAll(uuid, other) });
    const { code, out } = await runCli(['audit', '--only', 'violated', scratch.path]);
    expect(code).toBe(1);
    expect(out).toContain('! one-swap at event');
    const flat = out.replaceAll(/\s+/g, ' ');
    expect(flat).toContain(`which swap ${uuid} has`);
    expect(flat).toContain(`of swap ${other} alone`);
    const alone = await runCli(['audit', '--only', 'violated', scratch.file('a.json'), scratch.file('a.json')]);
    expect([alone.code, alone.out.includes('one-swap')]).toEqual([0, false]);
  });

  it('checks sealed records against their seals', async () => {
    const [swap] = decodeSwapsText(refunded);
    if (swap === undefined || !swap.ok) throw new Error('nothing read');
    const sealed = jsonlText(swap.log);
    const checks = async (stdin: string) => {
      const { out } = await runCli(['audit', '--json', '-'], { stdin });
      const found = jsonRows<Row>(out)[0]?.audit.checks ?? [];
      return found.filter(({ check }) => check === 'hash-chain').map(({ status }) => status);
    };
    expect(await checks(sealed)).toEqual(['verified']);
    expect(await checks(sealed.replace('"at":17345', '"at":17344'))).toEqual(['violated']);
  });
});
