import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import type { BlockNode } from '../../../src/smartchain/chain/tree.ts';
import type { SmartChain } from '../../../src/smartchain/node.ts';
import { openLedger } from '../../../src/smartchain/open-ledger.ts';
import { type ChainParams, DEFAULT_PARAMS } from '../../../src/smartchain/params.ts';
import type { SnapshotStore } from '../../../src/smartchain/snapshot/store.ts';
import { draws } from '../../support/draws.ts';
import { ledgerDigest } from '../../support/ledger-digest.ts';
import {
  blockOn,
  largestCoin,
  mineBlocks,
  scriptOf,
  spend,
  type TestChain,
  testChain,
} from '../../support/smart-chain.ts';
import { chainStep, expectWhole, livelyChain, takeStep } from '../../support/smart-chain-steps.ts';

const STREAM = 'smart-chain/SWAP';

/** Snapshots in memory; a new one after every so many records. */
class Kept implements SnapshotStore {
  readonly every: number;
  bytes: Uint8Array | undefined;
  saves = 0;

  constructor(every = 1) {
    this.every = every;
  }

  async load() {
    return this.bytes;
  }

  async save(bytes: Uint8Array) {
    this.saves += 1;
    this.bytes = Uint8Array.from(bytes);
  }
}

const shownNode = ({ block, parent, height, work, arrival, children, failed }: BlockNode) => ({
  ...{ hash: block.hash, header: block.header, size: block.size, txids: block.transactions.map(({ txid }) => txid) },
  ...{ parent: parent?.block.hash, height, work, arrival, failed, children: children.map((each) => each.block.hash) },
});

/** All that a chain shows of itself. */
function shown(chain: SmartChain) {
  const { tree, sent, params } = chain;
  return {
    params,
    ledger: ledgerDigest(tree.ledger),
    transactions: [...tree.ledger.transactions.values()].map(({ transaction, bytes }) => [
      transaction,
      bytesToHex(bytes),
    ]),
    nodes: [...tree.nodes.values()].map(shownNode),
    marks: [tree.tip?.block.hash, tree.final?.block.hash],
    sent: [...sent.all.values()].map(({ txid, time, bytes, transaction }) => [
      txid,
      time,
      bytesToHex(bytes),
      transaction,
    ]),
    open: [...sent.open],
    waiting: [...chain.mempool().entries.keys()],
  };
}

const RULES: Partial<ChainParams> = { maturity: 1, reward: 1_000_000n, passiveEvals: [0xf7] };

function place(log: EventLog, snapshots?: SnapshotStore) {
  return { log, stream: STREAM, namesEvals: true, snapshots, params: { ...DEFAULT_PARAMS, ...RULES } };
}

/** A log that holds the first records of another one. */
async function cut(log: EventLog, length: number): Promise<EventLog> {
  const copy = createMemoryLog();
  const records = (await log.read(STREAM)).slice(0, length);
  const plain = records.map(({ at, type, version, data }) => ({ at, type, version, data }));
  if (plain.length > 0) copy.append({ stream: STREAM, expected: 0, records: plain });
  return copy;
}

async function send(test: TestChain): Promise<void> {
  const [from, to] = test.keys;
  const coin = largestCoin(test, from);
  const outputs = [{ value: coin.output.value - 2_000n, script: scriptOf(to) }];
  await test.chain.send(() => spend(test, { coins: [coin], outputs }));
}

/** A chain with a branch, tokens, what was sent and mined, and what was sent and waits; and its snapshots. */
async function keptChain(every = 1) {
  const kept = new Kept(every);
  const test = await livelyChain({ snapshots: kept, notarization: true });
  await send(test);
  await mineBlocks(test, 2);
  const { chain } = test;
  await chain.submitBlock(blockOn(chain.tree.tip?.parent as BlockNode, chain));
  await chain.notarize(chain.tree.tip?.parent?.parent as BlockNode);
  await mineBlocks(test, 1);
  await send(test);
  await chain.keep();
  return { test, kept, length: (await test.log.read(STREAM)).length };
}

describe('a ledger that is opened from a snapshot', () => {
  it('is what all records add up to, after any steps, and goes on as that does', async () => {
    let fromSnapshots = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(chainStep, fc.nat(3)), { minLength: 20, maxLength: 30, size: 'max' }),
        fc.array(chainStep, { minLength: 3, maxLength: 6 }),
        async (steps, later) => {
          const kept = new Kept(3);
          const test = await livelyChain({ snapshots: kept });
          for (const [step, also] of steps) {
            await takeStep(test, step);
            if (also === 0) await test.chain.keep();
          }
          const { log } = test;
          const folded = await testChain({ log });
          await test.restart();
          expect(shown(test.chain)).toEqual(shown(folded.chain));
          if ((await openLedger(place(log, kept))).kept > 0) fromSnapshots++;
          for (const step of later) await takeStep(test, step);
          expectWhole(test);
          const again = await testChain({ log });
          expect(shown((await testChain({ log, snapshots: kept })).chain)).toEqual(shown(again.chain));
        },
      ),
      { numRuns: draws({ sample: 2, change: 10 }) },
    );
    expect(fromSnapshots).toBeGreaterThan(draws({ sample: 0, change: 5 }));
  });

  it('reads no record that the snapshot covers, except the one that it was sealed with', async () => {
    const { test, kept, length } = await keptChain();
    const asked: (number | undefined)[] = [];
    const watched: EventLog = {
      ...test.log,
      read(stream, from) {
        asked.push(from);
        return test.log.read(stream, from);
      },
    };
    const opened = await openLedger(place(watched, kept));
    expect([asked, opened.kept, opened.length]).toEqual([[length - 1], length, length]);
    await mineBlocks(test, 2);
    const later = await openLedger(place(watched, kept));
    expect([asked, later.kept, later.length]).toEqual([[length - 1, length - 1], length, length + 2]);
    expect(later.tree.tip?.block.hash).toBe(test.chain.tree.tip?.block.hash);
  });

  it('gives back a final block, branches and what was sent', async () => {
    const { test, kept } = await keptChain();
    const restored = await testChain({ log: test.log, snapshots: kept, notarization: true });
    expect(shown(restored.chain)).toEqual(shown(test.chain));
    expect(restored.chain.notarizedHeight()).toBe(test.chain.notarizedHeight());
    expect(restored.chain.notarizedHeight()).toBeGreaterThan(0);
    expect(restored.chain.sent.open.size).toBe(1);
    expect(restored.chain.mempool().entries.size).toBe(1);
  });
});

