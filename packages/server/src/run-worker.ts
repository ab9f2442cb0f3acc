import { readConfig } from './config/read-config.ts';
import { workerScreen } from './ops/first-screen.ts';
import { isForMachines, logLife } from './ops/life-log.ts';
import { createOutput } from './ops/log.ts';
import type { WorkerFlags } from './ops/program.ts';
import { endOnSignal, stopOnSignal } from './signals.ts';
import { startWorker } from './worker.ts';

/** Runs a worker until a signal stops it. */
export async function runWorker(
  variables: NodeJS.ProcessEnv,
  { healthPort, migrate = false }: WorkerFlags,
): Promise<void> {
  endOnSignal();
  const given = readConfig(variables);
  const config = healthPort === undefined ? given : { ...given, workerPort: healthPort };
  const { log, print } = createOutput(config);
  const life = logLife(config, 'worker', log);
  const worker = await startWorker(config, {
    log,
    migrates: migrate,
    printMail: print,
  });
  stopOnSignal(worker, config, life);
  life.started(worker.isReady, {
    health_url: worker.healthUrl,
    management_url: worker.managementUrl,
    database: worker.db.kind,
  });
  if (!isForMachines(config)) print(workerScreen(worker.db.kind, worker.healthUrl));
}
