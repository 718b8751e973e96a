import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { prometheusMetrics } from '../../../src/runtime/host/metrics-prometheus.ts';

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
const STANDING = { machine: 'taker-swap', state: 'created', outcome: 'in-progress' };

it('every series has a name, a kind and a sentence', async () => {
  const { text } = prometheusMetrics();
  expect(linesOf(await text()).filter((line) => line.startsWith('#'))).toEqual([
    '# HELP swapfold_swaps Streams by state and outcome: running ones, and all whose coins are at risk or lost.',
    '# TYPE swapfold_swaps gauge',
    '# HELP swapfold_runners Runners by what they are doing.',
    '# TYPE swapfold_runners gauge',
    '# HELP swapfold_call_seconds How long questions to chains took, in seconds.',
    '# TYPE swapfold_call_seconds histogram',
    '# HELP swapfold_faults_total Questions to chains without a useful answer, which are repeated.',
    '# TYPE swapfold_faults_total counter',
    '# HELP swapfold_late_answers_total Answers that came too late.',
    '# TYPE swapfold_late_answers_total counter',
    '# HELP swapfold_append_seconds How long appends to the event log took, in seconds.',
    '# TYPE swapfold_append_seconds histogram',
    '# HELP swapfold_records_total Records that were appended.',
    '# TYPE swapfold_records_total counter',
    '# HELP swapfold_commands_total Decisions of runners by kind.',
    '# TYPE swapfold_commands_total counter',
    '# HELP swapfold_messages_dropped_total Messages of other nodes that were dropped, by who sent them and why.',
    '# TYPE swapfold_messages_dropped_total counter',
  ]);
});

it('every call counts in its own series', async () => {
  const { metrics, text } = prometheusMetrics({ prefix: '' });
  metrics.asked({ op: 'quote', coin: 'DOC', seconds: 3, fault: 'invalid' });
  metrics.asked({ op: 'quote', coin: 'DOC', seconds: 0.3, fault: null });
  metrics.appended({ seconds: 0.003, records: 4, ok: true });
  metrics.appended({ seconds: 0.3, records: 4, ok: false });
  metrics.decided('wait');
  metrics.decided('wait');
  metrics.moved(null, STANDING);
  metrics.moved(null, STANDING);
  metrics.moved(STANDING, { ...STANDING, state: 'negotiating' });
  metrics.moved({ ...STANDING, state: 'negotiating' }, null);
  metrics.runnerMoved(null, 'running');
  metrics.runnerMoved('running', 'waiting');
  metrics.runnerMoved('waiting', null);
  metrics.dropped?.({ from: 'counterparty', why: 'tooMany' });
  metrics.dropped?.({ from: 'taker', why: 'tooMany' });
  metrics.dropped?.({ from: 'taker', why: 'tooMany' });
  const lines = linesOf(await text()).filter((line) => !line.startsWith('#') && !line.includes('_bucket'));
  expect(lines).toEqual([
    'swaps{machine="taker-swap",state="created",outcome="in-progress"} 1',
    'swaps{machine="taker-swap",state="negotiating",outcome="in-progress"} 0',
    'runners{status="running"} 0',
    'runners{status="waiting"} 0',
    'call_seconds_sum{op="quote",coin="DOC",result="fault"} 3',
    'call_seconds_count{op="quote",coin="DOC",result="fault"} 1',
    'call_seconds_sum{op="quote",coin="DOC",result="ok"} 0.3',
    'call_seconds_count{op="quote",coin="DOC",result="ok"} 1',
    'faults_total{kind="invalid",op="quote",coin="DOC"} 1',
    'append_seconds_sum{result="ok"} 0.003',
    'append_seconds_count{result="ok"} 1',
    'append_seconds_sum{result="error"} 0.3',
    'append_seconds_count{result="error"} 1',
    'records_total 4',
    'commands_total{kind="wait"} 2',
    'messages_dropped_total{from="counterparty",why="tooMany"} 1',
    'messages_dropped_total{from="taker",why="tooMany"} 2',
  ]);
});

it('times are counted in steps that fit chains and logs', async () => {
  const { metrics, text } = prometheusMetrics({ prefix: '' });
  metrics.asked({ op: 'quote', coin: 'DOC', seconds: 0, fault: null });
  metrics.appended({ seconds: 0, records: 1, ok: true });
  const stepsOf = async (series: string) =>
    linesOf(await text())
      .filter((line) => line.startsWith(`${series}_bucket`))
      .map((line) => /le="([^"]+)"/.exec(line)?.[1]);
  expect(await stepsOf('call_seconds')).toEqual('0.005 0.02 0.1 0.25 0.5 1 2 5 10 20 30 +Inf'.split(' '));
  expect(await stepsOf('append_seconds')).toEqual(
    '0.0002 0.0005 0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.5 2 +Inf'.split(' '),
  );
});

it('the series are in the given registry, or in one of their own', async () => {
  const registry = new Registry();
  const given = prometheusMetrics({ registry });
  expect(given.registry).toBe(registry);
  expect(await registry.metrics()).toBe(await given.text());
  expect(prometheusMetrics().registry).not.toBe(prometheusMetrics().registry);
});
