import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { explainConfig } from '../../config/explain-config.ts';
import { readConfig } from '../../config/read-config.ts';
import { type Database, reason } from '../../db/database.ts';
import { readSchema } from '../../db/migrate.ts';
import { execute, selectOne, selectText } from '../../db/sql.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { createSealer } from '../../kernel/seal.ts';
import { openPrivateKey } from '../../launch/key-pair.ts';
import { loadMasterKeys, masterKeyFile, prepareDataDir } from '../data-dir.ts';
import { clockOffset } from '../heartbeat.ts';
import { inspecting } from './inspect.ts';
import { readStatus } from './status.ts';

/** Result of one check. */
export interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** The next step of the operator; null when there is none. */
  readonly fix: string | null;
}

type Variables = Readonly<Record<string, string | undefined>>;
type Outcome = Omit<Finding, 'check'>;

const WAIT_MS = 5_000;
const MEBIBYTE = 1024 * 1024;

/** Checks an installation from this host, with the environment of its processes. Changes nothing that lasts. */
export async function examine(variables: Variables): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const check = async (name: string, run: () => Outcome | Promise<Outcome>): Promise<void> => {
    const outcome = await Promise.resolve()
      .then(run)
      .catch((error: unknown) => failed(reason(error), FIXES[name] ?? null));
    findings.push({ check: name, ...outcome });
  };
  await check('configuration', () => checkConfiguration(variables));
  // Every other check needs a valid configuration.
  if (findings.some(({ result }) => result === 'failed')) return findings;
  const config = readConfig(variables);
  await check('data folder', () => checkDisk(config));
  await check('public address', () => checkAddress(config));
  await check('database', () => inspecting(config, checkDatabase));
  // Without a database, the checks of its content would repeat the same problem.
  const isUsable = findings.every(({ result }) => result !== 'failed');
  if (isUsable) {
    await check('database writes', () => inspecting(config, checkWrites));
    await check('clock', () => inspecting(config, (db) => checkClock(config, db)));
    await check('master key', () => inspecting(config, (db) => checkMasterKey(config, db)));
    await check('processes', () => checkProcesses(config));
  }
  await check('redis', () => checkRedis(config));
  await check('mail', () => checkMail(config));
  return findings;
}

const FIXES: Readonly<Record<string, string>> = {
  'data folder': 'set PLAT_DATA_DIR to a folder that this user can write to',
  database: 'check DATABASE_URL, the network and the database server',
  'database writes': 'let DATABASE_URL name a server that takes writes, with free disk space',
  clock: 'synchronize the clocks with NTP',
  'master key': 'set PLAT_MASTER_KEY to the key that the secrets were encrypted with; see plat-server secrets status',
  redis: 'check REDIS_URL and the Redis server',
  mail: 'check SMTP_URL and the mail server',
};

function checkConfiguration(variables: Variables): Outcome {
  const { problems, unknown } = explainConfig(variables);
  if (problems.length > 0) return failed(problems.join('; '), 'correct these variables: plat-server config check');
  if (unknown.length === 0) return ok('every PLAT_ variable is known');
  const names = unknown.map(({ variable }) => variable).join(', ');
  return warning(`nothing reads ${names}`, 'correct or remove them: plat-server config check');
}

async function checkDisk(config: Config): Promise<Outcome> {
  prepareDataDir(config);
  const { bavail, bsize } = await statfs(config.dataDir);
  const free = Math.floor((bavail * bsize) / MEBIBYTE);
  const detail = `${config.dataDir} has ${free} MiB free`;
  if (free >= 1024) return ok(detail);
  const fix = 'free disk space: a full disk stops all changes';
  return free < 100 ? failed(detail, fix) : warning(detail, fix);
}

async function checkAddress(config: Config): Promise<Outcome> {
  const { mode, baseUrl } = config;
  if (mode === 'development') return ok(baseUrl ?? 'derived from HOST and PORT');
  if (baseUrl === null) return warning('PLAT_BASE_URL is not set', 'set it to the address that users call, with https');
  if (!baseUrl.startsWith('https:'))
    return warning(`${baseUrl} has no TLS`, 'let a proxy terminate TLS, and set https here');
  try {
    const response = await fetch(`${baseUrl}/version`, { signal: AbortSignal.timeout(WAIT_MS), redirect: 'manual' });
    if (response.status === 200) return ok(`${baseUrl} answers`);
    return warning(`${baseUrl}/version answers ${response.status}`, 'route this address to the servers');
  } catch (error) {
    return warning(`${baseUrl} does not answer here (${reason(error)})`, 'check DNS, the proxy and its certificate');
  }
}

