import { describe, expect, it } from 'vitest';
import type { DecodedTransaction } from '../../../../src/htlc/transaction.ts';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import type { EventLog } from '../../../../src/ports/event-log.ts';
import type { IdentifiedTransaction } from '../../../../src/smartchain/chain/block.ts';
import type { BlockNode } from '../../../../src/smartchain/chain/tree.ts';
import { coinsOfRing } from '../../../../src/smartchain/wallet/coins.ts';
import {
  answerOf,
  blockOn,
  coinAt,
  largestCoin,
  mineBlocks,
  scriptOf,
  spend,
  type TestChain,
  testChain,
} from '../../../support/smart-chain.ts';

const waits = ({ chain }: TestChain, { txid }: IdentifiedTransaction) => chain.mempool().entries.has(txid);
const isMined = ({ chain }: TestChain, { txid }: IdentifiedTransaction) => chain.tree.ledger.transactions.has(txid);
const nodeAt = ({ chain }: TestChain, height: number) =>
  chain.tree.nodes.get(chain.tree.ledger.blocks[height]?.hash ?? '') as BlockNode;

/** A payment of a key's largest coin to another key; two with different fees spend the same coin. */
function payment(test: TestChain, { fee = 1_000n, expiryHeight }: { fee?: bigint; expiryHeight?: number } = {}) {
  const [from, to] = test.keys;
  const coin = largestCoin(test, from);
  const outputs = [{ value: coin.output.value - fee, script: scriptOf(to) }];
  const edit = expiryHeight === undefined ? {} : { edit: (draft: DecodedTransaction) => ({ ...draft, expiryHeight }) };
  return spend(test, { coins: [coin], outputs, ...edit });
}

const sendAll = async (test: TestChain, ...transactions: readonly IdentifiedTransaction[]) => {
  for (const each of transactions) expect(answerOf(await test.chain.send(() => each))).toBe('taken');
};

/** A log that fails as it is told: before it writes, or after; and with it reads. */
function failingLog() {
  const log = createMemoryLog();
  const state = { full: false, late: false, blind: false };
  const failing: EventLog = {
    ...log,
    async append(batch) {
      if (state.full) throw new Error('the disk is full');
      const written = await log.append(batch);
      if (state.late) throw new Error('no answer in time');
      return written;
    },
    async read(stream, from) {
      if (state.blind) throw new Error('no answer in time');
      return log.read(stream, from);
    },
  };
  return { log: failing, state };
}

