import { describe, expect, it } from 'vitest';
import { createChainIndex } from '../../../../../src/chains/utxo/chain-index.ts';
import type { ElectrumVoice } from '../../../../../src/chains/utxo/electrum/panel.ts';
import { putEntries } from '../../../../../src/chains/utxo/electrum/transactions.ts';
import {
  BITCOIN_FORM,
  bytesToHex,
  type DecodedTransaction,
  encodeTransaction,
  FINAL_SEQUENCE,
  htlcInputScripts,
  htlcRedeemScript,
  keyInputScripts,
  secretHashOf,
  transactionId,
  unixSecondsOf,
} from '../../../../../src/htlc/index.ts';

const secret = new Uint8Array(32).fill(0x5e);
const redeemScript = htlcRedeemScript({
  lockTime: unixSecondsOf(1_800_000_000),
  senderKey: new Uint8Array(33).fill(2),
  receiverKey: new Uint8Array(33).fill(3),
  secretHash: secretHashOf(secret),
});
const signature = new Uint8Array(71).fill(7);
const parts = { scheme: 'p2wsh', signature, redeemScript } as const;
const EMPTY = new Uint8Array(0);

type Scripts = ReturnType<typeof htlcInputScripts>;

function hexWith(scripts: Scripts): string {
  const inputs = [{ txid: 'ab'.repeat(32), vout: 0, sequence: FINAL_SEQUENCE, ...scripts }];
  const outputs = [{ value: 7000n, script: Uint8Array.of(0x51) }];
  const format = scripts.witness === undefined ? 'legacy' : 'segwit';
  const tx: DecodedTransaction = { ...BITCOIN_FORM, format, inputs, outputs, lockTime: 0 };
  return bytesToHex(encodeTransaction(tx));
}

const claim = hexWith(htlcInputScripts({ ...parts, kind: 'spend', secret }));
const wrongSecret = hexWith(htlcInputScripts({ ...parts, kind: 'spend', secret: new Uint8Array(32) }));
const asRefund = hexWith(htlcInputScripts({ ...parts, kind: 'refund' }));
const stripped = hexWith({ scriptSig: EMPTY });
const paidBy = (fill: number) =>
  hexWith(keyInputScripts({ scheme: 'p2wpkh', signature, key: new Uint8Array(33).fill(fill) }));
const id = transactionId(Buffer.from(stripped, 'hex'), {
  ...BITCOIN_FORM,
  inputs: [{ txid: 'ab'.repeat(32), vout: 0, sequence: FINAL_SEQUENCE, scriptSig: EMPTY }],
  outputs: [{ value: 7000n, script: Uint8Array.of(0x51) }],
  lockTime: 0,
});

/** What is in the index after servers sent these bytes in this order, and how many were asked. */
async function read(...sent: readonly string[]) {
  let asked = 0;
  const entries = [{ txid: id, height: 5 }];
  const claims = sent.map((hex, place) => {
    const voice: ElectrumVoice = {
      url: `${place}:1`,
      async batch(calls) {
        asked += 1;
        return calls.map(() => ({ result: hex }));
      },
    };
    return { voice, entries };
  });
  const index = createChainIndex(() => 9);
  await putEntries(entries, { index, claims });
  return { hex: index.get(id)?.hex, asked };
}

// The id of a transaction does not cover what its witnesses hold: whoever passes it on may change that.
describe('a transaction whose witness one server has changed', () => {
  it.each([
    ['without a witness', stripped],
    ['with another secret', wrongSecret],
    ['as if it were a refund', asRefund],
  ])('is read unchanged if another server sends it with the secret: %s', async (_, changed) => {
    expect((await read(changed, claim)).hex).toBe(claim);
    expect((await read(claim, changed)).hex).toBe(claim);
    expect((await read(changed, changed, claim)).hex).toBe(changed === stripped ? claim : changed);
  });

  it('is read as two servers send it, or not at all', async () => {
    expect((await read(paidBy(4), paidBy(5), paidBy(5))).hex).toBe(paidBy(5));
    await expect(read(paidBy(4), paidBy(5))).rejects.toThrow(`servers send different witnesses of ${id}`);
    await expect(read(paidBy(4), stripped)).rejects.toThrow('different witnesses');
  });

  it('is read without any if all send it so, as what Litecoin pays out of its extension block', async () => {
    expect(await read(stripped, stripped, stripped)).toEqual({ hex: stripped, asked: 3 });
  });

  it('costs one more question, and none if nothing is behind the id or the secret is there', async () => {
    expect(await read(paidBy(5), paidBy(5), paidBy(5))).toEqual({ hex: paidBy(5), asked: 2 });
    expect(await read(claim, stripped, stripped)).toEqual({ hex: claim, asked: 1 });
    expect(await read(paidBy(5))).toEqual({ hex: paidBy(5), asked: 1 });
  });
});

describe('a transaction in a form that is not read', () => {
  const p2sh = { scheme: 'p2sh', signature, redeemScript } as const;
  /** Zcash's fifth version: the head, what it takes and pays, and nothing shielded. */
  const versionFive = (scripts: Scripts) =>
    `050000800a27a726555510c80000000000000000${hexWith(scripts).slice(8, -8)}000000`;
  const shown = versionFive(htlcInputScripts({ ...p2sh, kind: 'spend', secret }));

  async function takers(index: ReturnType<typeof createChainIndex>, height: number | null, ...sent: readonly string[]) {
    const entries = [{ txid: id, height }];
    const claims = sent.map((hex, place) => {
      const voice: ElectrumVoice = { url: `${place}:1`, batch: async (calls) => calls.map(() => ({ result: hex })) };
      return { voice, entries };
    });
    await putEntries(entries, { index, claims });
    return index.takers('ab'.repeat(32), 0).map(({ hex, height: at }) => ({ hex, at }));
  }

  it('shows the secret with which it takes a payment, while it waits and in a block', async () => {
    const index = createChainIndex(() => 9);
    expect(await takers(index, null, shown)).toEqual([{ hex: shown, at: null }]);
    expect(await takers(index, 6, shown)).toEqual([{ hex: shown, at: 6 }]);
    expect(index.get(id)?.tx.outputs).toEqual([]);
  });

  it.each([
    ['with another secret', { ...p2sh, kind: 'spend', secret: new Uint8Array(32) }],
    ['as a refund', { ...p2sh, kind: 'refund' }],
  ] as const)('shows nothing else, since its bytes need not be those of its id: %s', async (_, scripts) => {
    expect(
      await takers(
        createChainIndex(() => 9),
        6,
        versionFive(htlcInputScripts(scripts)),
      ),
    ).toEqual([]);
  });

  it('shows the secret that one of two servers has in it', async () => {
    const other = versionFive(htlcInputScripts({ ...p2sh, kind: 'refund' }));
    expect(
      await takers(
        createChainIndex(() => 9),
        6,
        other,
        shown,
      ),
    ).toEqual([{ hex: shown, at: 6 }]);
  });
});
