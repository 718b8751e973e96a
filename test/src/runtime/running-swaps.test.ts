import { describe, expect, it } from 'vitest';
import type { SwapRequest } from '../../../src/events/journal.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { type Coin, createPair, type Pair, requestOf, type Side } from '../../support/swap-pair.ts';

const SIDES = ['maker', 'taker'] as const;

function uuidOf(index: number): string {
  return `3447b727-fe93-4357-8e5a-${index.toString(16).padStart(12, '0')}`;
}

function requests(side: Side, count: number, changes: Partial<SwapRequest>): readonly SwapRequest[] {
  return Array.from({ length: count }, (_, index) => {
    const secret = side === 'maker' ? (index + 16).toString(16).repeat(32) : null;
    return requestOf(side, { uuid: uuidOf(index), secret, ...changes });
  });
}

async function startAll({ nodes }: Pair, count: number, changes: Partial<SwapRequest>): Promise<void> {
  const all = SIDES.flatMap((side) =>
    requests(side, count, changes).map((request) => nodes[side].runtime.startSwap(request)),
  );
  await Promise.all(all);
}

const finished = (pair: Pair, side: Side, count: number) => () =>
  Array.from({ length: count }, (_, index) => uuidOf(index)).every((uuid) =>
    pair.types(side, uuid).includes('Finished'),
  );

function recordsOf({ nodes }: Pair, side: Side, uuid: string) {
  const records = nodes[side].log.read(`${side}-swap/${uuid}`);
  if (records instanceof Promise) throw new TypeError('the log answers at once');
  return records;
}

function failureOf(pair: Pair, side: Side, uuid: string): string | undefined {
  const failed = recordsOf(pair, side, uuid).find(({ type }) => type === 'StartFailed');
  return (failed?.data as { readonly error: string } | undefined)?.error;
}

const big = { taker_amount: '600' as DecimalText };

describe('swaps that share a wallet', () => {
  it('H1: that start at the same moment do not both promise the same coins', async () => {
    const pair = createPair();
    await startAll(pair, 2, big);
    await pair.until(finished(pair, 'taker', 2), 60);
    expect(pair.types('taker', uuidOf(0))).toContain('MakerPaymentSpendConfirmed');
    expect(pair.types('taker', uuidOf(1))).toEqual(['SwapRequested', 'StartFailed', 'Finished']);
    expect(failureOf(pair, 'taker', uuidOf(1))).toMatch(
      /^!check_balance_for_taker_swap Not enough MARTY for swap: available 599\.\d+, required at least 600\.\d+, locked by swaps Some\(BigDecimal\("600\.\d+"\)\)$/,
    );
    const fees = pair.chains.MARTY.ledger?.transactions('taker').filter(({ purpose }) => purpose === 'fee');
    expect(fees).toHaveLength(1);
  });

  it('H1: one of which fails leave its coins to one that waits for them, and status says so', async () => {
    const pair = createPair();
    const [first, second] = requests('taker', 2, big);
    const [ofFirst, ofSecond] = requests('maker', 2, big);
    if (first === undefined || second === undefined || ofFirst === undefined || ofSecond === undefined) return;
    const { maker, taker } = pair.nodes;
    await taker.runtime.startSwap(first);
    await taker.runtime.startSwap(second);
    await maker.runtime.startSwap(ofSecond);
    await pair.clock.advance(10_000);
    expect(pair.types('taker', second.uuid)).toEqual(['SwapRequested']);
    const { waiting } = (await taker.runtime.status(second.uuid)) ?? {};
    expect(waiting).toMatchObject({
      for: 'funds',
      text: 'Waits briefly for MARTY: other swaps hold what the start still needs.',
    });
    // The maker of the first wants another lock, so that the two never agree.
    await maker.runtime.startSwap({ ...ofFirst, lock_duration: 31_200 });
    expect(await pair.until(finished(pair, 'taker', 2), 60)).toBe(true);
    expect(pair.types('taker', first.uuid)).toContain('NegotiateFailed');
    expect((await taker.runtime.status(second.uuid))?.outcome).toBe('completed');
  });

  it('start as many as the balance allows, and no more', async () => {
    const pair = createPair({ funds: (side) => (side === 'taker' ? '10' : '1000') });
    await startAll(pair, 6, { taker_amount: '3' as DecimalText });
    await pair.until(finished(pair, 'taker', 6), 60);
    const ends = Array.from({ length: 6 }, (_, index) => failureOf(pair, 'taker', uuidOf(index)) === undefined);
    expect(ends.filter(Boolean)).toHaveLength(3);
    for (let index = 0; index < 6; index++) {
      const { outcome } = (await pair.nodes.taker.runtime.status(uuidOf(index))) ?? {};
      expect(outcome, `swap ${index}`).toBe(ends[index] === true ? 'completed' : 'failed-before-payment');
    }
  });

  it('do not count coins twice: one may start with what a sent payment has left', async () => {
    const pair = createPair();
    const [first, second] = requests('taker', 2, {});
    const [ofFirst, ofSecond] = requests('maker', 2, {});
    if (first === undefined || second === undefined || ofFirst === undefined || ofSecond === undefined) return;
    const large = { taker_amount: '600' as DecimalText };
    const rest = { taker_amount: '350' as DecimalText };
    await pair.nodes.maker.runtime.startSwap({ ...ofFirst, ...large });
    await pair.nodes.taker.runtime.startSwap({ ...first, ...large });
    await pair.until(() => pair.types('taker', first.uuid).includes('TakerPaymentSent'), 30);
    expect(Object.fromEntries(pair.nodes.taker.runtime.locked())).toEqual({});
    await pair.nodes.maker.runtime.startSwap({ ...ofSecond, ...rest });
    await pair.nodes.taker.runtime.startSwap({ ...second, ...rest });
    await pair.until(finished(pair, 'taker', 2), 60);
    expect((await pair.nodes.taker.runtime.status(second.uuid))?.outcome).toBe('completed');
  });

  it('count the fees of claims in the coin that pays them, also after a restart', async () => {
    const funds = (side: string, coin: Coin) => (side === 'taker' && coin === 'DOC' ? '0.00003' : '1000');
    const pair = createPair({ accounts: ['DOC'], funds });
    const [first, second] = requests('taker', 2, {});
    const [ofFirst] = requests('maker', 1, {});
    if (first === undefined || second === undefined || ofFirst === undefined) return;
    await pair.nodes.maker.runtime.startSwap(ofFirst);
    await pair.nodes.taker.runtime.startSwap(first);
    await pair.until(() => pair.types('taker', first.uuid).includes('TakerPaymentSent'), 30);
    expect(Object.fromEntries(pair.nodes.taker.runtime.locked())).toEqual({ DOC: '0.0000195' });
    pair.restart('taker');
    await pair.nodes.taker.runtime.startSwap(second);
    await pair.clock.advance(31_000);
    expect(failureOf(pair, 'taker', second.uuid)).toBe(
      '!check_balance_for_taker_swap Not enough DOC for swap: available 0.0000105, required at least 0.0000195, locked by swaps Some(BigDecimal("0.0000195"))',
    );
  });

  it('hold nothing once they are over', async () => {
    const pair = createPair({ accounts: ['DOC'] });
    await startAll(pair, 3, {});
    await pair.until(() => SIDES.every((side) => finished(pair, side, 3)()), 60);
    for (const side of SIDES) expect(Object.fromEntries(pair.nodes[side].runtime.locked())).toEqual({});
  });
});
