import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import { runCli, scratchFolder } from '../../../support/cli.ts';

const SAMPLE = 'docs/samples/sound/claim-failed.json';
const { uuid, ...sample } = JSON.parse(readFileSync(SAMPLE, 'utf8')) as {
  readonly uuid: string;
  readonly maker_coin: string;
  readonly taker_coin: string;
};

async function lastRecord(path: string): Promise<unknown> {
  const log = await openSqliteLog({ path, readOnly: true });
  const [found] = await log.find({});
  const records = await log.read(found?.stream ?? '');
  await log.close();
  const { type, data } = records.at(-1) ?? {};
  return { type, data };
}

describe('an order about the fees of a swap', () => {
  it('is an event of the log: how much, on which chain, and why', async () => {
    using scratch = scratchFolder();
    const path = scratch.file('swaps.db');
    expect((await runCli(['import', '--log', path, SAMPLE])).code).toBe(1);
    const order = (coin: string, most: string, ...more: string[]) =>
      runCli(['allow-fees', uuid, '--log', path, '--coin', coin, '--most', most, ...more]);
    const raised = await order(sample.taker_coin, '0.25', '--reason', 'a full mempool');
    expect([raised.code, raised.out]).toEqual([0, expect.stringContaining('may be up to 0.25 each')]);
    const fees = { payment: 'taker', most: '0.25' };
    expect(await lastRecord(path)).toEqual({
      type: 'OperatorActed',
      data: { action: 'allowFees', reason: 'a full mempool', fees },
    });
    const lifted = await order(sample.maker_coin, 'any', '--json');
    expect(JSON.parse(lifted.out)).toEqual({ uuid, coin: sample.maker_coin, most: null, ordered: true });
    expect(await lastRecord(path)).toMatchObject({ data: { reason: null, fees: { payment: 'maker', most: null } } });
    expect((await order(sample.maker_coin, '0.00')).out).toContain('keep to the policy again');
  });

  it('of another coin, or of no amount, is refused and writes nothing', async () => {
    using scratch = scratchFolder();
    const path = scratch.file('swaps.db');
    expect((await runCli(['import', '--log', path, SAMPLE])).code).toBe(1);
    const before = await lastRecord(path);
    const other = await runCli(['allow-fees', uuid, '--log', path, '--coin', 'XYZ', '--most', '1']);
    expect([other.code, other.err]).toEqual([expect.any(Number), expect.stringContaining('FEE_ORDER_INVALID')]);
    expect(other.code).not.toBe(0);
    for (const most of ['-1', 'much', '']) {
      expect((await runCli(['allow-fees', uuid, '--log', path, '--coin', 'KMD', `--most=${most}`])).code).toBe(2);
    }
    expect(await lastRecord(path)).toEqual(before);
  });
});
