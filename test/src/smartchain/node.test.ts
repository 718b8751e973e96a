import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import type { BlockNode } from '../../../src/smartchain/chain/tree.ts';
import { openSmartChain } from '../../../src/smartchain/node.ts';
import type { ChainParams } from '../../../src/smartchain/params.ts';
import { ledgerDigest, rebuiltLedger } from '../../support/ledger-digest.ts';
import {
  answerOf,
  blockOn,
  coinAt,
  identified,
  largestCoin,
  mineBlocks,
  scriptOf,
  spend,
  submit,
  type TestChain,
  testChain,
} from '../../support/smart-chain.ts';

const STREAM = 'smart-chain/SWAP';
const tipOf = ({ chain }: TestChain) => chain.tree.tip as BlockNode;
const nodeOf = ({ chain }: TestChain, hash: string) => chain.tree.nodes.get(hash) as BlockNode;
const payment = (test: TestChain, fee = 1_000n) => {
  const coin = largestCoin(test, test.keys[0]);
  return spend(test, { coins: [coin], outputs: [{ value: coin.output.value - fee, script: scriptOf(test.keys[0]) }] });
};
/** Puts so many empty blocks on a block; answers with what the chain said to each. */
const branch = async (test: TestChain, from: BlockNode, count: number) => {
  const answers: string[] = [];
  let node = from;
  for (let index = 0; index < count; index++) {
    const block = blockOn(node, test.chain);
    answers.push(answerOf(await test.chain.submitBlock(block)));
    node = nodeOf(test, block.hash);
  }
  return { answers, tip: node };
};

/** A log whose appends fail, or stop for good once written, when it is told to. */
const unsteadyLog = () => {
  const log = createMemoryLog();
  const state = { fails: false, stops: false };
  const unsteady: EventLog = {
    ...log,
    async append(batch) {
      if (state.fails) throw new Error('the disk is full');
      const written = log.append(batch);
      if (state.stops) await new Promise(() => {});
      return written;
    },
  };
  return { log: unsteady, state };
};

describe('W1: a block is in the log before anybody sees it', () => {
  it('an append that fails changes nothing, and the chain goes on', async () => {
    const { log, state } = unsteadyLog();
    const test = await testChain({ log });
    await mineBlocks(test, 3);
    const waiting = submit(test, payment(test));
    const before = ledgerDigest(test.chain.tree.ledger);
    state.fails = true;
    const foreign = blockOn(tipOf(test), test.chain);
    await expect(mineBlocks(test, 1)).rejects.toThrow('the disk is full');
    await expect(test.chain.submitBlock(foreign)).rejects.toThrow('the disk is full');
    await expect(test.chain.mark(tipOf(test), 'invalid')).rejects.toThrow('the disk is full');
    expect(ledgerDigest(test.chain.tree.ledger)).toBe(before);
    expect([...test.chain.mempool().entries.keys()]).toEqual([waiting.txid]);
    expect([test.chain.tree.nodes.has(foreign.hash), tipOf(test).failed]).toEqual([false, false]);
    state.fails = false;
    const block = await mineBlocks(test, 1);
    expect(block.transactions.map(({ txid }) => txid)).toContain(waiting.txid);
    expect(ledgerDigest((await test.restart()).tree.ledger)).toBe(ledgerDigest(rebuiltLedger(test.chain.tree.ledger)));
  });

  it('while an append runs nobody sees the block, and after a crash behind it everybody does', async () => {
    const { log, state } = unsteadyLog();
    const test = await testChain({ log });
    await mineBlocks(test, 2);
    state.stops = true;
    const block = blockOn(tipOf(test), test.chain);
    void test.chain.submitBlock(block);
    await new Promise((done) => setImmediate(done));
    expect([test.chain.tree.nodes.has(block.hash), test.chain.tree.tip?.height]).toEqual([false, 2]);
    state.stops = false;
    const again = await test.restart();
    expect(again.tree.tip?.block.hash).toBe(block.hash);
  });

  it('any prefix of the log opens to the state that it led to, and goes on', async () => {
    const test = await testChain({ notarization: true });
    const states: string[] = [];
    const note = () => states.push(ledgerDigest(test.chain.tree.ledger));
    note();
    for (let round = 0; round < 6; round++) {
      if (round > 2) submit(test, payment(test));
      await mineBlocks(test, 1);
      note();
    }
    const fork = tipOf(test).parent?.parent as BlockNode;
    for (let node = fork, left = 3; left > 0; left--) {
      const block = blockOn(node, test.chain);
      await test.chain.submitBlock(block);
      note();
      node = nodeOf(test, block.hash);
    }
    const given = tipOf(test).parent as BlockNode;
    await test.chain.mark(given, 'invalid');
    note();
    await test.chain.mark(given, 'valid');
    note();
    await test.chain.notarize(given);
    note();
    const records = await test.log.read(STREAM);
    expect(records.length).toBe(states.length + 1);
    for (let count = 1; count <= records.length; count++) {
      const log = createMemoryLog();
      const kept = records.slice(0, count).map(({ at, type, version, data }) => ({ at, type, version, data }));
      log.append({ stream: STREAM, expected: 0, records: kept });
      const opened = await testChain({ log, notarization: true });
      expect(ledgerDigest(opened.chain.tree.ledger)).toBe(states[Math.max(0, count - 2)]);
      await mineBlocks(opened, 1);
      const digest = ledgerDigest(opened.chain.tree.ledger);
      expect(ledgerDigest((await opened.restart()).tree.ledger)).toBe(digest);
    }
  });
});

