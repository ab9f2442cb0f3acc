import { ConfigError, readConfig } from './config.ts';
import { DatabaseUnusableError } from './db/database.ts';
import { firstScreen } from './ops/first-screen.ts';
import { createLog } from './ops/log.ts';
import { StartError } from './ops/start-error.ts';
import { ensureSandbox, type Sandbox } from './sandbox/ensure.ts';
import { readSandboxFile, writeSandboxFile } from './sandbox/sandbox-file.ts';
import { type RunningServer, startServer } from './server.ts';

/** The process: reads the environment, starts, and stops on a signal. */
async function main(): Promise<void> {
  const [command = 'serve', ...rest] = process.argv.slice(2);
  if (command !== 'serve' || rest.length > 0) {
    process.stderr.write(
      'usage: plat-server [serve]\nAll else is set by environment variables: see docs/operating.md\n',
    );
    process.exit(2);
  }
  const config = readConfig(process.env);
  const log = createLog(config);
  const server = await startServer(config, { log, printMail: (block) => process.stdout.write(block) });
  stopOnSignal(server);

  let sandbox: Sandbox | null = null;
  let sandboxFile: string | null = null;
  if (config.mode === 'development') {
    const known = await readSandboxFile(config.dataDir);
    sandbox = await ensureSandbox(server.db, known, Date.now());
    sandboxFile = await writeSandboxFile(config.dataDir, {
      base_url: server.baseUrl,
      tenant_id: sandbox.tenantId,
      api_key: sandbox.apiKey,
    });
  }
  process.stdout.write(firstScreen({ baseUrl: server.baseUrl, database: server.db.kind, sandbox, sandboxFile }));
}

function stopOnSignal(server: RunningServer): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second one means now.
      if (stopping) process.exit(1);
      stopping = true;
      server.close().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
    });
  }
}

function fail(error: unknown): never {
  if (error instanceof ConfigError) {
    process.stderr.write(`plat-server: ${error.problems.join('\nplat-server: ')}\n`);
  } else if (error instanceof StartError || error instanceof DatabaseUnusableError) {
    process.stderr.write(`plat-server: ${error.message}\n`);
  } else {
    process.stderr.write(`plat-server: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  }
  process.exit(1);
}

main().catch(fail);
