import type { Metric } from 'prom-client';
import { measureInto, readOnExport } from '../kernel/meter.ts';
import { METRICS, type MetricName } from '../kernel/metric-table.ts';
import { MeasuredMetric } from './measured-metric.ts';

/** Collects the measurements of this process. */
export interface MetricsExporter {
  /** Returns the metrics in the text format of Prometheus, with its content type. */
  export(): Promise<{ readonly contentType: string; readonly text: string }>;
  stop(): void;
}

/** Loads prom-client, registers every metric of the table, and collects from now on. */
export async function startMetricsExporter(): Promise<MetricsExporter> {
  const prom = await import('prom-client');
  const registry = new prom.Registry();
  prom.collectDefaultMetrics({ register: registry });
  const metrics = Object.fromEntries(
    Object.entries(METRICS).map(([name, info]) => [name, new MeasuredMetric(name, info)]),
  ) as Readonly<Record<MetricName, MeasuredMetric>>;
  // The registry asks a metric for its name and its values only.
  for (const metric of Object.values(metrics)) registry.registerMetric(metric as unknown as Metric);
  measureInto({
    add: (name, labels, by) => metrics[name].add(labels, by),
    set: (name, labels, value) => metrics[name].set(labels, value),
    observe: (name, labels, value) => metrics[name].observe(labels, value),
    clear: (name) => metrics[name].clear(),
  });
  return {
    async export() {
      await readOnExport();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    stop() {
      measureInto(null);
      registry.clear();
    },
  };
}
