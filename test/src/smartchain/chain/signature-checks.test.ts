import { describe, expect, it } from 'vitest';
import { p2shScript, pushData } from '../../../../src/htlc/script.ts';
import { BITCOIN_FORM } from '../../../../src/htlc/spend.ts';
import type { DecodedTransaction, TransactionOutput } from '../../../../src/htlc/transaction.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import {
  askedChecks,
  mostChecks,
  redeemedChecks,
  signatureChecks,
  writtenChecks,
} from '../../../../src/smartchain/chain/signature-checks.ts';
import type { BlockNode } from '../../../../src/smartchain/chain/tree.ts';
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
} from '../../../support/smart-chain.ts';

const KEY = `21${'02'.padEnd(66, '1')}`;

describe('signature checks that a script asks for', () => {
  it.each([
    ['a key', `${KEY}ac`, 1, 1],
    ['a verified one', `${KEY}ad`, 1, 1],
    ['two of three keys', `52${KEY.repeat(3)}53ae`, 20, 3],
    ['many keys without a number before them', `${KEY}ae`, 20, 20],
    ['many keys, verified', `51${KEY}51af`, 20, 1],
    ['a pushed opcode', '01ac', 0, 0],
    ['a push past the end', 'ac4cac', 1, 1],
    ['one of more bytes than a script runs', 'ac'.repeat(10_001), 10_001, 10_001],
    ['nothing', '', 0, 0],
  ])('%s', (_, script, loose, exact) => {
    expect(signatureChecks(hexToBytes(script), { exact: false })).toBe(loose);
    expect(signatureChecks(hexToBytes(script), { exact: true })).toBe(exact);
  });

  it('are counted in both scripts of a transaction', () => {
    const script = hexToBytes(`${KEY}ac`);
    const input = { txid: '1'.repeat(64), vout: 0, scriptSig: hexToBytes('ac'), sequence: 0 };
    const transaction = {
      ...{
        ...BITCOIN_FORM,
        lockTime: 0,
      },
      ...{ inputs: [input, input], outputs: [{ value: 1n, script }] },
    };
    expect(writtenChecks(transaction)).toBe(3);
  });
});

it('a block that asks for more than one check in a hundred bytes of its limit is refused', async () => {
  const params = { maxBlockSize: 10_000 };
  const test = await testChain({ params });
  const offer = async (count: number) => {
    const outputs = [{ value: 1n, script: hexToBytes('ac'.repeat(count)) }];
    const block = blockOn(test.chain.tree.tip as BlockNode, test.chain, {
      coinbase: (draft) => ({ ...draft, outputs }),
    });
    return answerOf(await test.chain.submitBlock(block));
  };
  expect(mostChecks(params.maxBlockSize)).toBe(100);
  expect(await offer(101)).toBe('16: bad-blk-sigops');
  expect(await offer(100)).toBe('taken');
});

/** Is redeemed without a signature; of its checks, which count, none is done. */
const redeemAsking = (checks: number): Uint8Array => hexToBytes(`0063${'ac'.repeat(checks)}6851`);

describe('scripts that inputs redeem', () => {
  it.each([
    ['the last push', '01ac0251ac', 1],
    ['what stands before it does not', '02acac0151', 0],
    ['a script that does more than push', '6102acac', 0],
    ['a push past the end', '03acac', 0],
    ['nothing', '', 0],
  ])('%s', (_, scriptSig, checks) => {
    expect(redeemedChecks(hexToBytes(scriptSig))).toBe(checks);
  });

  it('count if a script hash is spent, with the written ones', () => {
    const redeem = redeemAsking(7);
    const input = { txid: '1'.repeat(64), vout: 0, scriptSig: pushData(redeem), sequence: 0 };
    const written = { value: 1n, script: hexToBytes('ac') };
    const transaction = { ...BITCOIN_FORM, lockTime: 0, inputs: [input, input], outputs: [written] };
    const hashed: TransactionOutput = { value: 5n, script: p2shScript(redeem) };
    const plain: TransactionOutput = { value: 5n, script: hexToBytes('51') };
    expect(askedChecks(transaction, [hashed, plain])).toBe(8);
    expect(askedChecks(transaction, [hashed, hashed])).toBe(15);
  });

  /** A spend of so many outputs to a script, with what redeems it. */
  const redeeming = async (
    test: TestChain,
    { checks, inputs }: { readonly checks: number; readonly inputs: number },
  ) => {
    const redeem = redeemAsking(checks);
    const coin = largestCoin(test, test.keys[0]);
    const outputs = Array.from({ length: inputs }, () => ({ value: 10_000n, script: p2shScript(redeem) }));
    const change = { value: coin.output.value - 20_000n * BigInt(inputs), script: scriptOf(test.keys[0]) };
    const paid = submit(test, spend(test, { coins: [coin], outputs: [...outputs, change] }));
    await mineBlocks(test, 1);
    const draft = spend(test, {
      coins: [coinAt(paid, inputs)],
      outputs: [{ value: 5000n, script: hexToBytes('51') }],
    }).transaction;
    const first = draft.inputs[0] as DecodedTransaction['inputs'][0];
    const spends = outputs.map((_, vout) => ({ ...first, txid: paid.txid, vout, scriptSig: pushData(redeem) }));
    return identified({ ...draft, inputs: spends });
  };
  const ready = async () => {
    const test = await testChain({ params: { maxBlockSize: 10_000 }, policy: { standardOnly: false } });
    await mineBlocks(test, 4);
    return test;
  };

  it('are at most a fifth of those of a block while they wait for one', async () => {
    const test = await ready();
    expect(mostChecks(10_000)).toBe(100);
    expect(answerOf(test.chain.submit(await redeeming(test, { checks: 7, inputs: 3 })))).toBe(
      '64: bad-txns-too-many-sigops',
    );
    expect(answerOf(test.chain.submit(await redeeming(test, { checks: 10, inputs: 2 })))).toBe('taken');
  });

  it('count in a block, over all of its transactions', async () => {
    const test = await ready();
    const some = await redeeming(test, { checks: 25, inputs: 3 });
    const [fits, more] = [
      await redeeming(test, { checks: 25, inputs: 1 }),
      await redeeming(test, { checks: 26, inputs: 1 }),
    ];
    const offered = async (transactions: readonly (typeof some)[]) =>
      answerOf(await test.chain.submitBlock(blockOn(test.chain.tree.tip as BlockNode, test.chain, { transactions })));
    expect(await offered([some, more])).toBe('16: bad-blk-sigops');
    expect(await offered([some, fits])).toBe('taken');
  });

  it('are what a miner has room for', async () => {
    const test = await ready();
    const waiting = [];
    for (let count = 0; count < 6; count++) {
      waiting.push(await redeeming(test, { checks: 20, inputs: 1 }));
    }
    for (const each of waiting) submit(test, each);
    expect([...test.chain.mempool().entries.values()].map(({ checks }) => checks)).toEqual(Array(6).fill(20));
    // The block pays to a key, which is a check as well.
    expect((await mineBlocks(test, 1)).transactions).toHaveLength(1 + 4);
    expect((await mineBlocks(test, 1)).transactions).toHaveLength(1 + 2);
  });
});
