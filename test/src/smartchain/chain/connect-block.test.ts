import { describe, expect, it } from 'vitest';
import type { DecodedTransaction } from '../../../../src/htlc/transaction.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { type Block, decodeBlock, encodeBlock } from '../../../../src/smartchain/chain/block.ts';
import { blockSubsidy, heightScript } from '../../../../src/smartchain/chain/connect-block.ts';
import { medianTimePast } from '../../../../src/smartchain/chain/median-time.ts';
import { meetsTarget, targetOf, workOf } from '../../../../src/smartchain/chain/proof-of-work.ts';
import { type BlockNode, tipMedianTime } from '../../../../src/smartchain/chain/tree.ts';
import { DEFAULT_PARAMS } from '../../../../src/smartchain/params.ts';
import { ledgerDigest } from '../../../support/ledger-digest.ts';
import {
  answerOf,
  type BlockEdit,
  blockOn,
  coinAt,
  identified,
  largestCoin,
  mineBlocks,
  scriptOf,
  spend,
  type TestChain,
  testChain,
} from '../../../support/smart-chain.ts';

const ready = async () => {
  const test = await testChain();
  await mineBlocks(test, 4);
  return test;
};
const tipOf = ({ chain }: TestChain) => chain.tree.tip as BlockNode;
const offer = async (test: TestChain, edit: BlockEdit, on = tipOf(test)) => {
  const before = ledgerDigest(test.chain.tree.ledger);
  const answer = answerOf(await test.chain.submitBlock(blockOn(on, test.chain, edit)));
  if (answer !== 'taken') expect(ledgerDigest(test.chain.tree.ledger)).toBe(before);
  return answer;
};
const payment = (test: TestChain, edit?: (draft: DecodedTransaction) => DecodedTransaction) => {
  const coin = largestCoin(test, test.keys[0]);
  const outputs = [{ value: coin.output.value - 1_000n, script: scriptOf(test.keys[0]) }];
  return spend(test, { coins: [coin], outputs, ...(edit === undefined ? {} : { edit }) });
};

