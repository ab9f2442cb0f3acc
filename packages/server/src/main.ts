import { constants } from 'node:os';
import { printableText } from '@plat/contract';
import { CommanderError } from 'commander';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';
import { readConfig } from './config/read-config.ts';
import { ClockOffsetError } from './db/clock-watch.ts';
import { DatabaseUnusableError } from './db/database.ts';
import { isLoopbackUrl } from './http/loopback-only.ts';
import { ApiError } from './kernel/api-error.ts';
import { MasterKeyError } from './kernel/seal.ts';
import { asOperator, CommandError, onDatabase } from './ops/commands/operator.ts';
import { firstScreen, workerScreen } from './ops/first-screen.ts';
import { isForMachines, type LifeLog, logLife } from './ops/life-log.ts';
import { createLog, createOutput } from './ops/log.ts';
import { announce, endWithParent } from './ops/parent-process.ts';
import { operatorProgram, type ServeOptions } from './ops/program.ts';
import { StartError } from './ops/start-error.ts';
import { ensureSandbox, type Sandbox } from './sandbox/ensure.ts';
import { readSandboxFile, writeSandboxFile } from './sandbox/sandbox-file.ts';
import { startServer } from './server.ts';
import { variantOf } from './variants.ts';
import { startWorker } from './worker.ts';

/** Runs the server until a signal stops it. */
async function serve({
  dispatch,
  migrate = false,
  announce: isChild = false,
  deterministic,
}: ServeOptions): Promise<void> {
  if (isChild) endWithParent();
  endOnSignal();
  const given = readConfig({ ...process.env, ...(deterministic && { PLAT_DETERMINISTIC: deterministic }) });
  const config = dispatch ? given : { ...given, webhooks: { ...given.webhooks, dispatch } };
  const variant = variantOf(config);
  const { log, print } = createOutput(config, { clock: variant.stopwatch });
  const life = logLife(config, 'server', log);
  const server = await startServer(config, {
    log,
    migrates: migrate,
    variant,
    printMail: print,
  });
  stopOnSignal(server, config, life);

  let sandbox: Sandbox | null = null;
  let sandboxFile: string | null = null;
  if (config.mode === 'development') {
    const known = await readSandboxFile(config.dataDir);
    sandbox = await ensureSandbox(server.db, known, variant.clock());
    sandboxFile = await writeSandboxFile(config.dataDir, {
      base_url: server.baseUrl,
      tenant_id: sandbox.developer.tenantId,
      api_key: sandbox.apiKey,
      console_url: `${server.baseUrl}/console`,
      developer_id: sandbox.developer.id,
      developer_email: sandbox.developer.email,
    });
    const { replacedKey } = sandbox;
    if (replacedKey !== null) {
      log.warn(
        `${sandboxFile} had a key that no longer works: it has a new key now, which replaced the key ${replacedKey}`,
      );
    }
  }
  const { baseUrl, db } = server;
  life.ready({ url: baseUrl, management_url: server.managementUrl, database: db.kind });
  if (isChild) {
    const tenantId = sandbox?.developer.tenantId ?? null;
    return announce({ baseUrl, tenantId, sandboxFile });
  }
  if (isForMachines(config)) return;
  const showsMail = config.mail === null && isLoopbackUrl(baseUrl);
  print(firstScreen({ baseUrl, database: db.kind, sandbox, sandboxFile, showsMail }));
}

interface WorkerFlags {
  readonly healthPort?: number;
  readonly migrate?: boolean;
}

/** Runs a worker until a signal stops it. */
async function work({ healthPort, migrate = false }: WorkerFlags): Promise<void> {
  endOnSignal();
  const given = readConfig(process.env);
  const config = healthPort === undefined ? given : { ...given, workerPort: healthPort };
  const { log, print } = createOutput(config);
  const life = logLife(config, 'worker', log);
  const worker = await startWorker(config, {
    log,
    migrates: migrate,
    printMail: print,
  });
  stopOnSignal(worker, config, life);
  life.ready({ health_url: worker.healthUrl, management_url: worker.managementUrl, database: worker.db.kind });
  if (!isForMachines(config)) print(workerScreen(worker.db.kind, worker.healthUrl));
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Ends the process at a signal that arrives before it runs. As process 1 of a container it would ignore the signal. */
function endOnSignal(): void {
  for (const signal of SIGNALS) process.on(signal, endAtOnce);
}

function endAtOnce(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal]);
}

/** Time for writes to the database after `PLAT_SHUTDOWN_SECONDS`, in ms. */
const LAST_WRITES_MS = 5_000;

function stopOnSignal(running: { close(): Promise<void> }, { shutdownMs }: Config, life: LifeLog): void {
  let stopping = false;
  for (const signal of SIGNALS) {
    process.off(signal, endAtOnce);
    process.on(signal, () => {
      // A second signal ends the process at once.
      if (stopping) process.exit(1);
      stopping = true;
      life.stopping(signal);
      // A database that does not respond must not keep the process running: another process repeats unwritten work.
      setTimeout(cutOff, shutdownMs + LAST_WRITES_MS);
      running.close().then(
        () => {
          life.stopped();
          process.exit(0);
        },
        (error: unknown) => fail(error),
      );
    });
  }
}

function cutOff(): never {
  const late = LAST_WRITES_MS / 1000;
  process.stderr.write(
    `plat-server: stopped ${late} s after PLAT_SHUTDOWN_SECONDS; the database probably does not respond\n`,
  );
  process.exit(1);
}

function fail(error: unknown): never {
  // Commander has printed the help or the problem.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  if (error instanceof ConfigError) {
    process.stderr.write(`plat-server: ${error.problems.join('\nplat-server: ')}\n`);
  } else if (isForOperator(error)) {
    process.stderr.write(`plat-server: ${printableText(error.message)}\n`);
  } else {
    process.stderr.write(`plat-server: ${error instanceof Error ? describe(error) : String(error)}\n`);
  }
  process.exit(1);
}

/** Stack of an error, below its message. The stacks of Sequelize have no message. */
function describe({ name, message, stack = '' }: Error): string {
  return stack.includes(message) ? stack : `${name}: ${message}\n${stack}`;
}

/** Errors whose message is enough for the operator, without a stack. */
function isForOperator(error: unknown): error is Error {
  return [StartError, DatabaseUnusableError, ClockOffsetError, MasterKeyError, CommandError, ApiError].some(
    (kind) => error instanceof kind,
  );
}

operatorProgram({
  variables: process.env,
  config: () => readConfig(process.env),
  serve,
  work,
  operate(work) {
    const config = readConfig(process.env);
    // Stdout contains only the result of the command.
    return asOperator(config, createLog(config, { to: process.stderr }), work);
  },
  onDatabase: (work) => onDatabase(readConfig(process.env), work),
  configured: async (work) => {
    const databaseAt = (url: string) => readConfig({ ...process.env, DATABASE_URL: url }).database;
    return work({ config: readConfig(process.env), databaseAt, now: Date.now() });
  },
})
  .parseAsync()
  .catch(fail);
