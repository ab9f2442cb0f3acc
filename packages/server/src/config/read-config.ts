import { resolve } from 'node:path';
import { LIMITS } from '@plat/contract';
import type { Config, TracingConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import { type PoolSettings, readDatabase, readRedis } from './connections.ts';
import { type Environment, environment } from './environment.ts';
import { readAllowedReceivers, readTrustedProxies } from './lists.ts';
import { readMail } from './mail.ts';
import { readMailLimits } from './mail-limits.ts';
import { readMasterKeys } from './master-keys.ts';
import { checkAddress } from './public-address.ts';
import { readQuotas } from './quotas.ts';

/**
 * Reads the configuration from environment variables. Empty variables count as absent.
 * @throws {@link ConfigError} with every problem
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const { value, error } = environment.validate(given, {
    abortEarly: false,
    stripUnknown: true,
    errors: { wrap: { label: false } },
  });
  const problems = error ? error.details.map(({ message }) => message) : [];
  if (!value) throw new ConfigError(problems);

  const mode = value.NODE_ENV === 'production' ? 'production' : 'development';
  const dataDir = resolve(String(value.PLAT_DATA_DIR));
  const masterKeys = readMasterKeys(String(value.PLAT_MASTER_KEY), mode, problems);
  const allowedCidrs = readAllowedReceivers(String(value.PLAT_WEBHOOK_ALLOW), problems);
  const trustedProxies = readTrustedProxies(String(value.PLAT_TRUSTED_PROXIES), problems);
  const database = readDatabase(value.DATABASE_URL, dataDir, poolOf(value), problems);
  if (value.PLAT_DETERMINISTIC !== undefined && mode === 'production') {
    problems.push('PLAT_DETERMINISTIC is for development: in production, generated values must not be predictable');
  }
  checkAddress('PLAT_BASE_URL', value.PLAT_BASE_URL, problems);
  checkAddress('PLAT_ISSUER', value.PLAT_ISSUER, problems);
  const redisUrl = readRedis(value.REDIS_URL, problems);
  const mail = readMail(value.SMTP_URL, String(value.MAIL_FROM), problems);
  const mailLimits = readMailLimits(value, mode, problems);
  const quotas = {
    production: readQuotas('PLAT_QUOTAS', String(value.PLAT_QUOTAS), 'production', problems),
    sandbox: readQuotas('PLAT_SANDBOX_QUOTAS', String(value.PLAT_SANDBOX_QUOTAS), 'sandbox', problems),
  };
  if (problems.length > 0 || !database) throw new ConfigError(problems);

  return Object.freeze({
    mode,
    host: value.HOST,
    port: value.PORT,
    baseUrl: value.PLAT_BASE_URL?.replace(/\/+$/, '') ?? null,
    issuer: value.PLAT_ISSUER ?? null,
    securityContact: value.PLAT_SECURITY_CONTACT ?? null,
    trustedProxies,
    dataDir,
    database,
    redisUrl,
    masterKeys,
    rateLimit: { requests: value.PLAT_RATE_LIMIT, windowSeconds: value.PLAT_RATE_WINDOW },
    appRateLimit: { requests: value.PLAT_APP_RATE_LIMIT, windowSeconds: LIMITS.appRate.windowSeconds },
    addressRateLimit: value.PLAT_ADDRESS_RATE_LIMIT,
    sandboxWrites: { points: value.PLAT_SANDBOX_WRITES, seconds: LIMITS.sandboxWrites.seconds },
    refreshGraceMs: value.PLAT_REFRESH_GRACE_SECONDS * 1000,
    webhooks: {
      dispatch: value.PLAT_DISPATCH,
      leaseMs: value.PLAT_LEASE_SECONDS * 1000,
      allowedCidrs: mode === 'development' ? ['127.0.0.0/8', '::1/128', ...allowedCidrs] : allowedCidrs,
      perEndpoint: value.PLAT_WEBHOOK_CONCURRENCY,
      perHost: value.PLAT_WEBHOOK_HOST_CONCURRENCY,
      failureDays: value.PLAT_ENDPOINT_FAILURE_DAYS,
    },
    workerPort: value.PLAT_WORKER_PORT ?? null,
    metrics:
      value.PLAT_METRICS_PORT === undefined ? null : { host: value.PLAT_METRICS_HOST, port: value.PLAT_METRICS_PORT },
    mail,
    mailLimits,
    quotas,
    housekeeping: {
      enabled: value.PLAT_HOUSEKEEPING,
      auditRetentionDays: value.PLAT_AUDIT_RETENTION_DAYS,
      requestRetentionDays: value.PLAT_REQUEST_LOG_DAYS,
      requestRows: { sandbox: value.PLAT_REQUEST_LOG_SANDBOX_ROWS, production: value.PLAT_REQUEST_LOG_ROWS },
      leaseMs: value.PLAT_LEASE_SECONDS * 1000,
    },
    requestLog: value.PLAT_REQUEST_LOG,
    deterministic: value.PLAT_DETERMINISTIC ?? null,
    // A deterministic server starts with an empty database.
    ephemeral: value.PLAT_EPHEMERAL || value.PLAT_DETERMINISTIC !== undefined,
    tracing: readTracing(value),
    commit: value.PLAT_COMMIT ?? null,
    log: { level: value.LOG_LEVEL, format: value.LOG_FORMAT ?? (mode === 'development' ? 'pretty' : 'json') },
    writeTimeoutMs: value.PLAT_WRITE_TIMEOUT_SECONDS * 1000,
    shutdownMs: value.PLAT_SHUTDOWN_SECONDS * 1000,
    maxClockOffsetMs: value.PLAT_MAX_CLOCK_OFFSET_SECONDS * 1000,
  });
}

function poolOf(value: Environment): PoolSettings {
  return {
    poolSize: value.PLAT_DB_POOL,
    statementMs: value.PLAT_DB_STATEMENT_SECONDS * 1000,
    maxAgeMs: value.PLAT_DB_CONNECTION_MAX_AGE_SECONDS * 1000,
  };
}

function readTracing(value: Environment): TracingConfig | null {
  const endpoint = value.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? value.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || value.OTEL_SDK_DISABLED) return null;
  return {
    protocol: value.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: value.OTEL_TRACES_SAMPLER,
    ratio: value.OTEL_TRACES_SAMPLER_ARG,
  };
}
