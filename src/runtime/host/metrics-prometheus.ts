import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from './metrics.ts';

export type PrometheusMetrics = {
  readonly metrics: Metrics;
  readonly registry: Registry;
  /** All series in the text format of Prometheus. */
  readonly text: () => Promise<string>;
};

export type PrometheusOptions = {
  /** Where the series are registered. @defaultValue a registry of its own */
  readonly registry?: Registry;
  /** Begins the name of each series. @defaultValue 'swapfold_' */
  readonly prefix?: string;
};

const CALL_BUCKETS = [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30];
const APPEND_BUCKETS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2];

const STANDING = ['machine', 'state', 'outcome'] as const;

/**
 * Metrics in the form of Prometheus. Labels are tickers, states and classifications: few values, and nothing secret.
 *
 * @example
 * ```ts
 * import { prometheusMetrics } from 'swapfold/runtime/prometheus';
 *
 * const { metrics, text } = prometheusMetrics({ prefix: 'swaps_' });
 * metrics.asked({ op: 'payment', coin: 'DOC', seconds: 0.3, fault: 'unavailable' });
 * (await text()).split('\n').filter((line) => line.startsWith('swaps_faults_total')); // → [
 * //   'swaps_faults_total{kind="unavailable",op="payment",coin="DOC"} 1',
 * // ]
 * ```
 */
export function prometheusMetrics({
  registry = new Registry(),
  prefix = 'swapfold_',
}: PrometheusOptions = {}): PrometheusMetrics {
  const registers = [registry];
  const named = <L extends string>(name: string, help: string, labelNames: readonly L[]) => ({
    ...{ name: `${prefix}${name}`, help, labelNames, registers },
  });
  const swaps = new Gauge(
    named('swaps', 'Streams by state and outcome: running ones, and all whose coins are at risk or lost.', STANDING),
  );
  const runners = new Gauge(named('runners', 'Runners by what they are doing.', ['status']));
  const calls = new Histogram({
    ...named('call_seconds', 'How long questions to chains took, in seconds.', ['op', 'coin', 'result']),
    buckets: CALL_BUCKETS,
  });
  const faults = new Counter(
    named('faults_total', 'Questions to chains without a useful answer, which are repeated.', ['kind', 'op', 'coin']),
  );
  const late = new Counter(named('late_answers_total', 'Answers that came too late.', ['op', 'coin']));
  const appends = new Histogram({
    ...named('append_seconds', 'How long appends to the event log took, in seconds.', ['result']),
    buckets: APPEND_BUCKETS,
  });
  const records = new Counter(named('records_total', 'Records that were appended.', []));
  const commands = new Counter(named('commands_total', 'Decisions of runners by kind.', ['kind']));
  const dropped = new Counter(
    named('messages_dropped_total', 'Messages of other nodes that were dropped, by who sent them and why.', [
      'from',
      'why',
    ]),
  );
  const metrics: Metrics = {
    asked({ op, coin, seconds, fault }) {
      calls.observe({ op, coin, result: fault === null ? 'ok' : 'fault' }, seconds);
      if (fault !== null) faults.inc({ kind: fault, op, coin });
    },
    late: ({ op, coin }) => late.inc({ op, coin }),
    appended({ seconds, records: count, ok }) {
      appends.observe({ result: ok ? 'ok' : 'error' }, seconds);
      if (ok) records.inc(count);
    },
    decided: (kind) => commands.inc({ kind }),
    moved(from, to) {
      if (from !== null) swaps.dec(from);
      if (to !== null) swaps.inc(to);
    },
    runnerMoved(from, to) {
      if (from !== null) runners.dec({ status: from });
      if (to !== null) runners.inc({ status: to });
    },
    dropped: ({ from, why }) => dropped.inc({ from, why }),
  };
  return { metrics, registry, text: () => registry.metrics() };
}
