import type { Head } from '../../../src/chains/utxo/electrum/branch.ts';
import type { ElectrumCall } from '../../../src/chains/utxo/electrum/connection.ts';
import { type Header, headerOf } from '../../../src/chains/utxo/electrum/header.ts';
import type { ElectrumVoice } from '../../../src/chains/utxo/electrum/panel.ts';
import { hash256 } from '../../../src/primitives/hash.ts';

/** Headers of a chain that forks at a height; each names the one before by its hash, or by something that nobody can work out. */
export function headers(count: number, { fork = count, salt = 0, named = true } = {}): readonly string[] {
  const all: string[] = [];
  for (let height = 0; height < count; height++) {
    const bytes = Buffer.alloc(80);
    bytes.writeUInt32LE(4, 0);
    const before = Buffer.from(all.at(-1) ?? '', 'hex');
    if (height > 0) Buffer.from(hash256(named ? before : Buffer.concat([before, before]))).copy(bytes, 4);
    bytes.writeUInt32LE(1_000_000 + 61 * height + (height % 3) * 40, 68);
    bytes.writeUInt32LE(height >= fork ? salt : 0, 76);
    all.push(bytes.toString('hex'));
  }
  return all;
}

/** A server of these headers, and the heights of each question. */
export function voiceOf(all: readonly string[], url = 'a') {
  const asked: number[][] = [];
  const voice: ElectrumVoice = {
    url,
    batch: async (calls: readonly ElectrumCall[]) => {
      asked.push(calls.map(([, height]) => Number(height)));
      return calls.map(([, height]) => ({ result: all[Number(height)] ?? null }));
    },
  };
  return { voice, asked };
}

export const headAt = (all: readonly string[], height: number): Head => ({
  height,
  header: headerOf(all[height] as string) as Header,
});
