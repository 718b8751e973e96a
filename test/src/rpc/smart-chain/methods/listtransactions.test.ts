import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../../src/log/memory/index.ts';
import type { NodeContext } from '../../../../../src/rpc/smart-chain/context.ts';
import { ask, errorOf, openNode, text } from '../method-context.ts';

const foreign = 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7';
const params = { supply: 1_000_000_000n, reward: 70_000n, maturity: 2 };

type Row = Readonly<Record<string, unknown>>;

const rowsOf = async (node: NodeContext, ...of: readonly (string | number | boolean)[]) => {
  const rows: readonly Row[] = await ask(node, 'listtransactions', ...of);
  return rows.map(({ category, address, amount, confirmations }) => [category, address, amount, confirmations]);
};

describe('listtransactions', () => {
  it('shows the last entries, the oldest first, with the members of the node', async () => {
    const node = await openNode({ seed: 'history', params });
    const { myaddress } = await ask(node, 'tokenaddress');
    await ask(node, 'generate', 3);
    const txid = await ask(node, 'sendtoaddress', foreign, 1.5);
    const shown: readonly Row[] = await ask(node, 'listtransactions');
    expect(Object.keys(shown[0] ?? {})).toEqual([
      ...['account', 'address', 'category', 'amount', 'vout', 'rawconfirmations', 'generated', 'confirmations'],
      ...['blockhash', 'blockindex', 'blocktime', 'expiryheight', 'txid', 'walletconflicts', 'time', 'timereceived'],
      ...['vjoinsplit', 'size'],
    ]);
    const last = shown.at(-1);
    // Within a transaction the order is turned round as well, as on the node.
    expect(last).toMatchObject({ category: 'send', address: foreign, vout: 0, txid, confirmations: 0 });
    const all = await rowsOf(node, '*', 99);
    expect(all.map(([category]) => category)).toEqual(['generate', 'generate', 'immature', 'receive', 'send', 'send']);
    expect(all[0]).toEqual(['generate', myaddress, 10.0007, 3]);
    expect(all[5]).toEqual(['send', foreign, -1.5, 0]);
    expect(await rowsOf(node, '*', 2)).toEqual(all.slice(-2));
    expect(await rowsOf(node, '*', 2, 3)).toEqual(all.slice(1, 3));
    expect(await rowsOf(node, '*', 9, 5)).toEqual(all.slice(0, 1));
    expect(await rowsOf(node, '*', 9, 6)).toEqual([]);
    expect(await rowsOf(node, '')).toEqual(all);
    expect(await rowsOf(node, 'other')).toEqual([]);
    expect(await errorOf(node, 'listtransactions', '*', -1)).toBe('-8 Negative count');
    expect(await errorOf(node, 'listtransactions', '*', 1, -1)).toBe('-8 Negative from');
  });

  it('shows nothing of others, and watch-only addresses on demand', async () => {
    const node = await openNode({ seed: 'history', params });
    await ask(node, 'generatetoaddress', 2, foreign);
    expect(await rowsOf(node)).toEqual([]);
    await ask(node, 'importaddress', foreign);
    expect(await rowsOf(node)).toEqual([]);
    expect((await rowsOf(node, '*', 10, 0, true)).map(([, address]) => address)).toEqual([foreign, foreign]);
  });

  it('has what was sent after a restart, even if it no longer waits', async () => {
    const log = createMemoryLog();
    const node = await openNode({ seed: 'history', params, log });
    await ask(node, 'generate', 3);
    await ask(node, 'sendtoaddress', foreign, 1);
    const before = await text(node, 'listtransactions');
    expect(await text(await openNode({ seed: 'history', params, log }), 'listtransactions')).toBe(before);
  });
});

