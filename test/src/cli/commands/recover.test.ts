import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openDemo } from '../../../../src/cli/demo/demo.ts';
import { logPath, SIDES, type Side } from '../../../../src/cli/demo/side.ts';
import { readWorldTime, worldPath } from '../../../../src/cli/demo/world-file.ts';
import { savedSwapText } from '../../../../src/events/encode.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import type { Envelope } from '../../../../src/primitives/envelope.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, scratchFolder } from '../../../support/cli.ts';

/** A swap on simulated chains whose processes ended once a side's log held an event of the type. */
async function stoppedSwap(dir: string, after: { readonly side: Side; readonly type: string }): Promise<string> {
  let stopped = false;
  const demo = await openDemo({
    dir,
    awayFor: 0,
    onOpen: () => {},
    onPresence: () => {},
    onBoundary: () => {},
    onEntry: ({ side, entry }) => {
      stopped ||= side === after.side && entry.envelope.type === after.type;
    },
  });
  while (!stopped && (await demo.step()));
  await demo.close();
  return demo.uuid;
}

async function recordsOf(path: string, uuid: string): Promise<readonly Envelope[]> {
  const log = await openSqliteLog({ path, readOnly: true });
  const streams = (await log.find({})).filter(({ stream }) => stream.endsWith(uuid));
  const records = await Promise.all(streams.map(({ stream }) => log.read(stream)));
  await log.close();
  return records.flat();
}