describe('a snapshot that does not fit', () => {
  it('is passed over after any change or cut of it, and a new one is saved', async () => {
    const { test, kept, length } = await keptChain();
    const whole = kept.bytes as Uint8Array;
    const expected = shown((await testChain({ log: test.log })).chain);
    const change = fc.oneof(
      fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
        return whole.map((byte, index) => (index === at ? byte ^ by : byte));
      }),
      fc.nat(whole.length - 1).map((end) => whole.slice(0, end)),
      fc.uint8Array({ minLength: 1, maxLength: 64 }).map((more) => Uint8Array.of(...whole, ...more)),
    );
    await fc.assert(
      fc.asyncProperty(change, async (bytes) => {
        const damaged = new Kept();
        damaged.bytes = bytes;
        const opened = await openLedger(place(test.log, damaged));
        expect([opened.kept, opened.length]).toEqual([0, length]);
        const chain = await testChain({ log: test.log, snapshots: damaged });
        expect(shown(chain.chain)).toEqual(expected);
        expect((await openLedger(place(test.log, damaged))).kept).toBe(length);
      }),
      {
        numRuns: draws({ sample: 10, change: 40 }),
        examples: [[new Uint8Array(0)], [new Uint8Array(31)], [new Uint8Array(4096)]],
      },
    );
  });

  it('is skipped when the log is cut, or holds something else under the same number', async () => {
    const { test, kept, length } = await keptChain();
    for (const left of [length - 1, length - 2, 2, 0]) {
      const shorter = await cut(test.log, left);
      const opened = await openLedger(place(shorter, kept));
      expect([opened.kept, opened.length]).toEqual([0, left]);
    }
    const same = await openLedger(place(await cut(test.log, length), kept));
    expect(same.kept).toBe(length);
    const other = await cut(test.log, length - 1);
    const chain = await testChain({ log: other });
    await mineBlocks(chain, 3);
    const opened = await openLedger(place(other, kept));
    expect([opened.kept, opened.length]).toEqual([0, length + 2]);
    expect(opened.tree.tip?.block.hash).toBe(chain.chain.tree.tip?.block.hash);
  });

  it('does not hide damage of the log behind it, nor other rules', async () => {
    const { test, kept, length } = await keptChain();
    const at = (await test.log.read(STREAM)).at(-1)?.at;
    if (at === undefined) throw new Error('no record');
    const record = { at, type: 'BlockAccepted', version: 1, data: { hash: 'no hash' } };
    const copy = await cut(test.log, length);
    copy.append({ stream: STREAM, expected: length, records: [record] });
    await expect(openLedger(place(copy, kept))).rejects.toMatchObject({ code: 'SMARTCHAIN_LEDGER_DAMAGED' });
    const richer = { ...place(test.log, kept), params: { ...DEFAULT_PARAMS, ...RULES, reward: 2_000_000n } };
    await expect(openLedger(richer)).rejects.toMatchObject({ code: 'SMARTCHAIN_OPTION_INVALID' });
    const elsewhere = { ...place(test.log, kept), stream: 'smart-chain/OTHER' };
    expect((await openLedger(elsewhere)).length).toBe(0);
  });

  it('keeps the passive codes that the chain was started with, if none are named', async () => {
    const { test, kept, length } = await keptChain();
    const opened = await openLedger({
      ...place(test.log, kept),
      params: { ...DEFAULT_PARAMS, ...RULES, passiveEvals: [] },
      namesEvals: false,
    });
    expect([opened.kept, opened.tree.params.passiveEvals]).toEqual([length, [0xf7]]);
  });
});

it('a snapshot is saved when enough has come since the last one, at the start and on demand', async () => {
  const kept = new Kept(5);
  const test = await testChain({ snapshots: kept });
  await test.chain.keep();
  expect(kept.saves).toBe(0);
  await mineBlocks(test, 3);
  await test.chain.keep();
  expect(kept.saves).toBe(1);
  await mineBlocks(test, 4);
  await test.chain.keep();
  await test.restart();
  expect(kept.saves).toBe(1);
  await mineBlocks(test, 1);
  await test.restart();
  expect(kept.saves).toBe(2);
  await (await testChain()).chain.keep();
});
