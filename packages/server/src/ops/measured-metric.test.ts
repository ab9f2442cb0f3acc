import { Counter, Histogram, type Metric, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { MeasuredMetric } from './measured-metric.ts';

it('is exported exactly like a metric of prom-client', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const ofCounter = { help: 'Requests.', type: 'counter', labels: ['code', 'operation'] } as const;
  const ofHistogram = { help: 'Time.', type: 'histogram', labels: ['phase'], buckets: [0.1, 1] } as const;
  const counter = new MeasuredMetric('requests_total', ofCounter);
  const histogram = new MeasuredMetric('seconds', ofHistogram);
  const plain = new MeasuredMetric('dropped_total', { help: 'Lines.', type: 'counter', labels: [] });
  for (const metric of [counter, histogram, plain]) ours.registerMetric(metric as unknown as Metric);
  const registers = [theirs];
  const counted = new Counter({
    name: 'requests_total',
    help: 'Requests.',
    labelNames: ['code', 'operation'],
    registers,
  });
  const timed = new Histogram({ name: 'seconds', help: 'Time.', labelNames: ['phase'], buckets: [0.1, 1], registers });
  new Counter({ name: 'dropped_total', help: 'Lines.', registers });

  for (const labels of [
    { code: 'A"B', operation: 'one' },
    { code: 'C\\D\nE', operation: '' },
    { code: 'A"B', operation: 'one' },
  ]) {
    counter.add(labels, 2);
    counted.inc(labels, 2);
  }
  for (const value of [0.05, 0.1, 0.5, 7]) {
    histogram.observe({ phase: 'total' }, value);
    timed.observe({ phase: 'total' }, value);
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});