describe('W2: changes happen one after another, each whole', () => {
  it('blocks that are requested at once follow one another', async () => {
    const test = await testChain();
    const script = scriptOf(test.keys[0]);
    const blocks = await Promise.all(Array.from({ length: 5 }, () => test.chain.mine({ script })));
    expect(blocks.slice(1).map(({ header }) => header.previous)).toEqual(blocks.slice(0, 4).map(({ hash }) => hash));
    expect(test.chain.tree.ledger.blocks.length).toBe(6);
  });

  it('of two writers on one stream the second is refused, its write did not happen, and it knows what the first wrote', async () => {
    const test = await testChain();
    await mineBlocks(test, 1);
    const { chain: first } = test;
    await test.restart();
    await mineBlocks(test, 1);
    await expect(first.mine({ script: scriptOf(test.keys[0]) })).rejects.toMatchObject({ code: 'LOG_CONFLICT' });
    expect(first.tree.tip?.block.hash).toBe(test.chain.tree.tip?.block.hash);
    await mineBlocks(test, 1);
    expect((await test.restart()).tree.tip?.height).toBe(3);
  });
});

describe('which branch is the active one', () => {
  it('of equal work the first seen stays, and more work wins; what waits follows', async () => {
    const test = await testChain();
    await mineBlocks(test, 4);
    const fork = tipOf(test);
    const paid = submit(test, payment(test));
    const [young] = (await mineBlocks(test, 1)).transactions;
    const onYoung = spend(test, {
      coins: [coinAt(young as never, 0)],
      outputs: [{ value: 900_000n, script: scriptOf(test.keys[1]) }],
    });
    submit(test, onYoung);
    const kept = submit(
      test,
      spend(test, {
        coins: [coinAt(paid, 0)],
        outputs: [{ value: 90_000_000n, script: scriptOf(test.keys[1]) }],
        edit: (draft) => ({
          ...draft,
          outputs: [{ value: (paid.transaction.outputs[0]?.value ?? 0n) - 1_000n, script: scriptOf(test.keys[1]) }],
        }),
      }),
    );
    const first = tipOf(test);
    const { tip } = await branch(test, fork, 1);
    expect(tipOf(test)).toBe(first);
    await branch(test, tip, 1);
    expect(tipOf(test).height).toBe(6);
    // The payment came back and its child stayed; coins of a block that left are no more.
    expect([...test.chain.mempool().entries.keys()]).toEqual([paid.txid, kept.txid]);
    expect((await test.restart()).tree.tip?.height).toBe(6);
  });

  it('what conflicts with a block that joined is dropped with its children, and so is what is immature again', async () => {
    const test = await testChain({ params: { maturity: 3 } });
    await mineBlocks(test, 4);
    const coin = largestCoin(test, test.keys[0]);
    const pay = (value: bigint) =>
      spend(test, { coins: [coin], outputs: [{ value: coin.output.value - value, script: scriptOf(test.keys[1]) }] });
    const loser = submit(test, pay(1_000n));
    submit(
      test,
      spend(test, {
        coins: [coinAt(loser, 0)],
        outputs: [{ value: coin.output.value - 5_000n, script: scriptOf(test.keys[0]) }],
      }),
    );
    const winner = pay(2_000n);
    await test.chain.submitBlock(blockOn(tipOf(test), test.chain, { transactions: [winner] }));
    expect(test.chain.mempool().entries.size).toBe(0);
    const made = test.chain.tree.ledger.blocks[3]?.transactions[0];
    submit(
      test,
      spend(test, {
        coins: [coinAt(made as never, 0)],
        outputs: [{ value: 900_000n, script: scriptOf(test.keys[1]) }],
      }),
    );
    await test.chain.mark(tipOf(test), 'invalid');
    expect([...test.chain.mempool().entries.keys()]).toEqual([winner.txid]);
  });

  it('what builds on a transaction that a block took stays', async () => {
    const test = await testChain();
    await mineBlocks(test, 3);
    const parent = submit(test, payment(test));
    const outputs = [{ value: (parent.transaction.outputs[0]?.value ?? 0n) - 1_000n, script: scriptOf(test.keys[1]) }];
    const child = submit(test, spend(test, { coins: [coinAt(parent, 0)], outputs }));
    await test.chain.submitBlock(blockOn(tipOf(test), test.chain, { transactions: [parent] }));
    expect([...test.chain.mempool().entries.keys()]).toEqual([child.txid]);
  });

  it('forty that build on one another come back from their blocks, all of them', async () => {
    const test = await testChain();
    await mineBlocks(test, 3);
    const [a] = test.keys;
    let coin = largestCoin(test, a);
    const base = tipOf(test);
    for (let index = 0; index < 40; index++) {
      const next = spend(test, {
        coins: [coin],
        outputs: [{ value: coin.output.value - 1_000n, script: scriptOf(a) }],
      });
      submit(test, next);
      coin = coinAt(next, 0);
      if (index % 20 === 19) await mineBlocks(test, 1);
    }
    await test.chain.mark(
      test.chain.tree.nodes.get(test.chain.tree.ledger.blocks[base.height + 1]?.hash ?? '') as BlockNode,
      'invalid',
    );
    expect(test.chain.mempool().entries.size).toBe(40);
    const block = await mineBlocks(test, 1);
    expect(block.transactions.length).toBe(41);
  });

  it('a longer branch with a bad script does not win, leaves the ledger as it was, and does not win after a restart', async () => {
    const test = await testChain();
    await mineBlocks(test, 5);
    const fork = tipOf(test).parent as BlockNode;
    // Coins that both branches have, so that the script alone is wrong.
    const good = payment(test, 9_000n);
    const waiting = submit(test, payment(test));
    const bad = identified({
      ...good.transaction,
      inputs: good.transaction.inputs.map((input) => ({
        ...input,
        scriptSig: input.scriptSig.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
      })),
    });
    const before = ledgerDigest(test.chain.tree.ledger);
    const one = blockOn(fork, test.chain);
    expect(answerOf(await test.chain.submitBlock(one))).toBe('taken');
    const two = blockOn(nodeOf(test, one.hash), test.chain, { transactions: [bad] });
    await test.chain.submitBlock(two);
    expect(ledgerDigest(test.chain.tree.ledger)).toBe(before);
    expect([nodeOf(test, one.hash).failed, nodeOf(test, two.hash).failed]).toEqual([false, true]);
    expect([...test.chain.mempool().entries.keys()]).toEqual([waiting.txid]);
    const three = blockOn(nodeOf(test, two.hash), test.chain);
    expect(answerOf(await test.chain.submitBlock(three))).toBe('16: bad-prevblk');
    await test.restart();
    expect(ledgerDigest(test.chain.tree.ledger)).toBe(before);
    await test.chain.mark(nodeOf(test, two.hash), 'valid');
    expect(ledgerDigest(test.chain.tree.ledger)).toBe(before);
    await mineBlocks(test, 1);
    expect(tipOf(test).height).toBe(6);
  });

  it('invalidated blocks leave, and come back when that is reconsidered; the first block stays', async () => {
    const test = await testChain();
    await mineBlocks(test, 6);
    const tip = tipOf(test);
    const given = test.chain.tree.nodes.get(test.chain.tree.ledger.blocks[3]?.hash ?? '') as BlockNode;
    await test.chain.mark(given, 'invalid');
    expect(tipOf(test).height).toBe(2);
    await branch(test, tipOf(test), 2);
    expect(answerOf(await test.chain.submitBlock(blockOn(given, test.chain)))).toBe('16: bad-prevblk');
    await test.restart();
    expect(tipOf(test).height).toBe(4);
    await test.chain.mark(nodeOf(test, tip.block.hash), 'valid');
    expect(tipOf(test).block.hash).toBe(tip.block.hash);
    const [first] = test.chain.tree.nodes.values();
    expect(answerOf(await test.chain.mark(first as BlockNode, 'invalid'))).toBe('policy: genesis-block');
  });
});

