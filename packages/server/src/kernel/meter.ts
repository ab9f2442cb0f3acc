import type { METRICS, MetricName } from './metric-table.ts';

type NamesOf<T extends string> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];

/** One value for each label of a metric. */
export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof METRICS)[N]['labels'][number], string | number>>;

/** Receives measurements, and exports them. */
export interface MetricSink {
  add(name: MetricName, labels: Readonly<Record<string, string | number>>, by: number): void;
  set(name: MetricName, labels: Readonly<Record<string, string | number>>, value: number): void;
  observe(name: MetricName, labels: Readonly<Record<string, string | number>>, value: number): void;
  /** Removes every value of a gauge: an old value is worse than none. */
  clear(name: MetricName): void;
}

// Metrics describe the process, so one sink serves every server in the process. Without it, each measurement is one comparison.
let sink: MetricSink | null = null;

/** Sends the measurements of this process to a sink; null: to none. */
export function measureInto(next: MetricSink | null): void {
  sink = next;
}

/** True while measurements have a sink. For measurements that cost something by themselves. */
export function isMeasuring(): boolean {
  return sink !== null;
}

const readers = new Set<() => void | Promise<void>>();

/** Calls a function before each export, which sets gauges. Returns a function that ends the calls. */
export function measureOnExport(read: () => void | Promise<void>): () => void {
  readers.add(read);
  return () => void readers.delete(read);
}

/** Sets the gauges that are read on demand. */
export async function readOnExport(): Promise<void> {
  await Promise.all([...readers].map((read) => read()));
}

/** Increases a counter. */
export function count<N extends NamesOf<'counter'>>(name: N, labels: LabelsOf<N>, by = 1): void {
  sink?.add(name, labels, by);
}

/** Increases a gauge, or decreases it by a negative number. */
export function move<N extends NamesOf<'gauge'>>(name: N, labels: LabelsOf<N>, by: number): void {
  sink?.add(name, labels, by);
}

/** Sets a gauge. */
export function gauge<N extends NamesOf<'gauge'>>(name: N, labels: LabelsOf<N>, value: number): void {
  sink?.set(name, labels, value);
}

/** Adds a value to a histogram. */
export function observe<N extends NamesOf<'histogram'>>(name: N, labels: LabelsOf<N>, value: number): void {
  sink?.observe(name, labels, value);
}

/** Removes the values of a gauge, which is exported without a sample until it is set again. */
export function clearGauge(name: NamesOf<'gauge'>): void {
  sink?.clear(name);
}

/**
 * Returns a function that adds the seconds since this call to a histogram. It is one comparison while nothing measures.
 */
export function startTimer<N extends NamesOf<'histogram'>>(name: N, labels: LabelsOf<N>): () => void {
  if (!sink) return ignore;
  const start = performance.now();
  return () => observe(name, labels, (performance.now() - start) / 1000);
}

function ignore(): void {}
