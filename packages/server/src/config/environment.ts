import { LIMITS } from '@plat/contract';
import Joi from 'joi';

/** The environment variables, after defaults. */
export interface Environment {
  NODE_ENV: string;
  HOST: string;
  PORT: number;
  PLAT_BASE_URL?: string;
  PLAT_ISSUER?: string;
  PLAT_SECURITY_CONTACT?: string;
  PLAT_TRUSTED_PROXIES: string;
  PLAT_DATA_DIR: string;
  DATABASE_URL?: string;
  REDIS_URL?: string;
  PLAT_MASTER_KEY: string;
  PLAT_RATE_LIMIT: number;
  PLAT_RATE_WINDOW: number;
  PLAT_APP_RATE_LIMIT: number;
  PLAT_ADDRESS_RATE_LIMIT: number;
  PLAT_REFRESH_GRACE_SECONDS: number;
  PLAT_DISPATCH: boolean;
  PLAT_WORKER_PORT?: number;
  PLAT_METRICS_PORT?: number;
  PLAT_METRICS_HOST: string;
  PLAT_WEBHOOK_ALLOW: string;
  PLAT_WEBHOOK_CONCURRENCY: number;
  PLAT_WEBHOOK_HOST_CONCURRENCY: number;
  PLAT_ENDPOINT_FAILURE_DAYS: number;
  PLAT_LEASE_SECONDS: number;
  PLAT_DB_POOL: number;
  PLAT_DB_STATEMENT_SECONDS: number;
  PLAT_DB_CONNECTION_MAX_AGE_SECONDS: number;
  SMTP_URL?: string;
  MAIL_FROM: string;
  PLAT_SANDBOX_WRITES: number;
  PLAT_QUOTAS: string;
  PLAT_SANDBOX_QUOTAS: string;
  PLAT_MAIL_LIMITS: string;
  PLAT_SANDBOX_MAIL_LIMITS: string;
  PLAT_SIGN_IN_MAIL_LIMITS: string;
  PLAT_HOUSEKEEPING: boolean;
  PLAT_AUDIT_RETENTION_DAYS: number;
  PLAT_REQUEST_LOG: 'off' | 'errors' | 'all';
  PLAT_REQUEST_LOG_DAYS: number;
  PLAT_REQUEST_LOG_ROWS: number;
  PLAT_REQUEST_LOG_SANDBOX_ROWS: number;
  PLAT_DETERMINISTIC?: number;
  PLAT_EPHEMERAL: boolean;
  PLAT_COMMIT?: string;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' | 'http/json';
  OTEL_TRACES_SAMPLER: string;
  OTEL_TRACES_SAMPLER_ARG: number;
  OTEL_SDK_DISABLED: boolean;
  LOG_LEVEL: string;
  LOG_FORMAT?: 'json' | 'pretty';
  PLAT_WRITE_TIMEOUT_SECONDS: number;
  PLAT_SHUTDOWN_SECONDS: number;
  PLAT_MAX_CLOCK_OFFSET_SECONDS: number;
}

const url = (...scheme: string[]) => Joi.string().uri({ scheme });

