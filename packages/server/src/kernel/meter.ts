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
}

// Metrics describe the process, so one sink serves all its rooms. Without it, each measurement is one comparison.
let sink: MetricSink | null = null;

/** Sends the measurements of this process to a sink; null: to none. */
export function measureInto(next: MetricSink | null): void {
  sink = next;
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