describe('notarization', () => {
  it('what is notarized cannot be left, by a mark, by more work, nor by taking a mark back', async () => {
    const test = await testChain({ notarization: true });
    await mineBlocks(test, 5);
    const { ledger } = test.chain.tree;
    const at = (height: number) => nodeOf(test, ledger.blocks[height]?.hash ?? '');
    const side = blockOn(at(1), test.chain);
    await test.chain.submitBlock(side);
    const low = await branch(test, at(4), 1);
    await test.chain.notarize(at(3));
    await test.chain.notarize(at(2));
    expect(test.chain.notarizedHeight()).toBe(3);
    const past = 'policy: past-notarized-height';
    expect(answerOf(await test.chain.mark(at(3), 'invalid'))).toBe(past);
    expect(answerOf(await test.chain.mark(at(1), 'invalid'))).toBe(past);
    expect(answerOf(await test.chain.mark(nodeOf(test, side.hash), 'valid'))).toBe(past);
    expect(answerOf(await test.chain.submitBlock(blockOn(nodeOf(test, side.hash), test.chain)))).toBe(past);
    expect(answerOf(await test.chain.submitBlock(blockOn(at(2), test.chain)))).toBe(past);
    const longer = await branch(test, low.tip, 1);
    expect(longer.answers).toEqual(['taken']);
    expect(tipOf(test)).toBe(longer.tip);
    await test.chain.mark(at(4), 'invalid');
    expect(tipOf(test)).toBe(at(3));
    expect((await test.restart()).notarizedHeight()).toBe(3);
  });

  it('is for blocks of the active chain, if it is switched on', async () => {
    const off = await testChain();
    await mineBlocks(off, 1);
    await expect(off.chain.notarize(tipOf(off))).rejects.toMatchObject({ code: 'SMARTCHAIN_OPTION_INVALID' });
    const on = await testChain({ notarization: true });
    await mineBlocks(on, 2);
    const { tip } = await branch(on, tipOf(on).parent as BlockNode, 1);
    await expect(on.chain.notarize(tip)).rejects.toMatchObject({ code: 'SMARTCHAIN_OPTION_INVALID' });
    expect(on.chain.notarizedHeight()).toBe(0);
  });
});