/** Types, bounds and defaults of the environment variables. */
export const environment = Joi.object<Environment, true>({
  // A misspelt `production` must not select the development mode, which seeds a sandbox. Test runners set `test`.
  NODE_ENV: Joi.string().valid('development', 'test', 'production').default('development'),
  HOST: Joi.string().default('127.0.0.1'),
  PORT: Joi.number().port().default(4010),
  PLAT_BASE_URL: url('http', 'https'),
  PLAT_ISSUER: url('http', 'https'),
  PLAT_SECURITY_CONTACT: url('mailto', 'https'),
  PLAT_TRUSTED_PROXIES: Joi.string().default(''),
  PLAT_DATA_DIR: Joi.string().default('.plat'),
  DATABASE_URL: Joi.string(),
  REDIS_URL: Joi.string(),
  PLAT_MASTER_KEY: Joi.string().default(''),
  PLAT_RATE_LIMIT: Joi.number().integer().min(1).default(LIMITS.rate.requests),
  // Node's timers end a longer window, of more than 24 days, at once.
  PLAT_RATE_WINDOW: Joi.number().integer().min(1).max(2_000_000).default(LIMITS.rate.windowSeconds),
  PLAT_APP_RATE_LIMIT: Joi.number().integer().min(1).default(LIMITS.appRate.requests),
  PLAT_ADDRESS_RATE_LIMIT: Joi.number().integer().min(1).default(LIMITS.addressRate.requests),
  PLAT_REFRESH_GRACE_SECONDS: Joi.number().min(0).max(30).default(0),
  PLAT_DISPATCH: Joi.boolean().default(true),
  PLAT_WORKER_PORT: Joi.number().port(),
  PLAT_METRICS_PORT: Joi.number().port(),
  PLAT_METRICS_HOST: Joi.string().default('127.0.0.1'),
  PLAT_WEBHOOK_ALLOW: Joi.string().default(''),
  PLAT_WEBHOOK_CONCURRENCY: Joi.number().integer().min(1).max(500).default(16),
  PLAT_WEBHOOK_HOST_CONCURRENCY: Joi.number().integer().min(1).max(500).default(250),
  PLAT_ENDPOINT_FAILURE_DAYS: Joi.number().integer().min(0).max(365).default(5),
  PLAT_LEASE_SECONDS: Joi.number().min(1).max(20).default(15),
  PLAT_DB_POOL: Joi.number().integer().min(2).max(500).default(10),
  PLAT_DB_STATEMENT_SECONDS: Joi.number().integer().min(2).max(600).default(10),
  PLAT_DB_CONNECTION_MAX_AGE_SECONDS: Joi.number().integer().min(1).max(86_400).default(600),
  SMTP_URL: Joi.string(),
  MAIL_FROM: Joi.string().default(''),
  PLAT_SANDBOX_WRITES: Joi.number().integer().min(1).default(LIMITS.sandboxWrites.max),
  PLAT_QUOTAS: Joi.string().default(''),
  PLAT_SANDBOX_QUOTAS: Joi.string().default(''),
  PLAT_MAIL_LIMITS: Joi.string().default(''),
  PLAT_SANDBOX_MAIL_LIMITS: Joi.string().default(''),
  PLAT_SIGN_IN_MAIL_LIMITS: Joi.string().default(''),
  PLAT_HOUSEKEEPING: Joi.boolean().default(true),
  PLAT_AUDIT_RETENTION_DAYS: Joi.number().integer().min(0).max(36_500).default(365),
  PLAT_REQUEST_LOG: Joi.string().valid('off', 'errors', 'all').default('errors'),
  PLAT_REQUEST_LOG_DAYS: Joi.number().integer().min(1).max(365).default(7),
  PLAT_REQUEST_LOG_ROWS: Joi.number().integer().min(1).max(10_000_000).default(LIMITS.requestRows.production),
  PLAT_REQUEST_LOG_SANDBOX_ROWS: Joi.number().integer().min(1).max(10_000_000).default(LIMITS.requestRows.sandbox),
  PLAT_DETERMINISTIC: Joi.number().integer().min(0),
  PLAT_EPHEMERAL: Joi.boolean().default(false),
  PLAT_COMMIT: Joi.string().hex().min(7).max(64),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('http', 'https'),
  OTEL_EXPORTER_OTLP_PROTOCOL: Joi.string().valid('http/protobuf', 'http/json').default('http/protobuf'),
  OTEL_TRACES_SAMPLER: Joi.string()
    .valid(...['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]))
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: Joi.number().min(0).max(1).default(1),
  OTEL_SDK_DISABLED: Joi.boolean().default(false),
  LOG_LEVEL: Joi.string().valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  LOG_FORMAT: Joi.string().valid('json', 'pretty'),
  PLAT_WRITE_TIMEOUT_SECONDS: Joi.number().min(0.1).max(600).default(30),
  PLAT_SHUTDOWN_SECONDS: Joi.number().min(0).max(600).default(15),
  PLAT_MAX_CLOCK_OFFSET_SECONDS: Joi.number().min(1).max(3600).default(30),
});
