import { describe, expect, it } from 'vitest';
import { Branch, CHAINED } from '../../../../../src/chains/utxo/electrum/branch.ts';
import { headAt, headers, voiceOf } from '../../../../support/electrum/headers.ts';

describe('a chain of headers', () => {
  it('costs nothing for one block more, one question for several, and back to the fork for another branch', async () => {
    const first = headers(60);
    const one = voiceOf(first);
    const branch = new Branch(11);
    await branch.moveTo(headAt(first, 40), [one.voice]);
    expect(one.asked).toEqual([[39], [30, 31, 32, 33, 34, 35, 36, 37, 38, 39]]);
    const times = Array.from({ length: 11 }, (_, back) => headAt(first, 40 - back).header.time).sort((l, r) => l - r);
    expect(branch.clock()).toBe(times[5]);
    await branch.moveTo(headAt(first, 41), [one.voice]);
    await branch.moveTo(headAt(first, 45), [one.voice]);
    expect(one.asked.slice(2)).toEqual([[42, 43, 44]]);
    expect(branch.turns).toBe(0);

    const second = headers(60, { fork: 44, salt: 7 });
    const other = voiceOf(second);
    await branch.moveTo(headAt(second, 46), [other.voice]);
    expect(branch.turns).toBe(1);
    expect([43, 44, 45, 46].map((height) => branch.at(height)?.hash)).toEqual(
      [43, 44, 45, 46].map((height) => headAt(second, height).header.hash),
    );
  });

  it('reaches down as far as it is asked, each header the one that the next one names', async () => {
    const all = headers(60);
    const { voice } = voiceOf(all);
    const branch = new Branch(3);
    await branch.moveTo(headAt(all, 50), [voice]);
    await branch.reach(20, [voice]);
    expect(branch.at(20)).toEqual(headAt(all, 20).header);
    const forged = [...all];
    forged[18] = headers(60, { fork: 18, salt: 9 })[18] as string;
    await expect(branch.reach(15, [voiceOf(forged, 'liar').voice])).rejects.toThrow(
      'liar sent a header of block 18 that the next header does not name',
    );
    expect(branch.at(18)).toBeUndefined();
    expect([branch.isProvable(50 - CHAINED + 1), branch.isProvable(50 - CHAINED)]).toEqual([true, false]);
  });

  it('goes back to a lower block and on again', async () => {
    const all = headers(60);
    const { voice } = voiceOf(all);
    const branch = new Branch(11);
    for (const height of [40, 38, 41, 12, 41]) {
      await branch.moveTo(headAt(all, height), [voice]);
      expect(branch.tip?.height).toBe(height);
      const times = Array.from({ length: 11 }, (_, back) => headAt(all, height - back).header.time);
      expect(branch.clock()).toBe(times.sort((l, r) => l - r)[5]);
    }
  });

  it('whose blocks are named by another hash is what all servers say alike, and proves nothing', async () => {
    const all = headers(60, { named: false });
    const forged = [...all];
    forged[33] = headers(60, { fork: 33, salt: 9 })[33] as string;
    const branch = new Branch(11);
    const [one, two] = [voiceOf(all), voiceOf(all, 'b')];
    await branch.moveTo(headAt(all, 40), [one.voice, two.voice]);
    expect(branch.isProvable(40)).toBe(false);
    await branch.moveTo(headAt(all, 41), [one.voice, two.voice]);
    expect(one.asked.at(-1)).toEqual([40]);
    await expect(new Branch(11).moveTo(headAt(all, 40), [one.voice, voiceOf(forged, 'c').voice])).rejects.toThrow(
      'Electrum servers sent different headers of block 33',
    );
  });

  it('whose blocks are named by another hash is not replaced by what one server makes up', async () => {
    const all = headers(60, { named: false });
    const linked = headers(60);
    const honest = [voiceOf(all, 'b').voice, voiceOf(all, 'c').voice];
    // It says of the first blocks, and of those below the last one, that each names the one before by this hash.
    const liar = voiceOf([...linked.slice(0, 59), all[59] as string], 'a').voice;
    const branch = new Branch(11);
    await branch.moveTo(headAt(all, 59), [liar, ...honest]);
    expect(branch.isProvable(59)).toBe(false);
    const times = Array.from({ length: 11 }, (_, back) => headAt(all, 59 - back).header.time).sort((l, r) => l - r);
    expect(branch.clock()).toBe(times[5]);
    expect(branch.at(52)?.hash).toBe(headAt(all, 52).header.hash);
    expect((await branch.header(20, [liar, ...honest])).hash).toBe(headAt(all, 20).header.hash);
  });

  it('counts as linked once any server shows it, though the first looks met none that did', async () => {
    const all = headers(60);
    const branch = new Branch(11);
    const other = voiceOf(headers(60, { fork: 39, salt: 3 }), 'a').voice;
    await branch.moveTo(headAt(all, 40), [other]);
    expect(branch.isProvable(40)).toBe(false);
    await branch.moveTo(headAt(all, 41), [voiceOf(all, 'b').voice, other]);
    expect(branch.isProvable(41)).toBe(true);
    expect(branch.at(39)?.hash).toBe(headAt(all, 39).header.hash);
  });
});
