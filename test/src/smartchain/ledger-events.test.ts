import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { type Block, decodeBlock, encodeBlock } from '../../../src/smartchain/chain/block.ts';
import type { BlockNode } from '../../../src/smartchain/chain/tree.ts';
import { blockOf } from '../../../src/smartchain/ledger-events.ts';
import { blockOn, mineBlocks, testChain } from '../../support/smart-chain.ts';

const STREAM = 'smart-chain/SWAP';
type Entry = { type: string; version: number; data: unknown };

/** Opens a log that holds the records of a short chain, changed. */
const opening = async (edit: (records: Entry[]) => Entry[], notarization = false) => {
  const test = await testChain();
  await mineBlocks(test, 2);
  const records = (await test.log.read(STREAM)).map(({ at, type, version, data }) => ({ at, type, version, data }));
  const log = createMemoryLog();
  const edited = edit(records).map((record) => ({ at: records[0]?.at as never, ...record }));
  log.append({ stream: STREAM, expected: 0, records: edited });
  return testChain({ log, notarization });
};
const hashOf = (record: Entry | undefined) => String((record?.data as { hash?: string } | undefined)?.hash);

describe('a ledger that this program did not write is refused, not guessed at', () => {
  const damages: readonly (readonly [string, (records: Entry[]) => Entry[]])[] = [
    ['an unknown type', (records) => [...records, { type: 'BlockForgotten', version: 1, data: {} }]],
    ['a type of every object', (records) => [...records, { type: 'constructor', version: 1, data: {} }]],
    ['another version', (records) => [...records.slice(0, -1), { ...(records.at(-1) as Entry), version: 2 }]],
    [
      'a member too much',
      (records) => [...records, { type: 'BlockInvalidated', version: 1, data: { hash: hashOf(records[2]), more: 1 } }],
    ],
    ['a block without its parent', (records) => [...records.slice(0, 2), records[3] as Entry]],
    ['a block twice', (records) => [...records, records[2] as Entry]],
    ['no rules at its start', (records) => records.slice(1)],
    ['rules twice', (records) => [...records, records[0] as Entry]],
    [
      'a mark on an unknown block',
      (records) => [...records, { type: 'BlockInvalidated', version: 1, data: { hash: '1'.repeat(64) } }],
    ],
    [
      'a mark on the first block',
      (records) => [...records, { type: 'BlockInvalidated', version: 1, data: { hash: hashOf(records[1]) } }],
    ],
    [
      'a notarized block that is unknown',
      (records) => [...records, { type: 'BlockNotarized', version: 1, data: { hash: '1'.repeat(64), height: 1 } }],
    ],
    [
      'bytes of another block',
      (records) => [
        ...records.slice(0, 3),
        { ...(records[3] as Entry), data: { ...((records[3] as Entry).data as object), hash: '1'.repeat(64) } },
      ],
    ],
    [
      'bytes that are no block',
      (records) => [
        ...records.slice(0, 3),
        { ...(records[3] as Entry), data: { ...((records[3] as Entry).data as object), hex: '00' } },
      ],
    ],
  ];

  it.each(damages)('%s', async (_, edit) => {
    await expect(opening(edit)).rejects.toMatchObject({ code: 'SMARTCHAIN_LEDGER_DAMAGED' });
  });

  it('the same records unchanged are accepted', async () => {
    const { chain } = await opening((records) => records);
    expect(chain.tree.tip?.height).toBe(2);
  });

  it('a block whose header was kept and whose transactions were changed', async () => {
    const test = await testChain();
    const block = blockOn(test.chain.tree.tip as BlockNode, test.chain);
    const other = blockOn(test.chain.tree.tip as BlockNode, test.chain);
    const mixed = { header: block.header, transactions: other.transactions };
    const hex = bytesToHex(encodeBlock(mixed));
    expect((decodeBlock(hexToBytes(hex)) as Block).hash).toBe(block.hash);
    expect(() => blockOf({ hash: block.hash, hex }, STREAM)).toThrow('SMARTCHAIN_LEDGER_DAMAGED');
    expect(blockOf({ hash: block.hash, hex: bytesToHex(encodeBlock(block)) }, STREAM).hash).toBe(block.hash);
  });
});
