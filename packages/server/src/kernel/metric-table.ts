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

/** Upper bounds for statements of the database and waits in the process, in seconds. */
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15] as const;
/** Upper bounds for deliveries, from one poll of the queue to the backlog of an hour, in seconds. */
const DELIVERY_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600] as const;

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
  plat_http_connections: { type: 'gauge', help: 'Open connections of the API.', labels: [] },
  plat_http_in_flight: { type: 'gauge', help: 'Requests in progress.', labels: [] },
  plat_http_aborted_total: {
    type: 'counter',
    help: 'Requests whose connection ended before their response was complete.',
    labels: ['operation'],
  },
  plat_rate_limited_total: {
    type: 'counter',
    help: 'Requests over a rate limit, by its counter.',
    labels: ['counter'],
  },
  plat_idempotency_total: {
    type: 'counter',
    help: 'Requests with an Idempotency-Key: new, replayed, in_use or reused.',
    labels: ['outcome'],
  },
  plat_oauth_tokens_total: {
    type: 'counter',
    help: 'Requests to the token endpoint: issued, refused or failed.',
    labels: ['grant', 'outcome'],
  },
  plat_schema_migrations: { type: 'gauge', help: 'Migrations of the database.', labels: [] },
  plat_db_pool_connections: {
    type: 'gauge',
    help: 'Connections to the database server: idle or used.',
    labels: ['state'],
  },
  plat_db_pool_waiting: { type: 'gauge', help: 'Statements and transactions that wait for a connection.', labels: [] },
  plat_db_pool_wait_seconds: {
    type: 'histogram',
    help: 'Time from the request for a connection to the database server until one is free.',
    labels: [],
    buckets: STATEMENT_SECONDS,
  },
  plat_db_query_duration_seconds: {
    type: 'histogram',
    help: 'Time of statements by verb and first table. On SQLite, a change includes the wait for the writer before it.',
    labels: ['statement', 'table'],
    buckets: STATEMENT_SECONDS,
  },
  plat_db_transactions_total: {
    type: 'counter',
    help: 'Runs of transactions: committed, repeated after a transient conflict, refused by the work in them, or failed to begin or to commit.',
    labels: ['outcome'],
  },
  plat_events_committed_total: { type: 'counter', help: 'Committed events.', labels: ['type'] },
  plat_deliveries_due: {
    type: 'gauge',
    help: 'Due deliveries in the queue, with those of paused endpoints; at most 1,000 of each of the 64 shards are counted.',
    labels: [],
  },
  plat_delivery_oldest_due_seconds: {
    type: 'gauge',
    help: 'Age of the oldest due delivery, without paused endpoints; 0 when none is due. Reads 200 deliveries of each shard.',
    labels: [],
  },
  plat_delivery_lag_seconds: {
    type: 'histogram',
    help: 'Time from the commit of an event to the start of its first attempt.',
    labels: [],
    buckets: DELIVERY_SECONDS,
  },
  plat_delivery_duration_seconds: {
    type: 'histogram',
    help: 'Time of attempts by phase: dns, connect, tls, first_byte, total.',
    labels: ['phase'],
    buckets: REQUEST_SECONDS,
  },
  plat_deliveries_in_flight: { type: 'gauge', help: 'Attempts in progress in this process.', labels: [] },
  plat_deliveries_known: { type: 'gauge', help: 'Deliveries in the memory of this process.', labels: [] },
  plat_outcomes_unwritten: { type: 'gauge', help: 'Results of attempts that are not in the database yet.', labels: [] },
  plat_endpoints_paused: { type: 'gauge', help: 'Webhook endpoints whose circuit is open.', labels: [] },
  plat_endpoints_disabled_total: {
    type: 'counter',
    help: 'Webhook endpoints that the service disabled, by reason.',
    labels: ['reason'],
  },
  plat_shards_held: { type: 'gauge', help: 'Shards of the delivery queue that this process holds.', labels: [] },
  plat_shard_moves_total: {
    type: 'counter',
    help: 'Shards that this process has taken, released, or lost because it did not renew its leases in time.',
    labels: ['direction'],
  },
  plat_lease_renewal_seconds: {
    type: 'histogram',
    help: 'Time of a renewal of all leases of this process.',
    labels: [],
    buckets: STATEMENT_SECONDS,
  },
  plat_replays: { type: 'gauge', help: 'Replays of events that have not ended.', labels: [] },
  plat_replay_examined_total: { type: 'counter', help: 'Events that replays have examined.', labels: [] },
  plat_mails_queued: { type: 'gauge', help: 'Mails that are not sent yet; at most 10,000 are counted.', labels: [] },
  plat_mail_oldest_due_seconds: { type: 'gauge', help: 'Age of the oldest due mail; 0 when none is due.', labels: [] },
  plat_mail_attempts_total: {
    type: 'counter',
    help: 'Attempts to send a mail: sent, retrying or failed.',
    labels: ['outcome'],
  },
  plat_housekeeping_last_end_timestamp_seconds: {
    type: 'gauge',
    help: 'Unix time at which housekeeping last reached its end, in any process.',
    labels: [],
  },
  plat_housekeeping_duration_seconds: {
    type: 'gauge',
    help: 'Duration of the last housekeeping run of this process.',
    labels: [],
  },
  plat_housekeeping_removed_total: { type: 'counter', help: 'Rows that housekeeping has deleted.', labels: ['table'] },
  plat_signing_key_age_seconds: { type: 'gauge', help: 'Age of the key that signs launch tokens.', labels: [] },
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
