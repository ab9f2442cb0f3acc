import { resolve } from 'node:path';
import { LIMITS } from '@plat/contract';
import ipaddr from 'ipaddr.js';
import Joi from 'joi';
import { QUOTA_NAMES, type QuotaLimits } from './db/quotas.ts';
import { isMailAddress } from './kernel/mail-address.ts';
import type { MailLimit, MailLimits } from './mail/count-mail.ts';

export type DatabaseConfig =
  | { readonly dialect: 'sqlite'; readonly path: string }
  | {
      readonly dialect: 'mysql';
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
      readonly tls: boolean;
      readonly poolSize: number;
    };

export interface MailConfig {
  /** `smtp://` or `smtps://`, with the options that nodemailer reads from a URL. */
  readonly smtpUrl: string;
  /** Whom mail comes from. */
  readonly from: { readonly name: string; readonly address: string };
}

/** Everything the operator decides; made once from the environment and never changed. */
export interface Config {
  /** `development` seeds a sandbox and lets webhooks reach loopback addresses; `production` does neither. */
  readonly mode: 'development' | 'production';
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The address that clients use; null: made from host and port. */
  readonly baseUrl: string | null;
  /** What launch tokens say they are from; null: the address that clients use. */
  readonly issuer: string | null;
  /** Where `/.well-known/security.txt` says to report vulnerabilities; null: the file is not served. */
  readonly securityContact: string | null;
  /** Proxies whose `X-Forwarded-For` says who calls; behind others it is the proxy that calls. */
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  readonly database: DatabaseConfig;
  readonly redisUrl: string | null;
  /** 32 bytes each; the first seals. Empty in development: one is made and kept in the data folder. */
  readonly masterKeys: readonly Buffer[];
  readonly rateLimit: { readonly requests: number; readonly windowSeconds: number };
  /** Of one OAuth app, at each of the token, introspection and revocation endpoints. */
  readonly appRateLimit: { readonly requests: number; readonly windowSeconds: number };
  /** Requests without a credential that one network may send in a minute, to each part of the service. */
  readonly addressRateLimit: number;
  /** Changes that one sandbox may make, over all its credentials. */
  readonly sandboxWrites: { readonly points: number; readonly seconds: number };
  /** How long, in ms, a repeated refresh of a token gets the same answer again; 0: it ends the family of tokens. */
  readonly refreshGraceMs: number;
  readonly webhooks: {
    readonly dispatch: boolean;
    /** How long, in ms, the deliveries of a process that died wait until another one takes them over. */
    readonly leaseMs: number;
    readonly allowedCidrs: readonly string[];
    /** Deliveries that this process has under way to one endpoint at most. */
    readonly perEndpoint: number;
    /** Concurrency limit of deliveries of this process to one host and port; sandboxes have a small fixed one. */
    readonly perHost: number;
    /** After so many days in which every attempt has failed an endpoint is disabled; 0: never. */
    readonly failureDays: number;
  };
  /** Where a worker answers `/livez` and `/readyz`, 0 for any free port; null: nowhere. */
  readonly workerPort: number | null;
  /** How mail goes out; null: in development it is printed and shown at `/_dev/mail`, in production it waits. */
  readonly mail: MailConfig | null;
  readonly mailLimits: MailLimits;
  readonly quotas: { readonly production: QuotaLimits; readonly sandbox: QuotaLimits };
  readonly housekeeping: {
    /** Whether this process takes part. */
    readonly enabled: boolean;
    /** 0: audit events are kept for ever. */
    readonly auditRetentionDays: number;
    readonly requestRetentionDays: number;
    /** Rows of the request log that a tenant keeps, by its kind. */
    readonly requestRows: { readonly sandbox: number; readonly production: number };
    /** How long, in ms, the job of a process that died waits until another one takes it over. */
    readonly leaseMs: number;
  };
  /** Which requests the request log keeps beside those of sandboxes: none of either when `off`. */
  readonly requestLog: 'off' | 'errors' | 'all';
  /** In development: what all that is made up follows from, at a clock that stands; null: nothing does. */
  readonly deterministic: number | null;
  /** In development: the data ends with the process, so its clock moves without a question. */
  readonly ephemeral: boolean;
  readonly log: { readonly level: string; readonly format: 'json' | 'pretty' };
  /** A connection ends when its client takes no byte of a response for so many ms. */
  readonly writeTimeoutMs: number;
  /** How long, in ms, requests and deliveries under way may take to end after a stop signal. */
  readonly shutdownMs: number;
}

