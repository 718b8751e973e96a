import { expect, it } from 'vitest';
import { tokenBalance } from '../../../../src/smartchain/wallet/token-balance.ts';
import { buildCreate, buildTransfer } from '../../../../src/smartchain/wallet/token-transactions.ts';
import { answerOf, builtOf, makerOf, mineBlocks, submit, testChain } from '../../../support/smart-chain.ts';

it('tokens that a sent transaction holds are not counted, waiting or not, until it can no longer be mined', async () => {
  const test = await testChain({ offersSent: false });
  await mineBlocks(test, 4);
  const [from, to] = test.keys;
  const token = { name: Uint8Array.of(65), supply: 1_000n, description: new Uint8Array(0) };
  const { txid: tokenId } = submit(test, builtOf(buildCreate(makerOf(test, from), token)));
  await mineBlocks(test, 1);
  const held = ({ publicKey }: typeof from) => tokenBalance(test.chain, { tokenId, key: publicKey });
  const transfer = () => buildTransfer(makerOf(test, from), { tokenId, recipient: to.publicKey, amount: 300n });
  expect([held(from), held(to)]).toEqual([1_000n, 0n]);
  const sent = builtOf(transfer());
  expect(answerOf(await test.chain.send(() => sent))).toBe('taken');
  expect([held(from), held(to)]).toEqual([0n, 0n]);
  await test.restart();
  expect(test.chain.mempool().entries.size).toBe(0);
  expect([held(from), held(to)]).toEqual([0n, 0n]);
  expect(transfer()).toEqual({ error: 'no token inputs' });
  const left = (sent.transaction.expiryHeight ?? 0) - test.chain.tree.ledger.blocks.length;
  await mineBlocks(test, left);
  expect(held(from)).toBe(0n);
  await mineBlocks(test, 1);
  expect([held(from), held(to)]).toEqual([1_000n, 0n]);
  expect(transfer()).not.toHaveProperty('error');
});
