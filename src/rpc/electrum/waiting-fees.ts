import type { DaemonReader } from '../../chains/utxo/daemon/reader.ts';
import type { ChainIndex } from '../../chains/utxo/reader.ts';
import { feeOf } from '../../chains/utxo/waiting.ts';
import { virtualSize } from '../../htlc/spend.ts';

/** Virtual bytes of the dearest bin, and by how much the next one is larger. */
const FIRST_BIN = 100_000;
const GROWTH = 1.1;

type Bins = readonly (readonly [rate: number, size: number])[];

/** What was worked out last, for as long as nothing changes: whoever asks again and again costs nothing. */
const lastBins = new WeakMap<ChainIndex, { readonly version: number; readonly bins: Bins }>();

/** Rates in base units for a virtual byte with the virtual bytes that pay so much or more up to the next one, dearest first. */
export function feeHistogram(reader: Pick<DaemonReader, 'index' | 'waiting'>): Bins {
  const version = reader.index.version();
  const last = lastBins.get(reader.index);
  if (last?.version === version) return last.bins;
  const bins = binsOf(reader);
  lastBins.set(reader.index, { version, bins });
  return bins;
}

function binsOf({ index, waiting }: Pick<DaemonReader, 'index' | 'waiting'>): Bins {
  const sizes = new Map<number, number>();
  for (const txid of waiting()) {
    const seen = index.get(txid);
    const fee = seen === undefined ? undefined : feeOf(index, seen);
    if (seen === undefined || fee === undefined) continue;
    const size = virtualSize(seen.tx);
    const rate = Math.floor((Number(fee) * 10) / size) / 10;
    sizes.set(rate, (sizes.get(rate) ?? 0) + size);
  }
  const bins: [number, number][] = [];
  let bin = 0;
  let largest = FIRST_BIN;
  let lowest = 0;
  for (const rate of [...sizes.keys()].sort((left, right) => right - left)) {
    bin += sizes.get(rate) ?? 0;
    lowest = rate;
    if (bin <= largest) continue;
    bins.push([rate, bin]);
    bin = 0;
    largest *= GROWTH;
  }
  if (bin > 0) bins.push([lowest, bin]);
  return bins;
}
