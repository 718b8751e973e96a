import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeSwapsText } from '../../src/events/wrappers.ts';
import { auditSwap } from '../../src/replay/audit/audit-swap.ts';
import { replaySwap } from '../../src/replay/swaps.ts';
import { sampleFiles } from '../support/make-samples.ts';

const FOLDER = join(import.meta.dirname, '../../docs/samples');

describe('docs/samples', () => {
  const samples = sampleFiles();

  // `npx vitest run --config test/vitest.config.ts test/docs/samples.test.ts -u` writes them anew.
  it.each(samples)('$path is what the builder makes', async ({ path, text }) => {
    await expect(text).toMatchFileSnapshot(join(FOLDER, path));
  });

  it('holds nothing else', () => {
    const found = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
    expect(found.sort()).toEqual(samples.map(({ path }) => path).sort());
  });

  it.each(samples.filter(({ path }) => path.startsWith('sound/')))('$path is legal and consistent', ({ text }) => {
    const [swap] = decodeSwapsText(text);
    if (swap === undefined || !swap.ok) throw swap?.error ?? new Error('nothing read');
    expect(replaySwap(swap.log).anomalies).toEqual([]);
    expect(auditSwap(swap.log).checks.filter(({ status }) => status === 'violated')).toEqual([]);
  });

  it('shows one swap of each ending that a reader meets', () => {
    const outcomes = samples.map(({ path, log }) => [path, replaySwap(log).outcome]);
    expect(Object.fromEntries(outcomes)).toEqual({
      'sound/completed.json': 'completed',
      'sound/claimed-by-watcher.json': 'completed',
      'sound/refunded.json': 'refunded',
      'sound/claim-failed.json': 'funds-at-risk',
      'sound/maker-refunded.json': 'refunded',
      'damaged/missing-event.json': 'completed',
    });
  });
});