describe('opening', () => {
  const rules: readonly (readonly [string, Partial<ChainParams>])[] = [
    ['name', { name: 'a/b' }],
    ['name', { name: '' }],
    ['maturity', { maturity: -1 }],
    ['maxBlockSize', { maxBlockSize: 9_999 }],
    ['reward and supply', { reward: -1n }],
    ['reward and supply', { supply: 1n << 62n }],
    ['reward and supply', { reward: 1n << 62n }],
    ['bits', { bits: 0x2100_ffff }],
    ['bits', { bits: 0x1f80_0000 }],
    ['bits', { bits: 0 }],
    ['saplingHeight', { saplingHeight: 1.5 }],
    ['notarizedDepth', { notarizedDepth: 0 }],
    ['passiveEvals', { passiveEvals: [256] }],
    ['genesisTime', { genesisTime: 2 ** 32 }],
  ];

  it.each(rules)('refuses a chain with a wrong %s (case %#)', async (rule, params) => {
    const log = createMemoryLog();
    const opening = openSmartChain({ log, now: () => millisOf(0), params });
    await expect(opening).rejects.toMatchObject({
      code: 'SMARTCHAIN_OPTION_INVALID',
      facts: { rule: expect.stringContaining(rule) },
    });
    expect(log.end()).toBe(0);
  });

  it('refuses a log with other rules', async () => {
    const test = await testChain();
    const other = testChain({ log: test.log, params: { reward: 5n } });
    await expect(other).rejects.toMatchObject({ code: 'SMARTCHAIN_OPTION_INVALID' });
  });

  it('keeps the codes of bound tokens that a chain was started with, whatever the default is', async () => {
    const log = createMemoryLog();
    const open = (params: Partial<ChainParams>) => openSmartChain({ log, now: () => millisOf(0), params });
    expect((await open({ passiveEvals: [0xf7, 0xe9] })).params.passiveEvals).toEqual([0xf7, 0xe9]);
    expect((await open({})).params.passiveEvals).toEqual([0xf7, 0xe9]);
    await expect(open({ passiveEvals: [] })).rejects.toMatchObject({ code: 'SMARTCHAIN_OPTION_INVALID' });
    const other = await openSmartChain({ log: createMemoryLog(), now: () => millisOf(0) });
    expect(other.params.passiveEvals).toEqual([]);
  });

  it('mines nothing if no hash meets the target, nor what is too large', async () => {
    const test = await testChain({ params: { maxBlockSize: 10_000 } });
    const mining = test.chain.mine({ script: new Uint8Array(10_001) });
    await expect(mining).rejects.toMatchObject({
      code: 'SMARTCHAIN_BLOCK_REFUSED',
      facts: { reason: 'bad-blk-length' },
    });
    expect(tipOf(test).height).toBe(0);
  });

  it('transactions from before Sapling leave the mempool when their last block has passed', async () => {
    const test = await testChain({ params: { saplingHeight: 6 } });
    await mineBlocks(test, 3);
    submit(test, payment(test));
    await test.chain.submitBlock(blockOn(tipOf(test), test.chain));
    expect(test.chain.mempool().entries.size).toBe(1);
    await test.chain.submitBlock(blockOn(tipOf(test), test.chain));
    expect(test.chain.mempool().entries.size).toBe(0);
    submit(test, payment(test));
    expect((await mineBlocks(test, 1)).transactions.length).toBe(2);
  });
});

