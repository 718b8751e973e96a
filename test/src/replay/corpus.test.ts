import { expect, it } from 'vitest';
import { decodeSwapsText } from '../../../src/events/wrappers.ts';
import { replaySwap } from '../../../src/replay/swaps.ts';
import { describeShared, manifest, readShared } from '../../support/shared.ts';

describeShared('recorded swaps replayed', () => {
  for (const row of manifest()) {
    const [swap] = decodeSwapsText(readShared(`swaps/${row.file}`));
    if (swap === undefined || !swap.ok) continue;
    it(`${row.file} is legal and judged as the real node does`, () => {
      const replayed = replaySwap(swap.log);
      expect(replayed.kdf).toEqual({
        finished: row.finished,
        success: row.success,
        recoverable: row.recoverable,
      });
      expect(replayed.state === 'finished').toBe(row.finished);
      expect(replayed.anomalies.filter(({ code }) => code !== 'SHAPE_UPCAST')).toEqual([]);
    });
  }
});
