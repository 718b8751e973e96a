import picocolors from 'picocolors';
import { expect, it } from 'vitest';
import { timelineText } from '../../../../src/cli/render/timeline.ts';
import { moneyTimeline } from '../../../../src/replay/timeline.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';

it('a log of as many events as anybody has becomes a table', () => {
  const timeline = moneyTimeline(buildSwapPair({ seed: 'a long table' }).taker);
  const rows = Array.from({ length: 150_000 }, (_, index) => timeline.rows[index % timeline.rows.length]);
  const whole = { ...timeline, rows: rows.flatMap((row) => (row === undefined ? [] : [row])) };
  const style = { paint: picocolors.createColors(false), columns: 80 };
  expect(timelineText('a file', whole, style).split('\n')).toHaveLength(rows.length + 6);
});
