import type { MetricInfo } from '../kernel/metric-table.ts';

type Labels = Readonly<Record<string, string | number>>;

/** One sample of the text format, as prom-client takes it. */
interface Sample {
  readonly metricName: string;
  readonly labels: Labels;
  readonly value: number;
}

interface Series {
  readonly labels: Labels;
  /** Sum of the values. */
  value: number;
  /** For histograms: number of values in each bucket, and above all. */
  readonly counts: number[];
}

/**
 * Values of one metric. prom-client's own classes sort and join the labels of each measurement, which costs more than
 * all other parts of it.
 */
export class MeasuredMetric {
  readonly name: string;
  readonly help: string;
  readonly type: MetricInfo['type'];
  readonly aggregator = 'sum';
  readonly #labels: readonly string[];
  readonly #buckets: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor(name: string, { help, type, labels, buckets = [] }: MetricInfo) {
    this.name = name;
    this.help = help;
    this.type = type;
    this.#labels = labels;
    this.#buckets = buckets;
    // A counter without labels is 0 before its first event. A gauge has no value before it is measured.
    if (type !== 'gauge' && labels.length === 0) this.#of({});
  }

  add(labels: Labels, by: number): void {
    this.#of(labels).value += by;
  }

  set(labels: Labels, value: number): void {
    this.#of(labels).value = value;
  }

  observe(labels: Labels, value: number): void {
    const series = this.#of(labels);
    series.value += value;
    let bucket = 0;
    while (bucket < this.#buckets.length && value > (this.#buckets[bucket] ?? 0)) bucket++;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
  }

  clear(): void {
    this.#series.clear();
  }

  /** Returns the metric in the form that the registry of prom-client asks for. */
  async get() {
    const { name, help, type, aggregator } = this;
    return { name, help, type, aggregator, values: [...this.#series.values()].flatMap((one) => this.#samplesOf(one)) };
  }

  #samplesOf({ labels, value, counts }: Series): Sample[] {
    const { name } = this;
    if (this.type !== 'histogram') return [{ metricName: name, labels, value }];
    let below = 0;
    const samples = counts.map((count, bucket): Sample => {
      below += count;
      return { metricName: `${name}_bucket`, labels: { le: this.#buckets[bucket] ?? '+Inf', ...labels }, value: below };
    });
    samples.push({ metricName: `${name}_sum`, labels, value });
    samples.push({ metricName: `${name}_count`, labels, value: below });
    return samples;
  }

  #of(labels: Labels): Series {
    let key = '';
    for (const label of this.#labels) key += `${labels[label]}\0`;
    let series = this.#series.get(key);
    if (!series) {
      series = {
        labels: { ...labels },
        value: 0,
        counts: this.#buckets.length > 0 ? [0, ...this.#buckets.map(() => 0)] : [],
      };
      this.#series.set(key, series);
    }
    return series;
  }
}
