import { expect, it } from 'vitest';
import { emptyMempool } from '../../../../src/smartchain/chain/mempool.ts';
import { mineBlock } from '../../../../src/smartchain/chain/miner.ts';
import { addBlock, type BlockNode, blockFault, invalidateBlock } from '../../../../src/smartchain/chain/tree.ts';
import { mineBlocks, scriptOf, testChain } from '../../../support/smart-chain.ts';

it('a block that replaces one of the same second, script and transactions is another one', async () => {
  const test = await testChain();
  await mineBlocks(test, 3);
  const { tree } = test.chain;
  const terms = { script: scriptOf(test.keys[0]), time: 0 };
  const hashes = new Set<string>();
  for (let count = 0; count < 5; count++) {
    const block = mineBlock(tree, emptyMempool(), terms);
    if (block === undefined) throw new Error('no nonce was found');
    expect(blockFault(tree, block)).toBeUndefined();
    addBlock(tree, block);
    hashes.add(block.hash);
    invalidateBlock(tree, tree.nodes.get(block.hash) as BlockNode);
  }
  expect(hashes.size).toBe(5);
});

it('a block without siblings says its height and nothing more', async () => {
  const test = await testChain();
  const block = await mineBlocks(test, 1);
  expect(block.transactions[0]?.transaction.inputs[0]?.scriptSig).toEqual(Uint8Array.of(0x51, 0));
});
