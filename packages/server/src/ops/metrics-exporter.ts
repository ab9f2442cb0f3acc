import type { Counter, Gauge, Histogram } from 'prom-client';
import { type MetricSink, measureInto, readOnExport } from '../kernel/meter.ts';
import { METRICS, type MetricInfo, type MetricName } from '../kernel/metric-table.ts';

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
  const counters = new Map<MetricName, Counter>();
  const gauges = new Map<MetricName, Gauge>();
  const histograms = new Map<MetricName, Histogram>();
  for (const [key, info] of Object.entries(METRICS) as [MetricName, MetricInfo][]) {
    const { type, help, labels, buckets } = info;
    const options = { name: key, help, labelNames: labels, registers: [registry] };
    if (type === 'counter') counters.set(key, new prom.Counter(options));
    else if (type === 'gauge') {
      const created = new prom.Gauge(options);
      // prom-client starts a gauge without labels at 0, which would be a false value of one that nothing has set.
      if (labels.length === 0) created.remove();
      gauges.set(key, created);
    } else histograms.set(key, new prom.Histogram({ ...options, ...(buckets && { buckets: [...buckets] }) }));
  }
  const sink: MetricSink = {
    add(name, labels, by) {
      counters.get(name)?.inc(labels, by);
      gauges.get(name)?.inc(labels, by);
    },
    set: (name, labels, value) => gauges.get(name)?.set(labels, value),
    observe: (name, labels, value) => histograms.get(name)?.observe(labels, value),
    clear(name) {
      const cleared = gauges.get(name);
      cleared?.reset();
      if (METRICS[name].labels.length === 0) cleared?.remove();
    },
  };
  measureInto(sink);
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