/** Thrown with every problem of the environment at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `the configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}: ${problems.join('; ')}`,
    );
    this.problems = problems;
  }
}

interface Environment {
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
  PLAT_WEBHOOK_ALLOW: string;
  PLAT_WEBHOOK_CONCURRENCY: number;
  PLAT_WEBHOOK_HOST_CONCURRENCY: number;
  PLAT_ENDPOINT_FAILURE_DAYS: number;
  PLAT_LEASE_SECONDS: number;
  PLAT_DB_POOL: number;
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
  LOG_LEVEL: string;
  LOG_FORMAT?: 'json' | 'pretty';
  PLAT_WRITE_TIMEOUT_SECONDS: number;
  PLAT_SHUTDOWN_SECONDS: number;
}

const url = (...scheme: string[]) => Joi.string().uri({ scheme });

const environment = Joi.object<Environment, true>({
  // A misspelt `production` must not be development, which seeds a sandbox. Test runners set `test`.
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
  PLAT_RATE_WINDOW: Joi.number().integer().min(1).default(LIMITS.rate.windowSeconds),
  PLAT_APP_RATE_LIMIT: Joi.number().integer().min(1).default(LIMITS.appRate.requests),
  PLAT_ADDRESS_RATE_LIMIT: Joi.number().integer().min(1).default(LIMITS.addressRate.requests),
  PLAT_REFRESH_GRACE_SECONDS: Joi.number().min(0).max(30).default(0),
  PLAT_DISPATCH: Joi.boolean().default(true),
  PLAT_WORKER_PORT: Joi.number().port(),
  PLAT_WEBHOOK_ALLOW: Joi.string().default(''),
  PLAT_WEBHOOK_CONCURRENCY: Joi.number().integer().min(1).max(500).default(16),
  PLAT_WEBHOOK_HOST_CONCURRENCY: Joi.number().integer().min(1).max(500).default(250),
  PLAT_ENDPOINT_FAILURE_DAYS: Joi.number().integer().min(0).max(365).default(5),
  PLAT_LEASE_SECONDS: Joi.number().min(1).max(20).default(15),
  PLAT_DB_POOL: Joi.number().integer().min(2).max(500).default(10),
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
  LOG_LEVEL: Joi.string().valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  LOG_FORMAT: Joi.string().valid('json', 'pretty'),
  PLAT_WRITE_TIMEOUT_SECONDS: Joi.number().min(0.1).max(600).default(30),
  PLAT_SHUTDOWN_SECONDS: Joi.number().min(0).max(600).default(15),
});

/**
 * Reads the configuration from environment variables. Empty ones count as absent.
 * @throws {@link ConfigError} naming every problem.
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
  const allowedCidrs = readCidrs('PLAT_WEBHOOK_ALLOW', String(value.PLAT_WEBHOOK_ALLOW), problems);
  const trustedProxies = readCidrs('PLAT_TRUSTED_PROXIES', String(value.PLAT_TRUSTED_PROXIES), problems);
  const database = readDatabase(value.DATABASE_URL, dataDir, value.PLAT_DB_POOL, problems);
  if (value.PLAT_DETERMINISTIC !== undefined && mode === 'production') {
    problems.push('PLAT_DETERMINISTIC is for development: in production nothing that is made up may be foreseen');
  }
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
    // A deterministic server begins with an empty database.
    ephemeral: value.PLAT_EPHEMERAL || value.PLAT_DETERMINISTIC !== undefined,
    log: { level: value.LOG_LEVEL, format: value.LOG_FORMAT ?? (mode === 'development' ? 'pretty' : 'json') },
    writeTimeoutMs: value.PLAT_WRITE_TIMEOUT_SECONDS * 1000,
    shutdownMs: value.PLAT_SHUTDOWN_SECONDS * 1000,
  });
}

/** Where a process on this host and port is reached. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function readMasterKeys(text: string, mode: Config['mode'], problems: string[]): Buffer[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const keys = parts.map((part) => Buffer.from(part, 'base64'));
  // Node passes over what is no base64, quotes and comments too: what it makes of them might not be the key that was meant.
  if (keys.some((key, index) => key.length !== 32 || key.toString('base64') !== parts[index])) {
    problems.push(
      'PLAT_MASTER_KEY must hold 32 bytes in base64 (several separated by commas, the first seals): openssl rand -base64 32',
    );
  }
  if (keys.length === 0 && mode === 'production') {
    problems.push('PLAT_MASTER_KEY is required in production: openssl rand -base64 32');
  }
  return keys;
}

function readCidrs(name: string, text: string, problems: string[]): string[] {
  const cidrs = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const cidr of cidrs) {
    if (!ipaddr.isValidCIDR(cidr))
      problems.push(`${name} holds "${cidr}", which is not a CIDR range such as 10.0.0.0/8`);
  }
  return cidrs;
}

function readMail(smtpUrl: string | undefined, sender: string, problems: string[]): MailConfig | null {
  const [, name = '', address = sender] = /^([^<>"\p{Cc}]*?)\s*<([^<>]*)>$/u.exec(sender) ?? [];
  if (sender !== '' && !isMailAddress(address)) {
    problems.push('MAIL_FROM must look like plat@example.com or Platform <plat@example.com>');
  }
  if (smtpUrl === undefined) return null;
  const parsed = URL.parse(smtpUrl);
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') {
    // Never the value: it holds a password.
    problems.push('SMTP_URL must look like smtps://user:password@host:465 or smtp://host:587');
  }
  if (sender === '') problems.push('MAIL_FROM is required with SMTP_URL: the address that mail comes from');
  return { smtpUrl, from: { name, address } };
}

/**
 * In development without an SMTP server no mail is sent: only the limits that are set apply there, so that a test
 * suite can invite the same address again and again.
 */
