import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { p2shScript, pushData } from '../../../../src/htlc/script.ts';
import type { DecodedTransaction, TransactionOutput } from '../../../../src/htlc/transaction.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { ancestorsOf, descendantsOf, removeEntry } from '../../../../src/smartchain/chain/mempool.ts';
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

const ready = async (params = {}, policy = {}) => {
  const test = await testChain({ params, policy });
  await mineBlocks(test, 4);
  return test;
};

/** Pays the largest coin of the first key, less 1,000 satoshis, with whatever is changed. */
const paying = (
  test: TestChain,
  edit: (draft: DecodedTransaction) => DecodedTransaction = (draft) => draft,
  outputs?: TransactionOutput[],
) => {
  const coin = largestCoin(test, test.keys[0]);
  const plain = [{ value: coin.output.value - 1_000n, script: scriptOf(test.keys[0]) }];
  return spend(test, { coins: [coin], outputs: outputs ?? plain, edit });
};

describe('what is refused, with the class and the reason of the node', () => {
  const first = (draft: DecodedTransaction) => draft.inputs[0] as DecodedTransaction['inputs'][0];
  const output = (value: bigint, script: Uint8Array = Uint8Array.of(0x51)) => ({ value, script });
  const edits: readonly (readonly [string, (draft: DecodedTransaction) => DecodedTransaction])[] = [
    ['16: bad-txns-vin-empty', (draft) => ({ ...draft, inputs: [] })],
    ['16: bad-txns-vout-empty', (draft) => ({ ...draft, outputs: [] })],
    ['16: bad-txns-vout-negative', (draft) => ({ ...draft, outputs: [output(-1n)] })],
    ['16: bad-txns-vout-toolarge', (draft) => ({ ...draft, outputs: [output(1n << 60n)] })],
    ['16: bad-txns-txouttotal-toolarge', (draft) => ({ ...draft, outputs: [output(2n * 10n ** 16n), output(1n)] })],
    ['16: bad-txns-inputs-duplicate', (draft) => ({ ...draft, inputs: [first(draft), first(draft)] })],
    [
      '16: bad-txns-prevout-null',
      (draft) => ({ ...draft, inputs: [first(draft), { ...first(draft), txid: '0'.repeat(64), vout: 0xffff_ffff }] }),
    ],
    ['16: bad-txns-opret-too-big', (draft) => ({ ...draft, outputs: [output(0n, new Uint8Array(10_002).fill(0x6a))] })],
    ['16: tx-overwinter-active', (draft) => ({ ...draft, format: 'legacy', version: 1 })],
    [
      '16: bad-sapling-tx-version-group-id',
      (draft) => ({ ...draft, format: 'overwinter', version: 3, versionGroupId: 0x03c4_8270 }),
    ],
    ['16: tx-overwintered-flag-not-set', (draft) => ({ ...draft, format: 'sprout', version: 4 })],
    ['16: tx-overwinter-expired', (draft) => ({ ...draft, expiryHeight: 4 })],
    ['16: bad-tx-expiry-height-too-high', (draft) => ({ ...draft, expiryHeight: 500_000_000 })],
    ['64: non-final', (draft) => ({ ...draft, lockTime: 5, inputs: [{ ...first(draft), sequence: 0 }] })],
    ['64: scriptpubkey', (draft) => ({ ...draft, outputs: [output(1_000n, Uint8Array.of(0x61))] })],
    [
      '64: scriptpubkey',
      (draft) => ({
        ...draft,
        outputs: [output(0n, concatBytes([Uint8Array.of(0x6a), pushData(new Uint8Array(206))]))],
      }),
    ],
    [
      '64: multi-op-return',
      (draft) => ({ ...draft, outputs: [output(0n, Uint8Array.of(0x6a)), output(0n, Uint8Array.of(0x6a))] }),
    ],
    ['64: dust', (draft) => ({ ...draft, outputs: [{ value: 50n, script: draft.outputs[0]?.script as Uint8Array }] })],
    ['missing inputs', (draft) => ({ ...draft, inputs: [{ ...first(draft), txid: '1'.repeat(64) }] })],
    ['18: bad-txns-inputs-spent', (draft) => ({ ...draft, inputs: [{ ...first(draft), vout: 1 }] })],
    [
      '16: bad-txns-in-belowout',
      (draft) => ({ ...draft, outputs: draft.outputs.map((each) => ({ ...each, value: each.value + 1_001n })) }),
    ],
    ['16: bad-txns-valuebalance-nonzero', (draft) => ({ ...draft, valueBalance: 1n })],
  ];

  it.each(edits)('%s', async (reason, edit) => {
    const test = await ready();
    expect(answerOf(test.chain.submit(paying(test, edit)))).toBe(reason);
    expect(test.chain.mempool().entries.size).toBe(0);
    expect(answerOf(test.chain.submit(paying(test)))).toBe('taken');
  });

  it('16: coinbase', async () => {
    const test = await ready();
    const block = blockOn(test.chain.tree.tip as BlockNode, test.chain);
    const [made] = block.transactions;
    expect(answerOf(test.chain.submit(made as never))).toBe('16: coinbase');
  });

  it('what is signed wrongly, does more than push, or pushes too much', async () => {
    const test = await ready();
    const good = paying(test);
    const withScript = (scriptSig: Uint8Array) =>
      identified({ ...good.transaction, inputs: good.transaction.inputs.map((input) => ({ ...input, scriptSig })) });
    const answer = (scriptSig: Uint8Array) => answerOf(test.chain.submit(withScript(scriptSig)));
    const own = good.transaction.inputs[0]?.scriptSig as Uint8Array;
    const altered = own.map((byte, index) => (index === 40 ? byte ^ 1 : byte));
    const falseTop = 'Script evaluated without error but finished with a false/empty top stack element';
    expect(answer(altered)).toBe(`16: mandatory-script-verify-flag-failed (${falseTop})`);
    expect(answer(concatBytes([own, Uint8Array.of(0x61)]))).toBe('64: scriptsig-not-pushonly');
    expect(answer(pushData(new Uint8Array(1_648)))).toBe('64: scriptsig-size');
    // A value more or less than the form of the coin takes has no reason at all.
    expect(answer(concatBytes([Uint8Array.of(0), own]))).toBe('policy: ');
    expect(answer(new Uint8Array(0))).toBe('policy: ');
  });

  it('spent coins: told apart while their transaction has others left', async () => {
    const test = await ready();
    const [a] = test.keys;
    const coin = largestCoin(test, a);
    const half = { value: coin.output.value / 2n, script: scriptOf(a) };
    const split = submit(
      test,
      spend(test, {
        coins: [coin],
        outputs: [half, { ...half, value: half.value - 1_000n }, { value: 0n, script: Uint8Array.of(0x6a) }],
      }),
    );
    await mineBlocks(test, 1);
    const use = (vout: number, value: bigint) =>
      spend(test, { coins: [coinAt(split, vout)], outputs: [{ value, script: scriptOf(a) }] });
    const once = submit(test, use(0, half.value - 500n));
    expect(answerOf(test.chain.submit(use(0, half.value - 600n)))).toBe('16: mempool conflict');
    expect(answerOf(test.chain.submit(once))).toBe('taken');
    await mineBlocks(test, 1);
    expect(answerOf(test.chain.submit(use(0, half.value - 600n)))).toBe('18: bad-txns-inputs-spent');
    expect(answerOf(test.chain.submit(split))).toBe('18: already have coins');
    submit(test, use(1, half.value - 2_000n));
    await mineBlocks(test, 1);
    expect(answerOf(test.chain.submit(use(0, half.value - 600n)))).toBe('missing inputs');
    expect(answerOf(test.chain.submit(split))).toBe('missing inputs');
  });

  it('coins of a block before they are mature', async () => {
    const test = await ready({ maturity: 3 });
    const [a] = test.keys;
    const made = test.chain.tree.tip?.block.transactions[0];
    if (made === undefined) throw new Error('no coins were made');
    const use = spend(test, { coins: [coinAt(made, 0)], outputs: [{ value: 900_000n, script: scriptOf(a) }] });
    const early = '16: bad-txns-premature-spend-of-coinbase';
    expect(answerOf(test.chain.submit(use))).toBe(early);
    await mineBlocks(test, 1);
    expect(answerOf(test.chain.submit(use))).toBe(early);
    const inBlock = blockOn(test.chain.tree.tip as BlockNode, test.chain, { transactions: [use] });
    expect(answerOf(await test.chain.submitBlock(inBlock))).toBe(early);
    await mineBlocks(test, 1);
    expect(answerOf(test.chain.submit(use))).toBe('taken');
    await mineBlocks(test, 1);
    expect(test.chain.mempool().entries.size).toBe(0);
  });

  it('an absurdly high fee, unless it is intended', async () => {
    const test = await ready();
    const high = paying(test, (draft) => draft, [{ value: 100_000n, script: scriptOf(test.keys[0]) }]);
    expect(answerOf(test.chain.submit(high))).toMatch(
      /^policy: AcceptToMemoryPool: absurdly high fees [0-9a-f]{64}, \d+ > \d+$/,
    );
    expect(answerOf(test.chain.submit(high, { allowHighFees: true }))).toBe('taken');
  });

  it('a spend of an unusual output is refused without a word, and so is a redeem script of many checks', async () => {
    const test = await ready();
    const redeem = new Uint8Array(16).fill(0xac);
    const odd = paying(test, (draft) => draft, [{ value: 90_000_000n, script: p2shScript(hash160(redeem)) }]);
    test.chain.submit(odd, { allowHighFees: true });
    const use = (scriptSig: Uint8Array) =>
      identified({
        ...odd.transaction,
        inputs: [{ txid: odd.txid, vout: 0, scriptSig, sequence: 0xffff_ffff }],
        outputs: [{ value: 89_999_000n, script: scriptOf(test.keys[0]) }],
      });
    expect(answerOf(test.chain.submit(use(pushData(redeem))))).toBe('policy: ');
  });
});

