import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NextStep } from '../../machines/swap-verdict.ts';
import { moment } from '../../src/cli/arguments.ts';
import { isOverdue, needsLook } from '../../src/cli/findings.ts';
import { savedSwapText } from '../../src/events/encode.ts';
import { shownLog } from '../../src/events/redact.ts';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { decodeSwapsText } from '../../src/events/wrappers.ts';
import { millisOf } from '../../src/primitives/time.ts';
import { explainSwap } from '../../src/replay/explain.ts';
import { outcomeEnd } from '../../src/replay/payment-ends.ts';
import { replaySwap } from '../../src/replay/swaps.ts';
import { swapLog } from '../../src/testing/drawn/logs.ts';
import { jsonRows, runCli, scratchFolder } from '../support/cli.ts';
import { draws } from '../support/draws.ts';
import { describeShared, manifest, readShared } from '../support/shared.ts';

// What recover says and does of a log that was taken over, held against what explain says of it.

type Recovered = {
  readonly ordered: boolean;
  readonly outcome: string;
  readonly reason?: string;
  readonly next: NextStep | null;
};

/** Whether the log could be taken over, so that something was compared. */
async function recoverAlike(log: SwapLog, where: string): Promise<boolean> {
  using scratch = scratchFolder({ 'swap.json': savedSwapText(log) });
  const db = ['--log', scratch.file('swaps.db')];
  if (!(await runCli(['import', scratch.file('swap.json'), ...db])).out.includes('1 swap imported')) return false;
  const told = await runCli(['recover', log.uuid, ...db, '--json']);
  const [row] = jsonRows<Recovered>(told.out);
  if (row === undefined) throw new Error(`nothing is told of ${where}: ${told.err}`);
  const own: SwapLog = { ...log, journal: { importedAt: log.events[0]?.at ?? millisOf(0), records: [] } };
  const replayed = replaySwap(own);
  const explained = explainSwap(shownLog(own));
  // What waits for a person is never waved aside, and nothing is ordered where an explanation says that nothing is to be done.
  const waits = explained.waitsFor === 'person' && needsLook({ ...replayed, anomalies: [] });
  if (waits) expect(row.ordered, where).toBe(true);
  if (explained.advice[0]?.startsWith('Nothing: ')) expect(row.ordered && row.reason === undefined, where).toBe(false);
  expect(row.ordered, where).toBe(row.reason === undefined);
  if (!row.ordered) {
    expect(row.next, where).toBeNull();
    expect(row.reason, where).toMatch(
      /^(?:the (?:maker|taker) has (?:locked nothing in this swap|received the other coin)|the payment of the (?:maker|taker) came back)\.$/,
    );
    expect(row.outcome, where).toBe(replayed.outcome);
    settledAlike(log, { reason: row.reason ?? '', where });
  }
  // Where the log does not show that an end holds, an order finds out.
  const end = outcomeEnd(replayed, { log: own });
  if (end !== null) expect(row.ordered, where).toBe(end.shown !== 'confirmed');
  // An order makes an engine act, so that only what no engine does by itself is left to a person.
  const isDenied = end?.shown === 'denied';
  const { role, funds } = replayed;
  const overdue = isOverdue({ role, outcome: row.outcome, next: row.next, funds }, moment('now'));
  const waitsStill = row.outcome === 'funds-at-risk' || row.next?.who === 'operator' || overdue;
  const left = isDenied || (row.ordered && waitsStill);
  expect(told.code, where).toBe(left ? 1 : 0);
  const status = await runCli(['status', log.uuid, ...db, '--json']);
  const [standing] = jsonRows<Recovered & { readonly recoverSince?: number }>(status.out);
  expect([standing?.outcome, standing?.recoverSince !== undefined], where).toEqual([row.outcome, row.ordered]);
  return true;
}

/** Why nothing is ordered is what an explanation says of the coins, in its own words. */
function settledAlike(log: SwapLog, { reason, where }: { readonly reason: string; readonly where: string }): void {
  const { funds, ends, happened } = explainSwap(shownLog(log));
  const [own, other] = log.role === 'maker' ? PAYMENTS : PAYMENTS.toReversed();
  if (reason.endsWith('has locked nothing in this swap.')) {
    expect(funds[0], where).toMatch(new RegExp(`^This log knows of no payment of the ${log.role} `));
    expect(
      happened.map(({ type }) => type),
      where,
    ).not.toContain(log.role === 'maker' ? 'MakerPaymentSent' : 'TakerPaymentSent');
    return;
  }
  const end = reason.endsWith('came back.') ? ends[own ?? 'makerPayment'] : ends[other ?? 'makerPayment'];
  expect(end, where).toMatchObject({ how: reason.endsWith('came back.') ? 'refund' : 'claim', shown: 'confirmed' });
}

const PAYMENTS = ['makerPayment', 'takerPayment'] as const;

describe('of drawn logs that are taken over', () => {
  it('recover says what explain says', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(swapLog('maker'), swapLog('taker')), async (log) => {
        if (await recoverAlike(log, 'as drawn')) compared += 1;
      }),
      { numRuns: draws({ sample: 3, change: 6, release: 12 }) },
    );
    expect(compared).toBeGreaterThan(draws({ sample: 0, change: 3, release: 6 }));
  });
});

describeShared('of stored swaps that are taken over', () => {
  it('recover says what explain says', async () => {
    const logs = manifest().flatMap(({ file }) =>
      decodeSwapsText(readShared(`swaps/${file}`)).flatMap((read) => (read.ok ? [{ file, log: read.log }] : [])),
    );
    let compared = 0;
    for (const [index, { file, log }] of logs.entries()) {
      if (index % draws({ sample: 21, change: 7 }) === 0 && (await recoverAlike(log, file))) compared += 1;
    }
    expect(compared).toBeGreaterThan(draws({ sample: 3, change: 10 }));
  });
});
