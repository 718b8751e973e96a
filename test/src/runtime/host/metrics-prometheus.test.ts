import { expect, it } from 'vitest';
import { prometheusMetrics } from '../../../../src/runtime/host/metrics-prometheus.ts';
import { createPair, requestOf } from '../../../support/swap-pair.ts';

it('counts what a node did, and forgets finished swaps', async () => {
  const { metrics, text } = prometheusMetrics();
  const pair = createPair({ options: (side) => (side === 'taker' ? { metrics } : {}) });
  const numberOf = async (series: string) => {
    const line = (await text()).split('\n').find((each) => each.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length + 1));
  };
  const swaps = async (labels: string) => numberOf(`swapfold_swaps{machine="taker-swap",${labels}}`);
  for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side));
  expect(await swaps('state="created",outcome="in-progress"')).toBe(1);
  await pair.until(() => pair.types('taker').includes('Finished'), 60);
  expect(await swaps('state="created",outcome="in-progress"')).toBe(0);
  expect(await swaps('state="finished",outcome="completed"')).toBe(1);
  expect(await numberOf('swapfold_runners{status="waiting"}')).toBe(1);
  expect(await numberOf('swapfold_records_total')).toBe(pair.types('taker').length);
  expect(await numberOf('swapfold_append_seconds_count{result="ok"}')).toBeGreaterThan(10);
  expect(await numberOf('swapfold_call_seconds_count{op="broadcast",coin="MARTY",result="ok"}')).toBeGreaterThan(1);
  await pair.minutes(20);
  expect(await swaps('state="finished",outcome="completed"')).toBe(0);
  expect(await numberOf('swapfold_runners{status="waiting"}')).toBe(0);
});

it('counts retries by their cause', async () => {
  const { metrics, text } = prometheusMetrics({ prefix: 'test_' });
  metrics.asked({ op: 'payment', coin: 'DOC', seconds: 30, fault: 'unavailable' });
  metrics.asked({ op: 'payment', coin: 'DOC', seconds: 0.1, fault: null });
  metrics.late({ op: 'payment', coin: 'DOC' });
  const shown = await text();
  expect(shown).toContain('test_faults_total{kind="unavailable",op="payment",coin="DOC"} 1');
  expect(shown).toContain('test_call_seconds_count{op="payment",coin="DOC",result="ok"} 1');
  expect(shown).toContain('test_late_answers_total{op="payment",coin="DOC"} 1');
});