describe('balances', () => {
  it('tell apart what can be spent, what others send, and what has to mature', async () => {
    const node = await openNode({ seed: 'rich', params });
    await ask(node, 'generate', 4);
    // Of four rewards of 70,000 satoshis the last one is too young.
    const ready = 10 + 3 * 0.0007;
    expect(await ask(node, 'getbalance')).toBe(ready);
    expect(await ask(node, 'getbalances')).toEqual({
      mine: { trusted: ready, untrusted_pending: 0, immature: 0.0007 },
    });
    expect(await ask(node, 'getbalance', '*', 1)).toBe(ready);
    expect(await ask(node, 'getbalance', '*', 4)).toBe(10.0007);
    expect(await ask(node, 'getbalance', 'other')).toBe(0);
    const txid = await ask(node, 'sendtoaddress', foreign, 1);
    const { fee } = await ask(node, 'gettransaction', txid);
    // What comes back from an own payment counts at once.
    const left = ready - 1 + fee;
    const { mine } = await ask(node, 'getbalances');
    expect(mine.trusted).toBeCloseTo(left, 8);
    expect([mine.untrusted_pending, mine.immature]).toEqual([0, 0.0007]);
    expect(await text(node, 'getinfo')).toContain(`"balance":${left.toFixed(8)},`);
    const info = await ask(node, 'getwalletinfo');
    expect(Object.keys(info)).toEqual([
      ...['walletversion', 'balance', 'unconfirmed_balance', 'immature_balance', 'txcount', 'keypoololdest'],
      ...['keypoolsize', 'paytxfee'],
    ]);
    expect(info).toMatchObject({ txcount: 5, immature_balance: 0.0007, unconfirmed_balance: 0, paytxfee: 0.0001 });
  });

  it('count what a stranger sends once a block holds it', async () => {
    const node = await openNode({ seed: 'rich', params });
    await ask(node, 'generate', 4);
    const other = await ask(node, 'getnewaddress');
    const wif = await ask(node, 'dumpprivkey', other);
    const stranger = { ...node, wallet: (await openNode()).wallet };
    await ask(stranger, 'importprivkey', wif);
    await ask(node, 'sendtoaddress', other, 2);
    const gift = await ask(stranger, 'sendtoaddress', foreign, 0.5);
    // The gift of the stranger goes to an address that this wallet has no key of; what comes back to the stranger is its own.
    const watching = { ...node, wallet: (await openNode({ seed: 'poor' })).wallet };
    expect(await ask(watching, 'getbalances')).toEqual({ mine: { trusted: 0, untrusted_pending: 0, immature: 0 } });
    const { address } = await stranger.wallet.create();
    const paid = await ask(node, 'sendtoaddress', address, 0.25);
    expect(paid).not.toBe(gift);
    const { mine } = await ask(stranger, 'getbalances');
    // The rest of the gift comes back from a payment of its own.
    expect(mine.untrusted_pending).toBe(0.25);
    expect(mine.trusted).toBeCloseTo(2 - 0.5, 3);
    await ask(node, 'generate', 1);
    expect((await ask(stranger, 'getbalances')).mine.untrusted_pending).toBe(0);
  });
});

it('what a client asks of a node without a network', async () => {
  const node = await openNode({ seed: 'alone', params });
  await ask(node, 'generate', 3);
  expect(await ask(node, 'getconnectioncount')).toBe(0);
  expect(await ask(node, 'getpeerinfo')).toEqual([]);
  expect(await ask(node, 'getdifficulty')).toBe(1);
  const empty = await ask(node, 'getmempoolinfo');
  expect(empty).toEqual({ size: 0, bytes: 0, usage: 0 });
  await ask(node, 'sendtoaddress', foreign, 1);
  const [waiting] = await ask(node, 'getrawmempool');
  const { hex } = await ask(node, 'gettransaction', waiting);
  expect(await ask(node, 'getmempoolinfo')).toMatchObject({ size: 1, bytes: hex.length / 2 });
  const info = await ask(node, 'getnetworkinfo');
  expect(Object.keys(info)).toEqual([
    ...['version', 'subversion', 'protocolversion', 'localservices', 'timeoffset', 'connections', 'networks'],
    ...['relayfee', 'localaddresses', 'warnings'],
  ]);
  expect(info).toMatchObject({ connections: 0, relayfee: 0.000001 });
  const { version } = await ask(node, 'getinfo');
  expect(info.version).toBe(version);
});