async function checkDatabase(db: Database): Promise<Outcome> {
  const { pending, newer } = await readSchema(db);
  if (pending.length > 0) {
    const names = pending.map(({ name }) => name).join(', ');
    return failed(`migrations are pending: ${names}`, 'run plat-server migrate up');
  }
  if ((await variable(db, 'group_replication_single_primary_mode')) === 'OFF') {
    const fix = 'run SELECT group_replication_switch_to_single_primary_mode() on a member of the group';
    return warning(`${db.kind}, group replication with several primaries, which is not supported`, fix);
  }
  const packet = Number((await variable(db, 'max_allowed_packet')) ?? MIN_PACKET);
  if (packet < MIN_PACKET) {
    const fix = 'set max_allowed_packet of the database server to at least 4 MiB';
    return warning(`${db.kind}, max_allowed_packet is ${packet / MEBIBYTE} MiB`, fix);
  }
  if (newer.length === 0) return ok(`${db.kind}, schema current`);
  return warning(`${db.kind}, schema of a newer version (${newer.join(', ')})`, 'finish the upgrade, or roll it back');
}

/** Bytes of the largest statement, which has the outcomes of a hundred deliveries, with a margin. */
const MIN_PACKET = 4 * MEBIBYTE;

/** Returns a variable of the database server; undefined on SQLite, and on servers without it. */
async function variable(db: Database, name: string): Promise<string | undefined> {
  if (db.kind === 'sqlite') return undefined;
  const [row] = await selectText<{ Value: string }>(db, 'SHOW VARIABLES WHERE Variable_name = :name', { name });
  return row?.Value;
}

/** Writes and removes a row. A read-only server and a full disk refuse it. */
async function checkWrites(db: Database): Promise<Outcome> {
  await unitOfWork(db, async (transaction) => {
    const values = { id: `doctor:${process.pid}` };
    await execute(
      db,
      `INSERT INTO processes (id, kind, host, pid, version, clock_offset_ms, started_at, seen_at)
       VALUES (:id, 'server', '', 0, '', 0, 0, 0)`,
      values,
      transaction,
    );
    await execute(db, 'DELETE FROM processes WHERE id = :id', values, transaction);
  });
  return ok('a row was written and removed');
}

async function checkClock({ maxClockOffsetMs }: Config, db: Database): Promise<Outcome> {
  const offset = await clockOffset(db);
  const detail = `this machine's clock less the database's is ${offset} ms`;
  return Math.abs(offset) > maxClockOffsetMs ? failed(detail, FIXES['clock'] ?? null) : ok(detail);
}

/** Opens the signing key, which every database has after the first start. */
async function checkMasterKey(config: Config, db: Database): Promise<Outcome> {
  const row = await selectOne<{ kid: string; private_key: Buffer }>(
    db,
    "SELECT kid, private_key FROM signing_keys WHERE slot = 'current'",
  );
  if (!row) return ok('nothing is encrypted yet');
  if (config.masterKeys.length === 0 && !existsSync(masterKeyFile(config))) {
    return failed(`there is no ${masterKeyFile(config)}`, 'restore the file, or set PLAT_MASTER_KEY');
  }
  const sealer = createSealer(loadMasterKeys(config));
  await openPrivateKey(sealer, row.kid, row.private_key);
  return ok('it opens the signing key');
}

async function checkProcesses(config: Config): Promise<Outcome> {
  const { processes, notes } = await readStatus(config);
  const alive = processes.filter((one) => one.alive);
  const detail = `${alive.length} running`;
  if (notes.length === 0) return ok(detail);
  return warning(`${detail}; ${notes.join('; ')}`, 'see plat-server status');
}

async function checkRedis({ redisUrl }: Config): Promise<Outcome> {
  if (redisUrl === null) return ok('not configured: each process counts rate limits by itself');
  const { Redis } = await import('ioredis');
  const redis = new Redis(redisUrl, { lazyConnect: true, connectTimeout: WAIT_MS, retryStrategy: () => null });
  // Without a listener, ioredis writes errors to the console.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
    return ok('answers');
  } finally {
    redis.disconnect();
  }
}

async function checkMail({ mail, mode }: Config): Promise<Outcome> {
  if (!mail) {
    if (mode === 'development') return ok('printed in development');
    return warning('SMTP_URL is not set: mails stay in the queue', 'set SMTP_URL and MAIL_FROM');
  }
  const { verifySmtp } = await import('../../mail/smtp.ts');
  await verifySmtp(mail, WAIT_MS);
  return ok('the mail server accepts the connection');
}

function ok(detail: string): Outcome {
  return { result: 'ok', detail, fix: null };
}

function warning(detail: string, fix: string): Outcome {
  return { result: 'warning', detail, fix };
}

function failed(detail: string, fix: string | null): Outcome {
  return { result: 'failed', detail, fix };
}