describe('a block that is refused leaves the ledger as it was', () => {
  const first = (draft: DecodedTransaction) => draft.inputs[0] as DecodedTransaction['inputs'][0];
  const scriptSig =
    (bytes: number[]) =>
    (draft: DecodedTransaction): DecodedTransaction => ({
      ...draft,
      inputs: [{ ...first(draft), scriptSig: Uint8Array.from(bytes) }],
    });
  const rich = (draft: DecodedTransaction) => ({
    ...draft,
    outputs: draft.outputs.map((each) => ({ ...each, value: each.value + 1n })),
  });
  const edits: readonly (readonly [string, BlockEdit])[] = [
    ['16: bad-diffbits', { header: { bits: 0x2007_ffff } }],
    ['16: high-hash', { withoutWork: true }],
    ['16: version-too-low', { header: { version: 3 } }],
    ['16: invalid-solution', { header: { solution: Uint8Array.of(1) } }],
    ['16: bad-sapling-root-in-block', { header: { saplingRoot: '1'.repeat(64) } }],
    ['16: bad-txnmrklroot', { header: { merkleRoot: '1'.repeat(64) } }],
    ['16: bad-cb-missing', { coinbase: (draft) => ({ ...draft, inputs: [{ ...first(draft), vout: 0 }] }) }],
    ['16: bad-cb-length', { coinbase: scriptSig([0x55]) }],
    ['16: bad-cb-length', { coinbase: scriptSig([0x55, ...new Array(100).fill(0)]) }],
    ['16: bad-cb-height', { coinbase: scriptSig([0x54, 0, 0]) }],
    ['16: bad-cb-amount', { coinbase: rich }],
    ['16: tx-overwinter-active', { coinbase: (draft) => ({ ...draft, format: 'legacy', version: 1 }) }],
    [
      '16: bad-txns-nonfinal',
      { coinbase: (draft) => ({ ...draft, lockTime: 5, inputs: [{ ...first(draft), sequence: 0 }] }) },
    ],
    ['16: bad-prevblk', { header: { previous: '2'.repeat(64) } }],
  ];

  it.each(edits)('%s', async (reason, edit) => {
    const test = await ready();
    expect(await offer(test, edit)).toBe(reason);
    expect(await offer(test, {})).toBe('taken');
  });

  it('16: bad-cb-multiple, bad-blk-length, and one that already exists', async () => {
    const test = await ready();
    const { transactions } = blockOn(tipOf(test), test.chain);
    expect(await offer(test, { transactions })).toBe('16: bad-cb-multiple');
    const large = { value: 0n, script: Uint8Array.of(0x6a, ...new Uint8Array(9000)) };
    const outputs = new Array(450).fill(large);
    expect(await offer(test, { coinbase: (draft) => ({ ...draft, outputs }) })).toBe('16: bad-blk-length');
    expect(answerOf(await test.chain.submitBlock(tipOf(test).block))).toBe('18: duplicate');
  });

  it('BIP 30: a transaction that is already in the chain', async () => {
    const test = await ready();
    const known = test.chain.tree.ledger.blocks[4]?.transactions[0]?.transaction as DecodedTransaction;
    const [, copy] = [0, () => known];
    const answer = await offer(test, { coinbase: (draft) => ({ ...copy(), inputs: draft.inputs }) });
    expect(answer).toBe('taken');
    const paid = payment(test);
    expect(await offer(test, { transactions: [paid] })).toBe('taken');
    expect(await offer(test, { transactions: [paid] })).toBe('16: bad-txns-BIP30');
  });

  it('CVE-2012-2459: duplicated transactions under the same root, which leaves no mark on the hash', async () => {
    const test = await ready();
    const [a] = test.keys;
    const one = payment(test);
    const two = spend(test, { coins: [coinAt(one, 0)], outputs: [{ value: 90_000n, script: scriptOf(a) }] });
    const honest = blockOn(tipOf(test), test.chain, { transactions: [one, two] });
    const doubled = [...honest.transactions, honest.transactions[2] as Block['transactions'][0]];
    const mutated = decodeBlock(encodeBlock({ header: honest.header, transactions: doubled })) as Block;
    expect(mutated.hash).toBe(honest.hash);
    expect(answerOf(await test.chain.submitBlock(mutated))).toBe('16: bad-txns-duplicate');
    expect(answerOf(await test.chain.submitBlock(honest))).toBe('taken');
  });

  it('an output that is spent twice in one block, before it is created, or never was', async () => {
    const test = await ready();
    const one = payment(test);
    const other = payment(test, (draft) => ({ ...draft, expiryHeight: 0 }));
    const child = spend(test, {
      coins: [coinAt(one, 0)],
      outputs: [{ value: 90_000n, script: scriptOf(test.keys[0]) }],
    });
    const spent = '16: bad-txns-inputs-missingorspent';
    expect(await offer(test, { transactions: [one, other] })).toBe(spent);
    expect(await offer(test, { transactions: [child, one] })).toBe(spent);
    const burnt = test.chain.tree.ledger.blocks[0]?.transactions[0];
    const input = { txid: burnt?.txid ?? '', vout: 0, scriptSig: new Uint8Array(0), sequence: 0 };
    const ofNothing = identified({
      ...one.transaction,
      inputs: [input],
      outputs: [{ value: 0n, script: Uint8Array.of(0x51) }],
    });
    expect(await offer(test, { transactions: [ofNothing] })).toBe(spent);
    expect(await offer(test, { transactions: [one, child, other] })).toBe(spent);
    expect(await offer(test, { transactions: [one, child] })).toBe('taken');
  });

  it('a script that fails, more out than in, a transaction that has expired', async () => {
    const test = await ready();
    const good = payment(test);
    const unsigned = identified({
      ...good.transaction,
      inputs: good.transaction.inputs.map((each) => ({ ...each, scriptSig: new Uint8Array(0) })),
    });
    expect(await offer(test, { transactions: [unsigned] })).toContain('16: mandatory-script-verify-flag-failed (');
    const more = payment(test, (draft) => ({
      ...draft,
      outputs: draft.outputs.map((each) => ({ ...each, value: each.value + 1_001n })),
    }));
    expect(await offer(test, { transactions: [more] })).toBe('16: bad-txns-in-belowout');
    const late = payment(test, (draft) => ({ ...draft, expiryHeight: 4 }));
    expect(await offer(test, { transactions: [late] })).toBe('16: tx-overwinter-expired');
    const inTime = payment(test, (draft) => ({ ...draft, expiryHeight: 5 }));
    expect(
      await offer(test, {
        transactions: [inTime],
        coinbase: (draft) => ({
          ...draft,
          outputs: draft.outputs.map((each) => ({ ...each, value: each.value + 1_000n })),
        }),
      }),
    ).toBe('taken');
  });
});