describe('a transaction that is offered', () => {
  const damaged = (test: TestChain) => {
    const paid = payment(test);
    const [first] = paid.transaction.inputs;
    if (first === undefined) throw new Error('it spends nothing');
    const scriptSig = first.scriptSig.with(20, ((first.scriptSig[20] ?? 0) + 1) % 256);
    return identified({ ...paid.transaction, inputs: [{ ...first, scriptSig }] });
  };
  const ready = async () => {
    const test = await testChain();
    await mineBlocks(test, 3);
    return test;
  };

  it('is accepted and refused like a submitted one', async () => {
    const test = await ready();
    const bad = damaged(test);
    expect(answerOf(await test.chain.offer(bad))).toBe(answerOf(test.chain.submit(bad)));
    expect(answerOf(await test.chain.offer(bad))).toMatch(/^16: mandatory-script-verify-flag-failed/);
    const [good, spent] = [payment(test), payment(test, 2_000n)];
    expect(answerOf(await test.chain.offer(good))).toBe('taken');
    expect([...test.chain.mempool().entries.keys()]).toEqual([good.txid]);
    expect(answerOf(await test.chain.offer(good))).toBe('taken');
    expect(answerOf(await test.chain.offer(spent))).toBe('16: mempool conflict');
  });

  it('is judged by the chain at the moment at which its scripts are done', async () => {
    const test = await ready();
    const [first, second] = [payment(test, 1_000n), payment(test, 2_000n)];
    const offered = await Promise.all([test.chain.offer(first), test.chain.offer(second)]);
    expect(offered.map(answerOf).sort()).toEqual(['16: mempool conflict', 'taken']);
    expect(test.chain.mempool().entries.size).toBe(1);
  });
});

