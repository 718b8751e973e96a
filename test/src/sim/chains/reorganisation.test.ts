import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MinedBlock } from '../../../../src/sim/chains/types.ts';
import { bestChainOf, type History, historyOf, newHistory, PARTIES, steps } from './driver.ts';
import { KINDS, mineMany, testChain, units } from './support.ts';

function hexesOf({ chain }: History, { transactions }: MinedBlock): readonly string[] {
  const hexes = new Map(chain.ledger.transactions().map(({ hash, hex }) => [hash, hex]));
  return transactions.map((hash) => hexes.get(hash) ?? '');
}

describe.each(KINDS)('reorganisations of a simulated chain: %s', (kind) => {
  it('a chain after any history is what its blocks alone give when they are mined from scratch', () => {
    fc.assert(
      fc.property(steps(50), (list) => {
        const history = historyOf(kind, list);
        const fresh = newHistory(kind);
        fresh.clock.seconds = history.clock.seconds;
        fresh.payments.push(...history.payments);
        for (const block of history.blocks) {
          fresh.chain.mine({ time: block.time, include: 'none', extra: hexesOf(history, block) });
        }
        expect(bestChainOf(fresh)).toEqual(bestChainOf(history));
      }),
      { numRuns: 100 },
    );
  });

  it('disconnected blocks that are mined again unchanged change nothing', () => {
    fc.assert(
      fc.property(steps(40), fc.integer({ min: 1, max: 6 }), (list, wanted) => {
        const history = historyOf(kind, list);
        const depth = Math.min(wanted, history.blocks.length);
        if (depth === 0) return;
        const before = bestChainOf(history);
        const blocks = history.blocks.slice(-depth).map((block) => ({
          time: block.time,
          include: 'none' as const,
          extra: hexesOf(history, block),
        }));
        history.chain.reorg({ depth, blocks });
        expect(bestChainOf(history)).toEqual(before);
        expect(history.chain.ledger.imbalance()).toBeNull();
      }),
      { numRuns: 100 },
    );
  });

  it('a branch that the rules forbid changes nothing, though some of it was mined', () => {
    fc.assert(
      fc.property(steps(40), fc.integer({ min: 1, max: 6 }), fc.boolean(), (list, wanted, drops) => {
        const history = historyOf(kind, list);
        const { chain } = history;
        const depth = Math.min(wanted, history.blocks.length);
        if (depth === 0) return;
        const seen = () => ({
          best: bestChainOf(history),
          ledger: chain.ledger.transactions(),
          height: chain.height(),
        });
        const before = seen();
        const blocks = [{}, { extra: ['00'] }];
        expect(() => chain.reorg({ depth, blocks, drop: drops ? 'all' : [] })).toThrow(RangeError);
        expect(seen()).toEqual(before);
        expect(chain.ledger.imbalance()).toBeNull();
        // What waits is what waited: two chains with the same past have the same next block.
        const twin = historyOf(kind, list);
        expect(chain.mine()).toEqual(twin.chain.mine());
      }),
      { numRuns: 100 },
    );
  });

  it('what is disconnected waits again, unless it is dropped, and the new branch is longer', () => {
    for (const drop of [false, true]) {
      const world = testChain(kind);
      const wallet = world.chain.wallet({ party: 'anna', funds: units('1') });
      const answer = wallet.prepare({ purpose: 'fee', feeSat: 5000n, burnSat: 0n, urgency: 0, replaces: null });
      if (!answer.ok) throw new Error(answer.fault.message);
      wallet.broadcast(answer.value);
      mineMany(world, 2);
      const height = world.chain.height();
      const branch = world.chain.reorg({ depth: 2, drop: drop ? 'all' : [] });
      expect(branch.map(({ transactions }) => transactions)).toEqual([[], [], []]);
      expect(world.chain.height()).toBe(height + 1);
      expect(world.chain.ledger.transactions('anna').map(({ status }) => status)).toEqual([drop ? 'gone' : 'mempool']);
      mineMany(world, 1);
      expect(world.chain.ledger.feesPaid('anna') > 0n).toBe(!drop);
    }
  });

  it('a rival can be mined in place of what was disconnected, which is then conflicted', () => {
    const world = testChain(kind);
    const wallet = world.chain.wallet({ party: 'anna', funds: units('1') });
    const fee = wallet.prepare({ purpose: 'fee', feeSat: 5000n, burnSat: 0n, urgency: 0, replaces: null });
    if (!fee.ok) throw new Error(fee.fault.message);
    const rival = wallet.prepare({ purpose: 'void', target: fee.value, urgency: 0 });
    if (!rival.ok) throw new Error(rival.fault.message);
    wallet.broadcast(fee.value);
    mineMany(world, 1);
    world.chain.reorg({ depth: 1, blocks: [{ extra: [rival.value.tx_hex] }, {}] });
    expect(wallet.transaction(fee.value.tx_hash)).toEqual({
      ok: true,
      value: { status: 'conflicted', confirmations: 2 },
    });
    expect(wallet.transaction(rival.value.tx_hash)).toMatchObject({
      ok: true,
      value: { status: 'confirmed', confirmations: 2 },
    });
    expect(world.chain.ledger.imbalance()).toBeNull();
  });

  it('what comes back is mined before what depends on it and has waited longer', () => {
    const world = testChain(kind);
    const wallet = world.chain.wallet({ party: 'anna', funds: units('1'), coins: 1 });
    const sent = [0, 1, 2].map(() => {
      const answer = wallet.prepare({ purpose: 'fee', feeSat: 5000n, burnSat: 0n, urgency: 0, replaces: null });
      if (!answer.ok) throw new Error(answer.fault.message);
      wallet.broadcast(answer.value);
      return answer.value.tx_hash;
    });
    world.clock.seconds += 60;
    world.chain.mine({ include: (hash) => hash === sent[0] });
    const branch = world.chain.reorg({ depth: 1, blocks: [{}, {}] });
    expect(branch.map(({ transactions }) => transactions)).toEqual([sent, []]);
  });

  it('no more blocks can be disconnected than were mined, and a refused block leaves the chain unchanged', () => {
    const history = newHistory(kind);
    expect(() => history.chain.reorg({ depth: 1 })).toThrow(RangeError);
    mineMany(history, 2);
    expect(() => history.chain.reorg({ depth: 3 })).toThrow(RangeError);
    expect(() => history.chain.mine({ extra: ['00'] })).toThrow(RangeError);
    expect(history.chain.height()).toBe(1002);
    for (const party of PARTIES) expect(history.chain.ledger.balance(party).confirmed).toBe(200_000_000n);
  });

  it('subscribers hear of a reorganisation once, when it is over', () => {
    const world = testChain(kind);
    const wallet = world.chain.wallet({ party: 'anna', funds: units('1') });
    mineMany(world, 3);
    const heights: number[] = [];
    wallet.subscribe(() => heights.push(world.chain.height()));
    world.chain.reorg({ depth: 2 });
    expect(heights).toEqual([1004]);
  });
});
