import { expect, it } from 'vitest';
import { createChainIndex } from '../../../../../src/chains/utxo/chain-index.ts';
import { Branch } from '../../../../../src/chains/utxo/electrum/branch.ts';
import type { ElectrumCall } from '../../../../../src/chains/utxo/electrum/connection.ts';
import type { ElectrumVoice } from '../../../../../src/chains/utxo/electrum/panel.ts';
import { type Settling, settle } from '../../../../../src/chains/utxo/electrum/settle.ts';
import { putEntries } from '../../../../../src/chains/utxo/electrum/transactions.ts';
import type { JsonValue } from '../../../../../src/primitives/json.ts';
import { headAt, headers, voiceOf } from '../../../../support/electrum/headers.ts';

const entries = Array.from({ length: 5000 }, (_, place) => ({
  txid: place.toString(16).padStart(64, '0'),
  height: 995,
}));

/** A server that tells of all that, and answers with this. */
function liarSaying(result: (call: ElectrumCall) => JsonValue) {
  let asked = 0;
  const voice: ElectrumVoice = {
    url: 'a:1',
    batch: async (calls) => {
      asked += calls.length;
      return calls.map((call) => ({ result: result(call) }));
    },
  };
  return { voice, asked: () => asked };
}

it('a server that makes up thousands of transactions has only the first ones read', async () => {
  const { voice, asked } = liarSaying(() => '00'.repeat(64));
  const index = createChainIndex(() => 1000);
  await expect(putEntries(entries, { index, claims: [{ voice, entries }] })).rejects.toThrow(/sent other bytes/);
  expect(asked()).toBeLessThanOrEqual(20);
});

it('a server that makes up thousands of positions has only the first hundred proven', async () => {
  const all = headers(1000);
  const proves: ElectrumCall[] = [];
  const { voice } = liarSaying((call) => {
    if (call[0] === 'blockchain.headers.subscribe') return { height: 999, hex: all[999] };
    proves.push(call);
    return { merkle: [], pos: 0 };
  });
  const branch = new Branch(11);
  await branch.moveTo(headAt(all, 999), [voiceOf(all).voice]);
  const settling: Settling = { branch, proven: new Map(), stands: [], need: 2 };
  await expect(settle([{ voice, entries }], settling)).rejects.toThrow(/^a:1 does not prove that/);
  expect(proves.length).toBe(100);
});

it('a server that reports a transaction several times is one server', async () => {
  const all = headers(1000);
  const { voice } = liarSaying(() => '');
  const settling: Settling = { branch: new Branch(11), proven: new Map(), stands: [], need: 2 };
  await settling.branch.moveTo(headAt(all, 999), [voiceOf(all).voice]);
  const waiting = { txid: 'cd'.repeat(32), height: null };
  expect(await settle([{ voice, entries: [waiting, waiting, waiting] }], settling)).toEqual([]);
  const deep = { ...waiting, height: 7 };
  const asked = settle([{ voice, entries: [deep, deep] }], settling);
  await expect(asked).rejects.toThrow(/report different heights/);
  const other: ElectrumVoice = { ...voice, url: 'b:1' };
  const claims = [voice, other].map((one) => ({ voice: one, entries: [deep, waiting] }));
  expect(await settle(claims, settling)).toEqual([deep]);
});

it('what one server says lies too deep to be proven is absent if as many as necessary do not report it', async () => {
  const all = headers(1000);
  const branch = new Branch(11);
  await branch.moveTo(headAt(all, 999), [voiceOf(all).voice]);
  const settling: Settling = { branch, proven: new Map(), stands: [], need: 2 };
  const [a, b, c] = ['a:1', 'b:1', 'c:1'].map((url) => ({ ...liarSaying(() => '').voice, url })) as [
    ElectrumVoice,
    ElectrumVoice,
    ElectrumVoice,
  ];
  const deep = { txid: 'cd'.repeat(32), height: 7 };
  const made = { voice: a, entries: [deep] };
  expect(await settle([made, { voice: b, entries: [] }, { voice: c, entries: [] }], settling)).toEqual([]);
  await expect(settle([made, { voice: b, entries: [] }], settling)).rejects.toThrow(/report different heights/);
  const higher = { ...deep, height: 8 };
  const elsewhere = [made, { voice: b, entries: [higher] }, { voice: c, entries: [higher] }];
  expect(await settle(elsewhere, settling)).toEqual([higher]);
  const waiting = { ...deep, height: null };
  const waits = [made, { voice: b, entries: [waiting] }, { voice: c, entries: [waiting] }];
  expect(await settle(waits, settling)).toEqual([waiting]);
  const open = [made, { voice: b, entries: [higher] }, { voice: c, entries: [] }];
  await expect(settle(open, settling)).rejects.toThrow(/report different heights/);
});
