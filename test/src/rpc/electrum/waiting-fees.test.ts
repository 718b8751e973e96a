import { describe, expect, it } from 'vitest';
import { createChainIndex } from '../../../../src/chains/utxo/chain-index.ts';
import { feeOf } from '../../../../src/chains/utxo/waiting.ts';
import { encodeTransaction, transactionId } from '../../../../src/htlc/index.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { feeHistogram } from '../../../../src/rpc/electrum/waiting-fees.ts';

const SOURCE_VALUE = 100_000_000n;

/** What waits, each of so many bytes and with such a fee, over one confirmed source. */
function waitingFor(wanted: readonly { readonly padding: number; readonly fee: bigint }[]) {
  const index = createChainIndex(() => 10);
  const put = (
    inputs: readonly { txid: string; vout: number }[],
    outputs: { value: bigint; script: Uint8Array }[],
    height: number | null,
  ) => {
    const tx = {
      format: 'legacy' as const,
      version: 1,
      inputs: inputs.map((input) => ({ ...input, scriptSig: new Uint8Array(0), sequence: 0 })),
      outputs,
      lockTime: 0,
    };
    const bytes = encodeTransaction(tx);
    const txid = transactionId(bytes, tx);
    index.put(txid, { hex: bytesToHex(bytes), height });
    return { txid, size: bytes.length };
  };
  const script = new Uint8Array([0x51]);
  const source = put(
    [{ txid: 'aa'.repeat(32), vout: 0 }],
    wanted.map(() => ({ value: SOURCE_VALUE, script })),
    3,
  );
  const made = wanted.map(({ padding, fee }, vout) =>
    put([{ txid: source.txid, vout }], [{ value: SOURCE_VALUE - fee, script: new Uint8Array(padding) }], null),
  );
  return {
    reader: { index, waiting: () => index.waiting() },
    sizes: made.map(({ size }) => size),
    ids: made.map(({ txid }) => txid),
  };
}

describe('fees of waiting transactions', () => {
  it('are what they spend less what they pay, and unknown if an input cannot be read', () => {
    const { reader, ids } = waitingFor([{ padding: 25, fee: 777n }]);
    const seen = reader.index.get(ids[0] ?? '');
    if (seen === undefined) throw new Error('it is not there');
    expect(feeOf(reader.index, seen)).toBe(777n);
    reader.index.remove(seen.tx.inputs[0]?.txid ?? '');
    expect(feeOf(reader.index, seen)).toBeUndefined();
    expect(feeHistogram(reader)).toEqual([]);
  });

  it('come in bins of more than 100,000 virtual bytes, the dearest first, and each larger than the one before', () => {
    const { reader, sizes } = waitingFor([
      { padding: 60_000, fee: 60_000n },
      { padding: 60_000, fee: 600_000n },
      { padding: 60_000, fee: 300_000n },
      { padding: 20_000, fee: 10_000n },
      { padding: 90_000, fee: 1_000_000n },
    ]);
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = sizes;
    expect(feeHistogram(reader)).toEqual([
      [9.9, e + b],
      [0.9, c + a],
      [0.4, d],
    ]);
  });

  it('have no bin if nothing waits', () => {
    expect(feeHistogram(waitingFor([]).reader)).toEqual([]);
  });
});
