import { describe, expect, it } from 'vitest';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import type { Runtime } from '../../../src/runtime/index.ts';
import {
  createDealing,
  type Dealing,
  gained,
  paymentsOf,
  savedText,
  units,
  uuidOf,
} from '../../support/double-dealing.ts';

const SECRET = '5e'.repeat(32);
const EVER = { from: 0 as UnixSeconds, until: Number.MAX_SAFE_INTEGER as UnixSeconds };

type Half = { readonly log: EventLog; readonly runtime: Runtime; readonly die: () => void };
type Swap = { readonly half: Half; readonly order: number };

const typesIn = (log: EventLog, order: number): readonly string[] =>
  (log.read(`taker-swap/${uuidOf(order)}`) as readonly { type: string }[]).map(({ type }) => type);

/** Two processes of one taker, each with a log of its own, took an order of the dealer, which pays for the first alone. */
async function twoLogs(): Promise<{ readonly dealing: Dealing; readonly first: Swap; readonly second: Swap }> {
  const dealing = createDealing({ honest: 'taker' });
  const first = { half: dealing.node, order: 1 };
  const second = { half: dealing.second(), order: 2 };
  for (const { half, order } of [first, second]) {
    const dealer = dealing.dealerOf({ order });
    if (order > 1)
      dealer.wallets.DOC.setFaults([{ kind: 'broadcast', effect: 'lost', purposes: ['payment'], ...EVER }]);
    const terms = { order, taker_amount: order === 1 ? '3' : '4.25' };
    await dealer.runtime.startSwap(dealing.request('maker', terms, SECRET));
    await half.runtime.startSwap(dealing.request('taker', terms, null));
  }
  return { dealing, first, second };
}

/** Lets one process end as soon as its log holds an event, and the other go on until its log holds one. */
async function runUntil(dealing: Dealing, swaps: readonly (readonly [Swap, string])[]): Promise<void> {
  const over = new Set<Swap>();
  const reached = await dealing.until(() => {
    for (const [swap, type] of swaps) {
      if (over.has(swap) || !typesIn(swap.half.log, swap.order).includes(type)) continue;
      over.add(swap);
      if (swap !== swaps.at(-1)?.[0]) swap.half.die();
    }
    return over.size === swaps.length;
  }, 60);
  expect(reached).toBe(true);
}

const paid = (dealing: Dealing) => paymentsOf(dealing, 'honest', 'MARTY').length;

describe('U3: a swap that is taken over and shares its payment with one that runs', () => {
  it('does not pay if the running swap may have paid', async () => {
    const { dealing, first, second } = await twoLogs();
    await runUntil(dealing, [
      [first, 'TakerFeeSent'],
      [second, 'TakerPaymentSent'],
    ]);
    await second.half.runtime.importText(await savedText({ honest: 'taker' }, first.half.log, 1));
    const { log } = second.half;
    expect(await dealing.until(() => [1, 2].every((order) => typesIn(log, order).includes('Finished')), 900)).toBe(
      true,
    );
    expect(paid(dealing)).toBe(1);
    expect(typesIn(log, 1)).not.toContain('TakerPaymentSent');
    expect(typesIn(log, 2)).toContain('MakerPaymentSpendConfirmed');
    expect(gained(dealing, 'honest', 'DOC')).toBe(units('DOC', '1.5'));
  });

  it('keeps its payment if it has paid, and the running swap does not pay any more', async () => {
    const { dealing, first, second } = await twoLogs();
    await runUntil(dealing, [
      [second, 'MakerPaymentReceived'],
      [first, 'TakerPaymentSent'],
    ]);
    const text = await savedText({ honest: 'taker' }, second.half.log, 2);
    const paidText = await savedText({ honest: 'taker' }, first.half.log, 1);
    first.half.die();
    const third = dealing.second();
    await third.runtime.importText(text);
    await third.runtime.importText(paidText);
    const over = () => [1, 2].every((order) => typesIn(third.log, order).includes('Finished'));
    expect(await dealing.until(over, 900)).toBe(true);
    expect(paid(dealing)).toBe(1);
    expect(typesIn(third.log, 2)).not.toContain('TakerPaymentSent');
    expect(typesIn(third.log, 1)).toContain('MakerPaymentSpendConfirmed');
  });

  it('heads for its refund if both have paid, and only one of them records the other payment as its own', async () => {
    const { dealing, first, second } = await twoLogs();
    // The dealer takes neither, so that both wait for it.
    for (const order of [1, 2]) {
      const { wallets } = dealing.dealerOf({ order });
      wallets.MARTY.setFaults([{ kind: 'broadcast', effect: 'lost', purposes: ['claim'], ...EVER }]);
    }
    await runUntil(dealing, [
      [second, 'TakerPaymentSent'],
      [first, 'TakerPaymentSent'],
    ]);
    await first.half.runtime.importText(await savedText({ honest: 'taker' }, second.half.log, 2));
    const { log, runtime } = first.half;
    expect(await dealing.until(() => typesIn(log, 2).includes('TakerPaymentWaitRefundStarted'), 5)).toBe(true);
    const records = await log.read(`taker-swap/${uuidOf(2)}`);
    const failure = records.find(({ type }) => type === 'TakerPaymentWaitForSpendFailed')?.data as { error: string };
    expect(failure.error).toContain(`belongs to swap ${uuidOf(1)} of this node`);
    await runtime.recoverFunds(uuidOf(2));
    expect(await dealing.until(() => [1, 2].every((order) => typesIn(log, order).includes('Finished')), 900)).toBe(
      true,
    );
    for (const order of [1, 2]) expect(typesIn(log, order)).toContain('TakerPaymentRefunded');
    expect(typesIn(log, 2)).not.toContain('MakerPaymentSpent');
    expect(gained(dealing, 'honest', 'MARTY') <= 0n).toBe(true);
    expect(gained(dealing, 'honest', 'DOC')).toBe(0n);
  });

  it('ends as lost if the dealer claimed both, claims nothing and is not recovered with the payment of the other', async () => {
    const { dealing, first, second } = await twoLogs();
    await runUntil(dealing, [
      [second, 'TakerPaymentSent'],
      [first, 'TakerPaymentSent'],
    ]);
    await first.half.runtime.importText(await savedText({ honest: 'taker' }, second.half.log, 2));
    const { log, runtime } = first.half;
    const over = () => [1, 2].every((order) => typesIn(log, order).includes('Finished'));
    expect(await dealing.until(over, 900)).toBe(true);
    expect(typesIn(log, 1)).toContain('MakerPaymentSpendConfirmed');
    expect(typesIn(log, 2)).not.toContain('MakerPaymentSpent');
    expect((await runtime.status(uuidOf(2)))?.outcome).toBe('funds-at-risk');
    await runtime.recoverFunds(uuidOf(2));
    await dealing.until(() => typesIn(log, 2).includes('RecoveryRefused'), 30);
    const refused = (await log.read(`taker-swap/${uuidOf(2)}`)).findLast(({ type }) => type === 'RecoveryRefused');
    expect(refused?.data).toEqual({ reason: expect.stringContaining(`belongs to swap ${uuidOf(1)} of this node`) });
    expect(gained(dealing, 'honest', 'DOC')).toBe(units('DOC', '1.5'));
  });
});
