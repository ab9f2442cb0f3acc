import type { DatabaseConfig } from './connections.ts';
import type { MailConfig } from './mail.ts';
import type { MailLimits } from './mail-limits.ts';
import type { Mode } from './mode.ts';
import type { QuotaLimits } from './quotas.ts';

/** Settings of the operator, read once from the environment and never changed. */
export interface Config {
  readonly mode: Mode;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Public address of the server; null: derived from host and port. */
  readonly baseUrl: string | null;
  /** Issuer of launch tokens; null: the public address. */
  readonly issuer: string | null;
  /** Contact in `/.well-known/security.txt`; null: the file is not served. */
  readonly securityContact: string | null;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  readonly database: DatabaseConfig;
  readonly redisUrl: string | null;
  /** 32 bytes each; the first one seals. Empty in development: a key is created in the data folder. */
  readonly masterKeys: readonly Buffer[];
  readonly rateLimit: { readonly requests: number; readonly windowSeconds: number };
  /** Limit for one OAuth app at each of the token, introspection and revocation endpoints. */
  readonly appRateLimit: { readonly requests: number; readonly windowSeconds: number };
  /** Maximum number of requests without a credential in a minute, for one network at each part of the service. */
  readonly addressRateLimit: number;
  /** Maximum number of changes of one sandbox, over all its credentials. */
  readonly sandboxWrites: { readonly points: number; readonly seconds: number };
  /** Time in which a repeated refresh gets the same response, in ms; 0: a repeated refresh ends the token family. */
  readonly refreshGraceMs: number;
  readonly webhooks: WebhookConfig;
  /** Port on which a worker answers `/livez` and `/readyz`, 0 for any free port; null: none. */
  readonly workerPort: number | null;
  /** Listener of `/metrics` and `/version`, port 0 for any free port; null: none. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** SMTP server; null: mail is printed and shown at `/_dev/mail` in development, and stays queued in production. */
  readonly mail: MailConfig | null;
  readonly mailLimits: MailLimits;
  readonly quotas: { readonly production: QuotaLimits; readonly sandbox: QuotaLimits };
  readonly housekeeping: HousekeepingConfig;
  /** Requests that the request log keeps for production tenants. With `off`, it keeps none for sandboxes either. */
  readonly requestLog: 'off' | 'errors' | 'all';
  /** In development: seed for generated values; the clock is frozen. Null: neither. */
  readonly deterministic: number | null;
  /** In development: the data ends with the process, so the clock moves without a confirmation. */
  readonly ephemeral: boolean;
  /** Commit that the program was built from, for `/version` and metrics; null: unknown. */
  readonly commit: string | null;
  /** Format in which traces are sent to the OTLP endpoint; null: no traces. The SDK reads the other `OTEL_` variables. */
  readonly tracing: TracingConfig | null;
  readonly log: { readonly level: string; readonly format: 'json' | 'pretty' };
  /** A connection is closed when its client reads no byte of a response for this long, in ms. */
  readonly writeTimeoutMs: number;
  /** Time for in-flight requests and deliveries to end after a stop signal, in ms. */
  readonly shutdownMs: number;
  /** Maximum difference between the clocks of this process and the database, in ms. */
  readonly maxClockOffsetMs: number;
}

export interface TracingConfig {
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Name of `OTEL_TRACES_SAMPLER`. */
  readonly sampler: string;
  /** Share of traces for samplers that take a part of them. */
  readonly ratio: number;
}

export interface WebhookConfig {
  /** True when this process sends deliveries and mail. */
  readonly dispatch: boolean;
  /** Time after which another process takes over the deliveries of one that has ended, in ms. */
  readonly leaseMs: number;
  readonly allowedCidrs: readonly string[];
  /** Maximum number of in-flight deliveries of this process to one endpoint. */
  readonly perEndpoint: number;
  /** Concurrency limit of this process at one host and port; sandboxes share a small fixed limit. */
  readonly perHost: number;
  /** Days of consecutive failures after which an endpoint is disabled; 0: never. */
  readonly failureDays: number;
}

export interface HousekeepingConfig {
  /** True when this process runs housekeeping. */
  readonly enabled: boolean;
  /** 0: audit events are kept indefinitely. */
  readonly auditRetentionDays: number;
  readonly requestRetentionDays: number;
  /** Maximum number of request log entries of a tenant. */
  readonly requestRows: { readonly sandbox: number; readonly production: number };
  /** Time after which another process takes over the job of one that has ended, in ms. */
  readonly leaseMs: number;
}