function worldTime(dir: string): number {
  const at = readWorldTime(worldPath(dir));
  if (at === null) throw new Error('the world has no time');
  return at;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('recover on a swap of simulated chains', () => {
  it.each(SIDES)('writes at the time of their world: %s', async (side) => {
    using scratch = scratchFolder();
    const dir = scratch.path;
    const path = logPath(dir, side);
    const uuid = await stoppedSwap(dir, { side: 'taker', type: 'TakerPaymentSent' });
    const before = (await recordsOf(path, uuid)).at(-1);
    const worldFile = readFileSync(worldPath(dir));
    expect((await runCli(['recover', uuid, '--log', path])).code).toBe(0);
    expect(readFileSync(worldPath(dir))).toEqual(worldFile);
    const order = (await recordsOf(path, uuid)).at(-1);
    expect(order).toMatchObject({ type: 'OperatorActed', data: { action: 'recover' } });
    const latest = Math.max(worldTime(dir), before?.at ?? 0);
    expect(order?.at).toBeGreaterThanOrEqual(latest);
    expect(order?.at).toBeLessThan(latest + MINUTE);
  });

  it('lets the swap continue at that time, to its end', async () => {
    using scratch = scratchFolder();
    const dir = scratch.path;
    const uuid = await stoppedSwap(dir, { side: 'taker', type: 'TakerPaymentSent' });
    expect((await runCli(['recover', uuid, '--log', logPath(dir, 'taker')])).code).toBe(0);
    expect((await runCli(['swap', '--dir', dir])).code).toBe(0);
    for (const side of SIDES) {
      const records = await recordsOf(logPath(dir, side), uuid);
      expect(records.map(({ type }) => type)).toContain('Finished');
      const [first] = records;
      expect(Math.max(...records.map(({ at }) => at)) - (first?.at ?? 0)).toBeLessThan(DAY);
    }
    const { out } = await runCli(['timeline', logPath(dir, 'taker')]);
    expect(out).toContain('Finished');
    expect(out).not.toMatch(/\+\d{3,}:\d\d:\d\d/);
  });

  it('refuses a world with a line that nobody wrote', async () => {
    using scratch = scratchFolder({ 'chains.world': 'swapfold demonstration 1\nx\n' });
    const path = logPath(scratch.path, 'taker');
    await (await openSqliteLog({ path })).close();
    const { code, err } = await runCli(['recover', 'aa', '--log', path]);
    expect([code, err]).toEqual([2, expect.stringMatching(/Line 2 of .*chains\.world is not one that/)]);
  });
});

describe('recover on a swap of real chains', () => {
  const SAMPLE = 'docs/samples/sound/claim-failed.json';

  it.each([
    ['without a world', 'taker.db', {}],
    [
      'beside a world that is not its own',
      'swaps.db',
      { 'chains.world': 'swapfold demonstration 1\nprocess {"at":0}\n' },
    ],
    ['beside a file of another program', 'taker.db', { 'chains.world': 'a world\nprocess {"at":0}\n' }],
  ] as const)('writes at the time of the host, %s', async (_case, name, files) => {
    using scratch = scratchFolder(files);
    const path = scratch.file(name);
    expect((await runCli(['import', '--log', path, SAMPLE])).code).toBe(1);
    const { uuid } = JSON.parse(readFileSync(SAMPLE, 'utf8')) as { readonly uuid: string };
    const began = Date.now();
    // The order is written, and until a node carries it out the coins are where they were.
    expect((await runCli(['recover', uuid, '--log', path])).code).toBe(1);
    const order = (await recordsOf(path, uuid)).at(-1);
    expect(order?.type).toBe('OperatorActed');
    expect(order?.at).toBeGreaterThanOrEqual(began);
    expect(order?.at).toBeLessThanOrEqual(Date.now());
  });
});

describe('recover of a swap with nothing to recover', () => {
  it.each([
    ['completed.json', 'the taker has received the other coin.'],
    ['failed.json', 'the taker has locked nothing in this swap.'],
  ])('says so and orders nothing: %s', async (name, reason) => {
    const path = successPath('taker');
    const early = [
      ...path.slice(0, path.indexOf('MakerPaymentWaitConfirmStarted') + 1),
      'MakerPaymentValidateFailed',
      'Finished',
    ];
    const log = buildSwap({ role: 'taker', path: name === 'completed.json' ? path : early, seed: name });
    using scratch = scratchFolder({ [name]: savedSwapText(log, 'spec') });
    const db = scratch.file('swaps.db');
    expect((await runCli(['import', '--log', db, scratch.file(name)])).code).toBe(0);
    const before = await recordsOf(db, log.uuid);
    const { code, out } = await runCli(['recover', log.uuid, '--log', db]);
    expect([code, out]).toEqual([0, `Nothing was ordered: ${reason}\n`]);
    expect(await recordsOf(db, log.uuid)).toEqual(before);
    const { out: row } = await runCli(['recover', log.uuid, '--log', db, '--json']);
    expect(JSON.parse(row)).toMatchObject({ uuid: log.uuid, ordered: false, next: null, reason });
  });

  it('is ordered if a payment was handed to the network, whatever became of the swap', async () => {
    const early = ['Started', 'NegotiateFailed', 'Finished'];
    const log = buildSwap({ role: 'taker', path: early, seed: 'handed over' });
    using scratch = scratchFolder({ 'failed.json': savedSwapText(log, 'spec') });
    const db = scratch.file('swaps.db');
    expect((await runCli(['import', '--log', db, scratch.file('failed.json')])).code).toBe(0);
    const held = await openSqliteLog({ path: db });
    const stream = `taker-swap/${log.uuid}`;
    const before = await held.read(stream);
    const data = { purpose: 'payment', tx_hash: 'ab'.repeat(32) };
    const at = millisOf(Date.now());
    await held.append({
      stream,
      expected: before.length,
      records: [{ type: 'BroadcastAttempted', version: 1, at, data }],
    });
    await held.close();
    expect((await runCli(['recover', log.uuid, '--log', db])).out).toMatch(/^Recovery is ordered\./);
  });

  it.each([
    ['taker', 'MakerPaymentWaitConfirmStarted', false],
    ['taker', 'MakerPaymentValidatedAndConfirmed', true],
    ['maker', 'Negotiated', false],
    ['maker', 'TakerFeeValidated', true],
  ] as const)('depends on whether a %s may have paid: %s', async (role, last, ordered) => {
    const path = successPath(role);
    const log = buildSwap({ role, path: path.slice(0, path.indexOf(last) + 1), seed: last });
    using scratch = scratchFolder({ 'swap.json': savedSwapText(log, 'spec') });
    const db = scratch.file('swaps.db');
    await runCli(['import', '--log', db, scratch.file('swap.json')]);
    const { out } = await runCli(['recover', log.uuid, '--log', db, '--json']);
    const reason = `the ${role} has locked nothing in this swap.`;
    expect(JSON.parse(out)).toMatchObject(ordered ? { ordered } : { ordered, next: null, reason });
    const { out: shown } = await runCli(['status', log.uuid, '--log', db]);
    expect(shown.includes('Recovery was ordered at ')).toBe(ordered);
  });

  it('is ordered if nothing confirmed the refund, which may be lost', async () => {
    using scratch = scratchFolder();
    const db = scratch.file('swaps.db');
    const sample = 'docs/samples/sound/refunded.json';
    expect((await runCli(['import', '--log', db, sample])).code).toBe(0);
    const { uuid } = JSON.parse(readFileSync(sample, 'utf8')) as { readonly uuid: string };
    const { out } = await runCli(['recover', uuid, '--log', db]);
    expect(out).toMatch(/^Recovery is ordered\./);
    expect(out.replaceAll('\n', ' ')).toContain(
      'The log does not show that the refund of the taker payment is confirmed.',
    );
  });
});

describe('a log with both sides of one swap', () => {
  /** A swap whose taker is done, and whose maker has a payment on the chain. */
  async function withBoth(db: string, scratch: ReturnType<typeof scratchFolder>): Promise<string> {
    const paid = successPath('maker');
    const taker = buildSwap({ role: 'taker', path: successPath('taker'), seed: 'both' });
    const made = buildSwap({ role: 'maker', path: paid.slice(0, paid.indexOf('MakerPaymentSent') + 1), seed: 'both' });
    const maker = { ...made, uuid: taker.uuid, events: made.events };
    writeFileSync(scratch.file('taker.json'), savedSwapText(taker, 'spec'));
    writeFileSync(scratch.file('maker.json'), savedSwapText(maker, 'spec').replaceAll(made.uuid, taker.uuid));
    const { code, out } = await runCli(['import', '--log', db, scratch.file('taker.json'), scratch.file('maker.json')]);
    // The maker's payment is out, and what its node had to do is years overdue.
    expect([code, out]).toEqual([
      1,
      `${taker.uuid}  taker  imported\n${taker.uuid}  maker  imported\n2 swaps imported, 0 known, 0 refused\n`,
    ]);
    return taker.uuid;
  }

  it('is shown and recovered side by side, or only the requested one', async () => {
    using scratch = scratchFolder();
    const db = scratch.file('swaps.db');
    const uuid = await withBoth(db, scratch);
    const roles = async (...args: string[]) => jsonRows((await runCli([...args, '--log', db, '--json'])).out);
    expect(await roles('status', uuid.slice(0, 8))).toMatchObject([{ role: 'taker' }, { role: 'maker' }]);
    expect(await roles('status', uuid, '--role', 'maker')).toMatchObject([{ role: 'maker', outcome: 'in-progress' }]);
    expect(await roles('recover', uuid, '--role', 'taker')).toMatchObject([{ role: 'taker', ordered: false }]);
    expect((await recordsOf(db, uuid)).map(({ type }) => type)).not.toContain('OperatorActed');
    const { out } = await runCli(['recover', uuid, '--log', db]);
    expect(out).toMatch(/^taker: Nothing was ordered: .*\nmaker: Recovery is ordered\./);
    const [taker, maker] = await roles('status', uuid);
    expect(taker).not.toHaveProperty('recoverSince');
    expect(maker).toMatchObject({ role: 'maker', recoverSince: expect.any(Number) });
  });

  it.each(['status', 'recover'])('refuses to %s a side that it does not hold', async (command) => {
    using scratch = scratchFolder();
    const db = scratch.file('swaps.db');
    const sample = 'docs/samples/sound/refunded.json';
    expect((await runCli(['import', '--log', db, sample])).code).toBe(0);
    const { uuid } = JSON.parse(readFileSync(sample, 'utf8')) as { readonly uuid: string };
    const { code, err } = await runCli([command, uuid, '--log', db, '--role', 'maker']);
    expect([code, err]).toEqual([2, expect.stringContaining(`holds swap ${uuid}, but not the side of its maker`)]);
  });
});