describe('time', () => {
  it('a block is later than the median of the last eleven, and no more than two hours ahead of the clock', async () => {
    const test = await testChain();
    await mineBlocks(test, 12);
    const median = tipMedianTime(test.chain.tree);
    expect(await offer(test, { header: { time: median } })).toBe('16: time-too-old');
    expect(await offer(test, { header: { time: median + 1 } })).toBe('taken');
    const now = test.chain.time();
    expect(await offer(test, { header: { time: now + 7_300 } })).toBe('16: time-too-new');
    expect(await offer(test, { header: { time: now + 7_200 } })).toBe('taken');
  });

  it('BIP 65 and BIP 113: coins locked to a time move when the median time has passed it', async () => {
    const test = await ready();
    const until = tipMedianTime(test.chain.tree) + 3;
    const lock = Uint8Array.of(4, ...new Uint8Array(new Uint32Array([until]).buffer), 0xb1, 0x75, 0x51);
    const paid = payment(test, (draft) => ({
      ...draft,
      outputs: draft.outputs.map((each) => ({ ...each, script: lock })),
    }));
    expect(await offer(test, { transactions: [paid] })).toBe('taken');
    const use = (lockTime: number, sequence = 0) =>
      identified({
        ...paid.transaction,
        lockTime,
        inputs: [{ txid: paid.txid, vout: 0, scriptSig: new Uint8Array(0), sequence }],
      });
    const unsatisfied = '16: mandatory-script-verify-flag-failed (Locktime requirement not satisfied)';
    expect(await offer(test, { transactions: [use(until - 1)] })).toMatch(/nonfinal|Locktime/);
    expect(await offer(test, { transactions: [use(until)] })).toBe('16: bad-txns-nonfinal');
    expect(await offer(test, { transactions: [use(until, 0xffff_ffff)] })).toBe(unsatisfied);
    expect(await offer(test, { transactions: [use(3)] })).toBe(unsatisfied);
    await mineBlocks(test, 8);
    expect(tipMedianTime(test.chain.tree)).toBeGreaterThan(until);
    expect(await offer(test, { transactions: [use(until - 1)] })).toBe(unsatisfied);
    expect(await offer(test, { transactions: [use(until)] })).toBe('taken');
  });

  it('the median is that of the last eleven, the upper one of an even count', () => {
    expect([medianTimePast([]), medianTimePast([5]), medianTimePast([9, 1]), medianTimePast([3, 1, 2])]).toEqual([
      0, 5, 9, 2,
    ]);
    expect(medianTimePast([100, ...Array.from({ length: 11 }, (_, index) => index)])).toBe(5);
  });
});

describe('numbers of a chain', () => {
  it('the first block makes nothing, the second the supply, and all the reward', () => {
    const params = { ...DEFAULT_PARAMS, supply: 7n, reward: 2n };
    expect([0, 1, 2, 1_000_000].map((height) => blockSubsidy(params, height))).toEqual([0n, 9n, 2n, 2n]);
  });

  it('BIP 34: heights are pushed as script numbers', () => {
    const hex = (height: number) => Buffer.from(heightScript(height)).toString('hex');
    expect([0, 1, 16, 17, 127, 128, 255, 256, 32_768, 8_388_608].map(hex)).toEqual([
      ...['00', '51', '60', '0111', '017f', '028000', '02ff00', '020001', '03008000', '0400008000'],
    ]);
  });

  it('a target is refused that is negative, zero or too large', () => {
    expect(targetOf(0x0123_4567 & 0x00ff_ffff)).toBeUndefined();
    expect([0, 0x0480_0001, 0x0100_0000, 0xff12_3456, 0x2201_0000].map(targetOf)).toEqual(new Array(5).fill(undefined));
    expect([0x0112_3456, 0x0312_3456, 0x0512_3456, 0x1d00_ffff].map(targetOf)).toEqual([
      ...[0x12n, 0x123456n, 0x12345600_00n, 0xffffn << 208n],
    ]);
    expect([workOf(0x1d00_ffff), workOf(0x207f_ffff), workOf(0)]).toEqual([4_295_032_833n, 2n, 0n]);
    expect(meetsTarget('f'.repeat(64), 0x207f_ffff)).toBe(false);
    expect(meetsTarget('0'.repeat(64), 0)).toBe(false);
  });

  it('bytes behind a block, or too few, make it none', async () => {
    const { chain } = await ready();
    const bytes = encodeBlock(tipOf({ chain } as TestChain).block);
    expect(decodeBlock(bytes)).toEqual(tipOf({ chain } as TestChain).block);
    expect(decodeBlock(Uint8Array.of(...bytes, 0))).toBeUndefined();
    for (let length = 0; length < bytes.length; length++)
      expect(decodeBlock(bytes.subarray(0, length))).toBeUndefined();
    expect(decodeBlock(hexToBytes('00'.repeat(140)))).toBeUndefined();
  });
});
