import { expect, test } from 'vitest';
import { METRICS, type MetricInfo } from '../kernel/metric-table.ts';
import { startMetricsExporter } from './metrics-exporter.ts';

const METRICS_DOCUMENT = new URL('../../../../docs/metrics.md', import.meta.url).pathname;

test('docs/metrics.md is the table of the metrics (write it with vitest -u)', async () => {
  const rows = (Object.entries(METRICS) as [string, MetricInfo][]).map(
    ([name, { type, labels, help }]) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |\n`,
  );
  await expect(`${HEAD}${rows.join('')}${END}`).toMatchFileSnapshot(METRICS_DOCUMENT);
});

test('every metric of the table is exported', async () => {
  const exporter = await startMetricsExporter();
  try {
    const { text } = await exporter.export();
    const exported = [...text.matchAll(/^# TYPE (plat_\w+) (\w+)$/gm)].map(([, name, type]) => ({ name, type }));
    const expected = Object.entries(METRICS).map(([name, { type }]) => ({ name, type }));
    expect(exported).toEqual(expected);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  } finally {
    exporter.stop();
  }
});

const HEAD = `# Metrics

With \`PLAT_METRICS_PORT\`, servers and workers each answer \`GET /metrics\` in the text format of Prometheus, on a separate port. The
same port answers \`GET /version\`. It listens on \`PLAT_METRICS_HOST\`, which is loopback by default, and asks for no credential.
Without \`PLAT_METRICS_PORT\`, nothing is collected, and \`prom-client\` is not loaded.

Label values are names from fixed sets, never ids. A label without a value is empty.

| Metric | Type | Labels | Meaning |
|---|---|---|---|
`;

const END = `
The metrics \`process_*\` and \`nodejs_*\` are the default metrics of \`prom-client\`. A gauge has no sample before its first measurement.
`;
