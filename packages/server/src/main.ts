import { readConfig } from './config/read-config.ts';
import { fail } from './fail.ts';
import { asOperator, onDatabase } from './ops/commands/operator.ts';
import { createLog } from './ops/log.ts';
import { operatorProgram } from './ops/program.ts';

operatorProgram({
  variables: process.env,
  config: () => readConfig(process.env),
  // Operator commands load neither.
  serve: async (options) => (await import('./run-server.ts')).runServer(process.env, options),
  work: async (flags) => (await import('./run-worker.ts')).runWorker(process.env, flags),
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
