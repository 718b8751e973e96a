import { describe, expect, it } from 'vitest';
import { createChainIndex } from '../../../../src/chains/utxo/chain-index.ts';
import { BITCOIN_FORM, bytesToHex, encodeTransaction, p2pkhScript, transactionId } from '../../../../src/htlc/index.ts';
import { keptBytes } from '../../../support/kept-bytes.ts';

type Outpoint = { readonly txid: string; readonly vout: number };

function transaction(
  number: number,
  { points, scripts }: { points: readonly Outpoint[]; scripts: readonly Uint8Array[] },
) {
  const tx = {
    ...BITCOIN_FORM,
    format: 'segwit',
    inputs: points.map((point) => ({
      ...{ ...point, scriptSig: new Uint8Array(0), sequence: 7 },
      witness: [new Uint8Array(71).fill(number), new Uint8Array(33).fill(2)],
    })),
    outputs: scripts.map((script) => ({ value: BigInt(number), script })),
    lockTime: 0,
  } as const;
  const bytes = encodeTransaction(tx);
  return { txid: transactionId(bytes, tx), hex: bytesToHex(bytes) };
}

const scriptOf = (number: number) => p2pkhScript(new Uint8Array(20).fill(number % 251, number % 19));
const pointOf = (number: number) => ({ txid: number.toString(16).padStart(64, '0'), vout: number % 5 });

describe('the index of a chain', () => {
  it('holds a usual transaction in less than 2,500 bytes, as it may hold weeks of a chain', () => {
    const index = createChainIndex(() => 900);
    let number = 0;
    const kept = keptBytes(() => {
      number += 1;
      const of = {
        points: [pointOf(number), pointOf(number + 7_000_000)],
        scripts: [scriptOf(number), scriptOf(number + 3)],
      };
      const { txid, hex } = transaction(number, of);
      index.put(txid, { hex, height: number });
    }, 2000);
    expect(index.takers(pointOf(number).txid, number % 5)[0]?.height).toBe(number);
    expect(kept / 2000).toBeGreaterThan(500);
    expect(kept / 2000).toBeLessThan(2500);
  });

  it('finds several at one place, and lets each of them go', () => {
    const index = createChainIndex(() => 10);
    const [script, point] = [scriptOf(9), pointOf(4)];
    const made = [1, 2, 3].map((number) => transaction(number, { points: [point], scripts: [script, script] }));
    for (const [place, { txid, hex }] of made.entries()) index.put(txid, { hex, height: place === 0 ? 8 : null });
    const found = () => index.paying(bytesToHex(script)).map(({ txid }) => txid);
    const taking = () => index.takers(point.txid, point.vout).map(({ txid }) => txid);
    const left = made.map(({ txid }) => txid);
    for (const { txid } of made) {
      expect(found().toSorted()).toEqual(left.toSorted());
      expect(taking().toSorted()).toEqual(left.toSorted());
      index.remove(txid);
      left.splice(left.indexOf(txid), 1);
    }
    expect([found(), taking()]).toEqual([[], []]);
  });

  it('reads a transaction once, whoever looks into it', () => {
    const index = createChainIndex(() => 10);
    const { txid, hex } = transaction(6, { points: [pointOf(1)], scripts: [scriptOf(1)] });
    index.put(txid, { hex, height: 9 });
    const seen = index.get(txid);
    expect(seen?.tx.outputs).toEqual([{ value: 6n, script: scriptOf(1) }]);
    expect(index.takers(pointOf(1).txid, 1)[0]?.tx).toBe(seen?.tx);
  });
});