describe('a clock that shows no time of a block', () => {
  const LAST = 0xffff_ffff;
  const clocked = async () => {
    let now = 1_700_000_000_000;
    // The mark of milliseconds is not made here, as it is not by a host that is out of its mind.
    const test = await testChain({ now: () => now as ReturnType<typeof millisOf> });
    await mineBlocks(test, 3);
    return { test, set: (at: number) => (now = at) };
  };

  it.each([
    ['before 1970', -1],
    ['after the last one', (LAST + 1) * 1000],
    ['far after it', Number.MAX_SAFE_INTEGER],
    ['none at all', Number.NaN],
  ])('%s stops what needs it, and nothing is changed', async (_, at) => {
    const { test, set } = await clocked();
    const before = ledgerDigest(test.chain.tree.ledger);
    const paid = payment(test);
    const tip = tipOf(test);
    set(at);
    const refused = expect.objectContaining({ code: 'SMARTCHAIN_CLOCK_INVALID' });
    await expect(mineBlocks(test, 1)).rejects.toEqual(refused);
    expect(() => test.chain.submit(paid)).toThrow("No block can have the host's current time.");
    await expect(test.chain.offer(paid)).rejects.toEqual(refused);
    await expect(test.chain.submitBlock(blockOn(tip, test.chain))).rejects.toEqual(refused);
    await expect(test.chain.mark(tip, 'invalid')).rejects.toEqual(refused);
    expect(ledgerDigest(test.chain.tree.ledger)).toEqual(before);
    set(1_700_000_100_000);
    submit(test, paid);
    await mineBlocks(test, 1);
    expect(test.chain.tree.ledger.transactions.has(paid.txid)).toBe(true);
  });

  it('a chain that has come to the last one has no block after it', async () => {
    const { test, set } = await clocked();
    set(LAST * 1000);
    // A block is later than the median of eleven; each that has this time moves it on.
    await expect(mineBlocks(test, 12)).rejects.toEqual(expect.objectContaining({ code: 'SMARTCHAIN_CLOCK_INVALID' }));
    expect(tipOf(test).block.header.time).toBe(LAST);
  });

  it('is that of a host whose clock is marked, too', async () => {
    let now = 1_700_000_000_000;
    const test = await testChain({ now: () => millisOf(now) });
    now = -5000;
    await expect(mineBlocks(test, 1)).rejects.toEqual(expect.objectContaining({ code: 'SMARTCHAIN_CLOCK_INVALID' }));
  });
});