describe('W3: what was sent', () => {
  it('waits again after a restart, with what builds on it, and is mined once', async () => {
    const test = await testChain();
    await mineBlocks(test, 3);
    const first = payment(test);
    await sendAll(test, first);
    const coin = coinAt(first, 0);
    const second = spend(test, {
      coins: [coin],
      outputs: [{ value: coin.output.value - 500n, script: scriptOf(test.keys[2]) }],
    });
    await sendAll(test, second);
    const told = [...test.chain.mempool().entries.values()].map(({ txid, time }) => [txid, time]);
    await test.restart();
    expect([...test.chain.mempool().entries.values()].map(({ txid, time }) => [txid, time])).toEqual(told);
    await mineBlocks(test, 1);
    expect([isMined(test, first), isMined(test, second)]).toEqual([true, true]);
    await test.restart();
    expect(test.chain.mempool().entries.size).toBe(0);
    expect([isMined(test, first), isMined(test, second)]).toEqual([true, true]);
  });

  it('is offered again by nobody if the chain is opened that way', async () => {
    const test = await testChain({ offersSent: false });
    await mineBlocks(test, 3);
    const sent = payment(test);
    await sendAll(test, sent);
    await test.restart();
    expect(waits(test, sent)).toBe(false);
    await mineBlocks(test, 1);
    expect([waits(test, sent), isMined(test, sent)]).toEqual([false, false]);
    await sendAll(test, sent);
    expect(waits(test, sent)).toBe(true);
  });

  it('is durable before it is answered, and leaves nothing behind if it is not', async () => {
    const { log, state } = failingLog();
    const test = await testChain({ log });
    await mineBlocks(test, 3);
    const sending = payment(test);
    state.full = true;
    await expect(test.chain.send(() => sending)).rejects.toThrow('the disk is full');
    expect([waits(test, sending), test.chain.sent.all.size]).toEqual([false, 0]);
    state.full = false;
    await sendAll(test, payment(test, { fee: 2_000n }));
    await test.restart();
    expect(waits(test, sending)).toBe(false);
    expect(test.chain.mempool().entries.size).toBe(1);
  });

  it('goes out although the process was killed between the log and the answer', async () => {
    const { log, state } = failingLog();
    const test = await testChain({ log });
    await mineBlocks(test, 3);
    const sending = payment(test);
    Object.assign(state, { late: true, blind: true });
    await expect(test.chain.send(() => sending)).rejects.toThrow('SMARTCHAIN_SENDING_UNKNOWN');
    expect(waits(test, sending)).toBe(false);
    Object.assign(state, { late: false, blind: false });
    await test.restart();
    expect(waits(test, sending)).toBe(true);
  });

  it('is taken over from the log by the next one, which must not take its coin', async () => {
    const { log, state } = failingLog();
    const test = await testChain({ log });
    await mineBlocks(test, 3);
    const [sending, again] = [payment(test), payment(test, { fee: 2_000n })];
    Object.assign(state, { late: true, blind: true });
    await expect(test.chain.send(() => sending)).rejects.toThrow('SMARTCHAIN_SENDING_UNKNOWN');
    Object.assign(state, { late: false, blind: false });
    await expect(test.chain.send(() => again)).rejects.toThrow('LOG_CONFLICT');
    expect([waits(test, sending), waits(test, again)]).toEqual([true, false]);
    await test.restart();
    expect([waits(test, sending), waits(test, again)]).toEqual([true, false]);
  });

  it('waits again after a reorganisation, and is mined again', async () => {
    const test = await testChain();
    await mineBlocks(test, 3);
    const sending = payment(test);
    await sendAll(test, sending);
    await mineBlocks(test, 1);
    expect([isMined(test, sending), test.chain.sent.open.size]).toEqual([true, 0]);
    await test.chain.mark(nodeAt(test, 4), 'invalid');
    expect([isMined(test, sending), waits(test, sending)]).toEqual([false, true]);
    await test.restart();
    expect([isMined(test, sending), waits(test, sending)]).toEqual([false, true]);
    await mineBlocks(test, 1);
    expect(isMined(test, sending)).toBe(true);
  });

  it('keeps its coins while it cannot wait and can still be mined', async () => {
    const test = await testChain({ params: { maturity: 3 } });
    await mineBlocks(test, 6);
    const young = coinsOfRing(test.chain, test.ring).filter(({ txid }) => {
      return test.chain.tree.ledger.transactions.get(txid)?.height === 4;
    });
    expect(young).toHaveLength(1);
    const old = coinsOfRing(test.chain, test.ring).filter(({ txid }) => {
      return test.chain.tree.ledger.transactions.get(txid)?.height === 2;
    });
    const both = [...young, ...old];
    const value = both.reduce((total, { output }) => total + output.value, 0n) - 1_000n;
    const sending = spend(test, { coins: both, outputs: [{ value, script: scriptOf(test.keys[1]) }] });
    await sendAll(test, sending);
    // One block less: the younger coin may not be spent yet, the older one could be.
    await test.chain.mark(nodeAt(test, 6), 'invalid');
    expect(waits(test, sending)).toBe(false);
    const names = coinsOfRing(test.chain, test.ring).map(({ txid }) => txid);
    expect(names).not.toContain(old[0]?.txid);
    await mineBlocks(test, 2);
    expect(isMined(test, sending)).toBe(true);
  });

  it('sets its coins free once it can never be mined', async () => {
    const test = await testChain();
    await mineBlocks(test, 3);
    const sending = payment(test, { expiryHeight: 5 });
    await sendAll(test, sending);
    const spent = sending.transaction.inputs[0]?.txid;
    const isFree = () => coinsOfRing(test.chain, test.ring).some(({ txid }) => txid === spent);
    expect(isFree()).toBe(false);
    let tip = test.chain.tree.tip as BlockNode;
    for (let height = 4; height <= 5; height++) {
      const block = blockOn(tip, test.chain);
      await test.chain.submitBlock(block);
      tip = test.chain.tree.nodes.get(block.hash) as BlockNode;
    }
    expect([waits(test, sending), isFree()]).toEqual([false, true]);
    await test.restart();
    expect([waits(test, sending), isFree()]).toEqual([false, true]);
  });

  it('makes way for what was mined in its place, and comes back when that block is invalidated', async () => {
    const test = await testChain();
    await mineBlocks(test, 3);
    const [sending, rival] = [payment(test), payment(test, { fee: 2_000n })];
    await sendAll(test, sending);
    const block = blockOn(test.chain.tree.tip as BlockNode, test.chain, { transactions: [rival] });
    await test.chain.submitBlock(block);
    expect([waits(test, sending), isMined(test, rival)]).toEqual([false, true]);
    await test.restart();
    expect(waits(test, sending)).toBe(false);
    // The block that goes gives its transactions back first, as to any node.
    await test.chain.mark(test.chain.tree.nodes.get(block.hash) as BlockNode, 'invalid');
    expect([waits(test, sending), waits(test, rival)]).toEqual([false, true]);
    await test.restart();
    // The process ended, and nobody was told that the rival was sent.
    expect([waits(test, sending), waits(test, rival)]).toEqual([true, false]);
  });

  it('of two that spend one coin, the later one waits again', async () => {
    const test = await testChain();
    await mineBlocks(test, 3);
    const [earlier, later] = [payment(test), payment(test, { fee: 2_000n })];
    await sendAll(test, earlier);
    const block = blockOn(test.chain.tree.tip as BlockNode, test.chain, { transactions: [later] });
    await test.chain.submitBlock(block);
    await test.chain.mark(test.chain.tree.nodes.get(block.hash) as BlockNode, 'invalid');
    await sendAll(test, later);
    await test.restart();
    expect([waits(test, earlier), waits(test, later)]).toEqual([false, true]);
  });

  it('is in the log once, however often it is sent', async () => {
    const test = await testChain();
    await mineBlocks(test, 3);
    const sending = payment(test);
    await sendAll(test, sending, sending, sending);
    const records = await test.log.read('smart-chain/SWAP');
    expect(records.filter(({ type }) => type === 'TransactionSent')).toHaveLength(1);
  });
});
