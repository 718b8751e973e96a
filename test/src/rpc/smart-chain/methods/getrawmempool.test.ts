import { expect, it } from 'vitest';
import { feeEstimator } from '../../../../../src/smartchain/chain/fee-estimator.ts';
import { observedEntry } from '../../../../../src/smartchain/chain/observe-entry.ts';
import { ask, errorOf, openNode } from '../method-context.ts';

const address = 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7';

it('shows what waits, who builds on whom, and how priorities grow', async () => {
  const node = await openNode({ seed: 'pool', params: { supply: 0n, reward: 100_000_000n } });
  await ask(node, 'generate', 1);
  await ask(node, 'generatetoaddress', 1, address);
  const first = await ask(node, 'sendtoaddress', address, '0.3');
  const second = await ask(node, 'sendtoaddress', address, '0.3');
  expect(await ask(node, 'getrawmempool')).toEqual([first, second]);
  const pool = await ask(node, 'getrawmempool', true);
  expect(Object.keys(pool[first])).toEqual([
    ...['size', 'fee', 'time', 'height', 'startingpriority', 'currentpriority', 'depends'],
  ]);
  expect(pool[first]).toMatchObject({ height: 2, depends: [] });
  expect(pool[second]).toMatchObject({ height: 2, depends: [first], startingpriority: 0 });
  expect(pool[first].startingpriority).toBe(pool[first].currentpriority);
  expect(pool[first].startingpriority).toBeGreaterThan(0);
  expect(await errorOf(node, 'getrawmempool', 1)).toBe('-1 JSON value is not a boolean as expected');
});

it('describes what waits to an estimator', async () => {
  const node = await openNode({ seed: 'pool' });
  await ask(node, 'generate', 2);
  const txid = await ask(node, 'sendtoaddress', address, 1);
  const entry = node.chain.mempool().entries.get(txid);
  if (entry === undefined) throw new Error('nothing waits');
  const observed = observedEntry(entry, node.chain.tree.ledger);
  expect(observed).toMatchObject({ txid, fee: entry.fee, size: entry.bytes.length, height: 2, hasParents: false });
  feeEstimator().entered(observed);
});
