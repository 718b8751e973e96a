import { optionalPackage, PackageMissingError } from '../../primitives/optional-package.ts';
import { type MetricsView, metricsView } from '../../rpc/framework/metrics-view.ts';
import type { Metrics } from '../../runtime/host/metrics.ts';

/** What a served node counts, and how it reports that. */
export type ServedMetrics = { readonly metrics: Metrics; readonly view: MetricsView };

/** Null where the package `prom-client` is not installed: a node serves without it. */
export async function servedMetrics(): Promise<ServedMetrics | null> {
  try {
    const load = () => import('../../runtime/host/metrics-prometheus.ts');
    const { prometheusMetrics } = await optionalPackage('prom-client', load);
    const { metrics, registry } = prometheusMetrics();
    return { metrics, view: metricsView(registry) };
  } catch (error) {
    if (error instanceof PackageMissingError) return null;
    throw error;
  }
}
