import type { Access } from './access.ts';
import { admit, failedPage, membersOf, type Page, refused } from './pages.ts';

/** A series of metrics as the method `metrics` tells it, in the form of the real node. */
export type MetricSeries = {
  readonly key: string;
  readonly labels: Readonly<Record<string, string | number>>;
} & (
  | { readonly type: 'counter' | 'gauge'; readonly value: number }
  | {
      readonly type: 'histogram';
      readonly count: number;
      readonly sum: number;
      /** How many values were at most as large as the name says. */
      readonly buckets: Readonly<Record<string, number>>;
    }
);

/** What a node counts. */
export type MetricsView = {
  /** In the text format of Prometheus. */
  readonly text: () => Promise<string>;
  readonly series: () => Promise<readonly MetricSeries[]>;
};

/** As much of a registry of `prom-client` as is needed here. */
export type MetricsRegistry = {
  readonly metrics: () => Promise<string>;
  readonly getMetricsAsJSON: () => Promise<readonly RegistryMetric[]>;
};

type RegistryMetric = {
  readonly name: string;
  /** Of the package's own kinds; in some of its releases a number. */
  readonly type: unknown;
  readonly values?: readonly RegistryValue[];
};

type RegistryValue = {
  readonly value: number;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly metricName?: string;
};

/**
 * The metrics of a registry of `prom-client`.
 *
 * @example
 * ```ts
 * import { metricsView } from 'swapfold/rpc';
 * import { prometheusMetrics } from 'swapfold/runtime/prometheus';
 *
 * const { metrics, registry } = prometheusMetrics();
 * metrics.asked({ op: 'payment', coin: 'KMD', seconds: 0.3, fault: 'unavailable' });
 * const series = await metricsView(registry).series();
 * series.find(({ key }) => key === 'swapfold_faults_total'); // → {
 * //   key: 'swapfold_faults_total',
 * //   labels: { kind: 'unavailable', op: 'payment', coin: 'KMD' },
 * //   type: 'counter',
 * //   value: 1,
 * // }
 * ```
 */
export function metricsView(registry: MetricsRegistry): MetricsView {
  return {
    text: () => registry.metrics(),
    series: async () => (await registry.getMetricsAsJSON()).flatMap(seriesOf),
  };
}

function seriesOf({ name, type, values = [] }: RegistryMetric): readonly MetricSeries[] {
  if (type === 'histogram') return histogramsOf(name, values);
  const kind = type === 'counter' ? 'counter' : 'gauge';
  return values.map(({ value, labels }) => ({ key: name, labels: defined(labels), type: kind, value }));
}

function histogramsOf(key: string, values: readonly RegistryValue[]): readonly MetricSeries[] {
  type Histogram = { labels: MetricSeries['labels']; count: number; sum: number; buckets: Record<string, number> };
  const found = new Map<string, Histogram>();
  for (const {
    value,
    labels: { le, ...rest },
    metricName,
  } of values) {
    const labels = defined(rest);
    const id = JSON.stringify(labels);
    const histogram = found.get(id) ?? { labels, count: 0, sum: 0, buckets: {} };
    found.set(id, histogram);
    if (metricName === `${key}_sum`) histogram.sum = value;
    else if (metricName === `${key}_count`) histogram.count = value;
    else histogram.buckets[String(le)] = value;
  }
  return [...found.values()].map((histogram) => ({ key, type: 'histogram', ...histogram }));
}

function defined(labels: RegistryValue['labels']): MetricSeries['labels'] {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Where Prometheus looks unless it is told otherwise. */
export const METRICS_PATH = '/metrics';

/** The metrics in the text format of Prometheus, for those who have the node's password. */
export function metricsPage(view: MetricsView, access: Access): Page {
  return async (request) => {
    try {
      admit(access, request, membersOf(request));
      const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' };
      if (request.httpMethod !== 'GET') throw refused('Request metrics with GET', 405);
      return new Response(await view.text(), { status: 200, headers });
    } catch (error) {
      return failedPage(error);
    }
  };
}
