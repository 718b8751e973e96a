import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../../src/log/memory/index.ts';
import type { BlockNode } from '../../../../../src/smartchain/chain/tree.ts';
import { buildPayment } from '../../../../../src/smartchain/wallet/send.ts';
import { blockOn } from '../../../../support/smart-chain.ts';
import { ask, errorOf, type NodeOptions, openNode, text } from '../method-context.ts';

const foreign = 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7';
const SUPPLY = { supply: 1_000_000_000n };

async function funded(options: NodeOptions = {}) {
  const node = await openNode({ seed: 'payer', params: SUPPLY, ...options });
  await ask(node, 'generate', 3);
  return node;
}

/** Members of the answer in their order, those that are not always there in brackets. */
const BEHIND_DEPTH = ['txid', 'walletconflicts', 'time', 'timereceived', 'vjoinsplit', 'details', 'hex'];
const DEPTH = ['rawconfirmations', 'confirmations'];
const PLACE = ['blockhash', 'blockindex', 'blocktime', 'expiryheight'];

describe('gettransaction', () => {
  it('has the members of the node in its order', async () => {
    const node = await funded();
    const txid = await ask(node, 'sendtoaddress', foreign, 1);
    expect(Object.keys(await ask(node, 'gettransaction', txid))).toEqual(['amount', 'fee', ...DEPTH, ...BEHIND_DEPTH]);
    await ask(node, 'generate', 1);
    const mined = Object.keys(await ask(node, 'gettransaction', txid));
    expect(mined).toEqual(['amount', 'fee', ...DEPTH, ...PLACE, ...BEHIND_DEPTH]);
    const [coinbase] = (await ask(node, 'getblock', 4)).tx;
    const [raw, depth] = DEPTH;
    const made = Object.keys(await ask(node, 'gettransaction', coinbase));
    expect(made).toEqual(['amount', raw, 'generated', depth, ...PLACE, ...BEHIND_DEPTH]);
  });

  it('shows a payment to a key of the wallet as sent and as received', async () => {
    const node = await funded();
    const own = await ask(node, 'getnewaddress');
    const txid = await ask(node, 'sendtoaddress', own, '1.5');
    const { amount, fee, details } = await ask(node, 'gettransaction', txid);
    expect([amount, fee < 0]).toEqual([0, true]);
    const { myaddress } = await ask(node, 'tokenaddress');
    const rows = details.map((each: Record<string, unknown>) => [each['category'], each['address'], each['vout']]);
    expect(rows).toEqual([
      ['send', own, 0],
      ['send', myaddress, 1],
      ['receive', own, 0],
      ['receive', myaddress, 1],
    ]);
    expect(Object.keys(details[0])).toEqual(['account', 'address', 'category', 'amount', 'vout', 'fee', 'size']);
    expect(Object.keys(details[2])).toEqual(['account', 'address', 'category', 'amount', 'vout', 'size']);
    expect([details[0].amount, details[2].amount, details[0].fee]).toEqual([-1.5, 1.5, fee]);
  });

  it('says how long a new coin has to mature', async () => {
    const node = await openNode({ seed: 'payer', params: { ...SUPPLY, maturity: 3 } });
    await ask(node, 'generate', 4);
    const detailOf = async (height: number) => {
      const [coinbase] = (await ask(node, 'getblock', height)).tx;
      return (await ask(node, 'gettransaction', coinbase)).details[0];
    };
    expect(await detailOf(3)).toMatchObject({ category: 'immature', blockstomaturity: 1 });
    expect(Object.keys(await detailOf(4)).slice(2, 5)).toEqual(['category', 'blockstomaturity', 'amount']);
    expect(await detailOf(2)).toMatchObject({ category: 'generate' });
    expect(await detailOf(2)).not.toHaveProperty('blockstomaturity');
  });

  it('shows what was sent, and when, also after a restart', async () => {
    const log = createMemoryLog();
    const node = await funded({ log });
    const txid = await ask(node, 'sendtoaddress', foreign, 1);
    const before = await text(node, 'gettransaction', txid);
    const again = await openNode({ seed: 'payer', params: SUPPLY, log });
    expect(await text(again, 'gettransaction', txid)).toBe(before);
    expect(await ask(again, 'getrawmempool')).toEqual([txid]);
  });

  it('counts below zero what can no longer wait, and names what replaced it', async () => {
    const node = await funded();
    const { chain } = node;
    const script = Uint8Array.of(0x76, 0xa9, 0x14, ...new Uint8Array(20).fill(3), 0x88, 0xac);
    const rival = buildPayment(node, { outputs: [{ value: 5_000_000n, script }] });
    if ('fault' in rival) throw new Error(rival.fault);
    const txid = await ask(node, 'sendtoaddress', foreign, 1);
    expect(await ask(node, 'gettransaction', txid)).toMatchObject({ confirmations: 0, walletconflicts: [] });
    const tip = chain.tree.tip as BlockNode;
    await chain.submitBlock(blockOn(tip, chain, { transactions: [rival.identified] }));
    const gone = await ask(node, 'gettransaction', txid);
    const conflicts = { walletconflicts: [rival.identified.txid] };
    expect(gone).toMatchObject({ rawconfirmations: -1, confirmations: -1, ...conflicts, amount: -1 });
    expect(gone).not.toHaveProperty('blockhash');
    expect(await ask(node, 'gettransaction', rival.identified.txid)).toMatchObject({ walletconflicts: [txid] });
  });

  it('says the same about an invalid id as about an unknown one', async () => {
    const node = await funded();
    for (const id of ['zz', '', 'ab'.repeat(32), 'ab'.repeat(40)]) {
      expect(await errorOf(node, 'gettransaction', id)).toBe('-5 Invalid or non-wallet transaction id');
    }
    expect(await errorOf(node, 'gettransaction', 5)).toBe('-1 JSON value is not a string as expected');
  });

  it('shows watch-only addresses on demand', async () => {
    const node = await funded();
    await ask(node, 'importaddress', foreign);
    const [hash] = await ask(node, 'generatetoaddress', 1, foreign);
    const [coinbase] = (await ask(node, 'getblock', hash)).tx;
    expect(await ask(node, 'gettransaction', coinbase)).toMatchObject({ amount: 0, details: [] });
    const [detail] = (await ask(node, 'gettransaction', coinbase, true)).details;
    expect(detail).toMatchObject({ address: foreign, category: 'generate' });
  });
});