describe('chains of waiting transactions', () => {
  const chainOf = (test: TestChain, count: number) => {
    const [a] = test.keys;
    let coin = largestCoin(test, a);
    return Array.from({ length: count }, () => {
      const next = spend(test, {
        coins: [coin],
        outputs: [{ value: coin.output.value - 1_000n, script: scriptOf(a) }],
      });
      coin = coinAt(next, 0);
      return next;
    });
  };

  it('25 in a row are accepted, and the next one is not', async () => {
    const test = await ready();
    const links = chainOf(test, 26);
    const answers = links.map((link) => answerOf(test.chain.submit(link)));
    expect(answers.slice(0, 25)).toEqual(new Array(25).fill('taken'));
    expect(answers[25]).toBe('64: too-long-mempool-chain, too many unconfirmed ancestors [limit: 25]');
    const { chain } = test;
    expect(ancestorsOf(chain.mempool(), links[24]?.transaction.inputs ?? []).size).toBe(24);
    expect(descendantsOf(chain.mempool(), links[0]?.txid ?? '').size).toBe(24);
    await mineBlocks(test, 1);
    expect(chain.mempool().entries.size).toBe(0);
    expect(answerOf(chain.submit(links[25] as never))).toBe('taken');
  });

  it('25 that spend one transaction are accepted with it, less one, and the next one is not', async () => {
    const test = await ready();
    const [a] = test.keys;
    const coin = largestCoin(test, a);
    const outputs = Array.from({ length: 26 }, () => ({ value: coin.output.value / 27n, script: scriptOf(a) }));
    const parent = spend(test, { coins: [coin], outputs });
    test.chain.submit(parent, { allowHighFees: true });
    const answers = outputs.map(({ value, script }, vout) =>
      answerOf(
        test.chain.submit(spend(test, { coins: [coinAt(parent, vout)], outputs: [{ value: value - 1_000n, script }] })),
      ),
    );
    expect(answers.slice(0, 24)).toEqual(new Array(24).fill('taken'));
    const limit = `64: too-long-mempool-chain, too many descendants for tx ${parent.txid} [limit: 25]`;
    expect(answers.slice(24)).toEqual([limit, limit]);
  });

  it('one that goes takes along all that build on it, and their bytes', async () => {
    const test = await ready();
    const [root, ...others] = chainOf(test, 4).map((link) => submit(test, link));
    const mempool = test.chain.mempool();
    removeEntry(mempool, others[0]?.txid ?? '', { withChildren: true });
    expect([...mempool.entries.keys()]).toEqual([root?.txid]);
    expect([mempool.bytes, mempool.spentBy.size]).toEqual([root?.bytes.length, 1]);
  });

  it('a full mempool accepts no more until a block has made room', async () => {
    const test = await ready({}, { maxMempoolBytes: 400 });
    const [first, second, third] = chainOf(test, 3);
    expect(answerOf(test.chain.submit(first as never))).toBe('taken');
    expect(answerOf(test.chain.submit(second as never))).toBe('taken');
    expect(answerOf(test.chain.submit(third as never))).toBe('66: mempool full');
    await mineBlocks(test, 1);
    expect(answerOf(test.chain.submit(third as never))).toBe('taken');
  });
});