function readMailLimits(value: Environment, mode: Config['mode'], problems: string[]): MailLimits {
  const { production, sandbox, signIn } = LIMITS.mail;
  const isSent = mode === 'production' || value.SMTP_URL !== undefined;
  const read = <L extends Record<string, MailLimit>>(name: MailLimitSetting, defaults: L): L => {
    const given = readNumbers(name, String(value[name]), Object.keys(defaults), problems);
    const entries = Object.entries(defaults).map(([counted, limit]) => [
      counted,
      { ...limit, max: given[counted] ?? (isSent || name === 'PLAT_SIGN_IN_MAIL_LIMITS' ? limit.max : MOST_MAILS) },
    ]);
    return Object.fromEntries(entries) as L;
  };
  return {
    production: read('PLAT_MAIL_LIMITS', production),
    sandbox: read('PLAT_SANDBOX_MAIL_LIMITS', sandbox),
    signIn: read('PLAT_SIGN_IN_MAIL_LIMITS', signIn),
  };
}

/** More than any window sees. */
const MOST_MAILS = 1_000_000_000;

type MailLimitSetting = 'PLAT_MAIL_LIMITS' | 'PLAT_SANDBOX_MAIL_LIMITS' | 'PLAT_SIGN_IN_MAIL_LIMITS';

function readQuotas(setting: string, text: string, tier: 'production' | 'sandbox', problems: string[]): QuotaLimits {
  const given = readNumbers(setting, text, QUOTA_NAMES, problems);
  const entries = QUOTA_NAMES.map((name) => [name, given[name] ?? LIMITS.quotas[name][tier]]);
  return Object.fromEntries(entries) as QuotaLimits;
}

/** Reads `name=number` pairs separated by commas. */
function readNumbers(
  setting: string,
  text: string,
  names: readonly string[],
  problems: string[],
): Readonly<Record<string, number>> {
  const numbers: Record<string, number> = {};
  for (const part of text.split(',').map((given) => given.trim())) {
    if (part === '') continue;
    const [, name = '', digits = ''] = /^(\w+)\s*=\s*(\d{1,9})$/.exec(part) ?? [];
    if (!names.includes(name)) {
      problems.push(`${setting} holds "${part}"; it takes ${names.map((one) => `${one}=<number>`).join(', ')}`);
      continue;
    }
    numbers[name] = Number(digits);
  }
  return numbers;
}

function readRedis(text: string | undefined, problems: string[]): string | null {
  if (text === undefined) return null;
  const parsed = /^rediss?:\/\//.test(text) ? URL.parse(text) : null;
  // Never the value: it holds a password.
  if (!parsed) problems.push('REDIS_URL must look like redis://user:password@host:6379 or rediss://host:6380');
  else credentialsOf('REDIS_URL', parsed, problems);
  return text;
}

function readDatabase(
  text: string | undefined,
  dataDir: string,
  poolSize: number,
  problems: string[],
): DatabaseConfig | undefined {
  if (text === undefined) return { dialect: 'sqlite', path: resolve(dataDir, 'plat.db') };
  if (text.startsWith('sqlite:'))
    return { dialect: 'sqlite', path: resolve(text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')) };
  const parsed = URL.parse(text);
  const database = parsed?.pathname.slice(1) ?? '';
  if (
    !parsed ||
    !/^(mysql|mariadb):$/.test(parsed.protocol) ||
    !/^[A-Za-z0-9_$-]+$/.test(database) ||
    parsed.hash !== ''
  ) {
    // Never the value: it holds a password.
    problems.push('DATABASE_URL must look like mysql://user:password@host:3306/database or sqlite:path');
    return undefined;
  }
  return {
    dialect: 'mysql',
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? 3306 : Number(parsed.port),
    ...credentialsOf('DATABASE_URL', parsed, problems),
    database,
    tls: readTls(parsed.searchParams, problems),
    poolSize,
  };
}

/** Whoever asks for TLS in another way is told: without a word he would have none. */
function readTls(parameters: URLSearchParams, problems: string[]): boolean {
  const [[name, value] = ['ssl', 'false'], ...more] = [...parameters];
  if (more.length > 0 || name !== 'ssl' || !/^(true|false)$/.test(value)) {
    problems.push('DATABASE_URL takes ?ssl=true or ?ssl=false, and no other parameter');
  }
  return value === 'true';
}

function credentialsOf(name: string, { username, password }: URL, problems: string[]) {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    problems.push(`${name} has a % in user or password that begins no escape: write it as %25`);
    return { user: '', password: '' };
  }
}
