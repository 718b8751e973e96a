import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import { ledgerDigest } from '../../support/ledger-digest.ts';
import { largestCoin, mineBlocks, scriptOf, spend, submit, testChain } from '../../support/smart-chain.ts';

/** A log that writes, and says that it did not. */
function lateLog() {
  const log = createMemoryLog();
  const state = { late: false, blind: false };
  const late: EventLog = {
    append: async (batch) => {
      const written = await log.append(batch);
      if (state.late) throw new Error('no answer in time');
      return written;
    },
    read: async (stream, from) => {
      if (state.blind) throw new Error('no answer in time');
      return log.read(stream, from);
    },
    find: (query) => log.find(query),
    subscribe: (options, onEntry) => log.subscribe(options, onEntry),
    quarantined: () => log.quarantined(),
    close: () => log.close(),
  };
  return { log: late, state };
}

describe('W1: a block that the log holds although it said that it failed', () => {
  it('is in the chain when the log can be asked', async () => {
    const { log, state } = lateLog();
    const test = await testChain({ log });
    state.late = true;
    await mineBlocks(test, 2);
    expect(test.chain.tree.tip?.height).toBe(2);
    state.late = false;
    await mineBlocks(test, 1);
    expect(ledgerDigest((await test.restart()).tree.ledger)).toBe(ledgerDigest(test.chain.tree.ledger));
  });

  it('is taken over with the next change when it cannot, with what waits', async () => {
    const { log, state } = lateLog();
    const test = await testChain({ log });
    await mineBlocks(test, 3);
    const [first] = test.keys;
    const coin = largestCoin(test, first);
    const outputs = [{ value: coin.output.value - 20_000n, script: scriptOf(first) }];
    const { txid } = submit(test, spend(test, { coins: [coin], outputs }));
    Object.assign(state, { late: true, blind: true });
    await expect(mineBlocks(test, 1)).rejects.toThrow('no answer in time');
    expect([test.chain.tree.tip?.height, test.chain.mempool().entries.has(txid)]).toEqual([3, true]);
    Object.assign(state, { late: false, blind: false });
    await expect(mineBlocks(test, 1)).rejects.toThrow('[LOG_CONFLICT]');
    expect([test.chain.tree.tip?.height, test.chain.mempool().entries.has(txid)]).toEqual([4, false]);
    await mineBlocks(test, 1);
    expect(test.chain.tree.tip?.height).toBe(5);
    expect(ledgerDigest((await test.restart()).tree.ledger)).toBe(ledgerDigest(test.chain.tree.ledger));
  });
});
