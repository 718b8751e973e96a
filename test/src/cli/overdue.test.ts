import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../src/events/encode.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, scratchFolder } from '../../support/cli.ts';

const upTo = (role: 'maker' | 'taker', type: string) => {
  const path = successPath(role);
  return path.slice(0, path.indexOf(type) + 1);
};

/** Logs of years ago that break off: after which event, and whether coins of their own, or to be claimed, are in the open. */
const BROKEN_OFF = [
  ['taker', 'Negotiated', false],
  ['taker', 'MakerPaymentValidatedAndConfirmed', false],
  ['taker', 'TakerPaymentSent', true],
  ['taker', 'TakerPaymentSpent', true],
  ['maker', 'Negotiated', false],
  ['maker', 'MakerPaymentSent', true],
  ['maker', 'TakerPaymentReceived', true],
] as const;

describe('a swap that a node should have continued long ago', () => {
  it.each(BROKEN_OFF)('of a %s after %s is a finding of every command alike: %s', async (role, type, atRisk) => {
    const log = buildSwap({ role, path: upTo(role, type), seed: `overdue ${role} ${type}` });
    using scratch = scratchFolder({ 'swap.json': savedSwapText(log) });
    const file = scratch.file('swap.json');
    const db = ['--log', scratch.file('swaps.db')];
    const code = atRisk ? 1 : 0;
    const codes: Record<string, number> = {};
    for (const name of ['replay', 'explain', 'timeline', 'audit']) codes[name] = (await runCli([name, file])).code;
    codes['diff'] = (await runCli(['diff', file, file])).code;
    codes['import'] = (await runCli(['import', file, ...db])).code;
    codes['status'] = (await runCli(['status', ...db])).code;
    codes['status <uuid>'] = (await runCli(['status', log.uuid, ...db])).code;
    expect(codes).toEqual(Object.fromEntries(Object.keys(codes).map((name) => [name, code])));
  });

  it('is not overdue at the time of its last event, but after the limit of its step', async () => {
    const log = buildSwap({ role: 'taker', path: upTo('taker', 'TakerPaymentSent'), seed: 'overdue by now' });
    using scratch = scratchFolder({ 'swap.json': savedSwapText(log) });
    const [file, db] = [scratch.file('swap.json'), scratch.file('swaps.db')];
    await runCli(['import', file, '--log', db]);
    const [row] = jsonRows<{ next: { until: number } }>((await runCli(['status', '--json', '--log', db])).out);
    const until = row?.next.until ?? Number.NaN;
    for (const [now, code] of [
      [until - 60, 0],
      [until, 0],
      [until + 1, 1],
    ] as const) {
      const codes = [
        (await runCli(['explain', file, '--now', String(now)])).code,
        (await runCli(['status', '--log', db, '--now', String(now)])).code,
      ];
      expect(codes, `${now - until}`).toEqual([code, code]);
    }
  });

  it('is reported by audit with the reason', async () => {
    const log = buildSwap({ role: 'maker', path: upTo('maker', 'MakerPaymentSent'), seed: 'overdue, and why' });
    using scratch = scratchFolder({ 'swap.json': savedSwapText(log) });
    const [row] = jsonRows<{ look: string }>((await runCli(['audit', '--json', scratch.file('swap.json')])).out);
    expect(row?.look).toBe('the time by which a node had to act has passed');
  });
});
