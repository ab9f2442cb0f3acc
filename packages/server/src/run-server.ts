import { readConfig } from './config/read-config.ts';
import { isLoopbackUrl } from './http/loopback-only.ts';
import { firstScreen } from './ops/first-screen.ts';
import { isForMachines, logLife } from './ops/life-log.ts';
import { createOutput } from './ops/log.ts';
import { announce, endWithParent } from './ops/parent-process.ts';
import type { ServeOptions } from './ops/program.ts';
import { ensureSandbox, type Sandbox } from './sandbox/ensure.ts';
import { readSandboxFile, writeSandboxFile } from './sandbox/sandbox-file.ts';
import { startServer } from './server.ts';
import { endOnSignal, stopOnSignal } from './signals.ts';
import { variantOf } from './variants.ts';

/** Runs the server until a signal stops it. */
export async function runServer(
  variables: NodeJS.ProcessEnv,
  { dispatch, migrate = false, announce: isChild = false, deterministic }: ServeOptions,
): Promise<void> {
  endOnSignal();
  if (isChild) endWithParent();
  const given = readConfig({ ...variables, ...(deterministic && { PLAT_DETERMINISTIC: deterministic }) });
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
  life.started(server.isReady, { url: baseUrl, management_url: server.managementUrl, database: db.kind });
  if (isChild) {
    const tenantId = sandbox?.developer.tenantId ?? null;
    return announce({ baseUrl, tenantId, sandboxFile });
  }
  if (isForMachines(config)) return;
  const showsMail = config.mail === null && isLoopbackUrl(baseUrl);
  print(firstScreen({ baseUrl, database: db.kind, sandbox, sandboxFile, showsMail }));
}
