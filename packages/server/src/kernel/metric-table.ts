/** One metric of the process. */
export interface MetricInfo {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Names of its labels. Their values come from fixed sets: ids would create a time series for each tenant. */
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, in the unit of its name. */
  readonly buckets?: readonly number[];
}

/** Upper bounds for durations of requests, in seconds. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Every metric of our own that `GET /metrics` exports. `docs/metrics.md` is written from this table. */
export const METRICS = {
  plat_build_info: {
    type: 'gauge',
    help: 'Always 1; its labels describe the process.',
    labels: ['version', 'commit', 'kind'],
  },
  plat_http_requests_total: {
    type: 'counter',
    help: 'Requests that ended with a complete response. The operation is empty for requests outside the operations of an API.',
    labels: ['operation', 'method', 'status', 'code'],
  },
  plat_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the start of a request to the end of its response.',
    labels: ['operation', 'status_class'],
    buckets: REQUEST_SECONDS,
  },
  plat_http_in_flight: { type: 'gauge', help: 'Requests in progress.', labels: [] },
  plat_http_aborted_total: {
    type: 'counter',
    help: 'Requests whose connection ended before their response was complete.',
    labels: ['operation'],
  },
  plat_db_transactions_total: {
    type: 'counter',
    help: 'Runs of transactions: committed, repeated after a transient conflict, refused by the work in them, or failed to begin or to commit.',
    labels: ['outcome'],
  },
  plat_delivery_attempts_total: {
    type: 'counter',
    help: 'Sent deliveries by result. The attempt counts from 1.',
    labels: ['outcome', 'error_class', 'attempt'],
  },
  plat_deliveries_unsent_total: {
    type: 'counter',
    help: 'Due deliveries that were not sent: failed because their endpoint or event is gone, or postponed.',
    labels: ['outcome', 'reason'],
  },
  plat_request_log_dropped_total: {
    type: 'counter',
    help: 'Entries that are missing from the request log.',
    labels: [],
  },
  plat_http_shed_total: { type: 'counter', help: 'Requests refused because of overload.', labels: ['reason'] },
  plat_db_errors_total: { type: 'counter', help: 'Errors of the database by class.', labels: ['class'] },
  plat_rate_limit_fallback: {
    type: 'gauge',
    help: '1 while Redis is unreachable and this process counts alone, else 0.',
    labels: [],
  },
  plat_log_dropped_total: { type: 'counter', help: 'Log lines that could not be written.', labels: [] },
  plat_clock_offset_seconds: {
    type: 'gauge',
    help: 'Clock of this process less the clock of the database.',
    labels: [],
  },
  plat_master_key_fits: {
    type: 'gauge',
    help: '1 when the master key opens the secrets of the database, else 0.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricInfo>>;

/** Name of a metric. */
export type MetricName = keyof typeof METRICS;
