import { fail } from './fail.ts';
import { lazily } from './kernel/lazily.ts';
import { CommandError } from './ops/command-error.ts';
import { operatorProgram } from './ops/program.ts';

const { runServer } = lazily(() => import('./run-server.ts'));
const { runWorker } = lazily(() => import('./run-worker.ts'));
const { readConfig } = lazily(() => import('./config/read-config.ts'));
const loadRunners = () => import('./ops/run-command.ts');

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A reader that closes the pipe (`| head`) is not a failure. The result of a check stays in `process.exitCode`.
  if (code === 'EPIPE') process.exit();
  fail(new CommandError(`the result cannot be written (${code}); a change may have been made nevertheless`));
});
// A broken stderr cannot be reported anywhere.
process.stderr.on('error', () => undefined);

operatorProgram({
  variables: process.env,
  config: () => readConfig(process.env),
  serve: (options) => runServer(process.env, options),
  work: (flags) => runWorker(process.env, flags),
  operate: async (work) => (await loadRunners()).runAsOperator(process.env, work),
  onDatabase: async (work) => (await loadRunners()).runOnDatabase(process.env, work),
  configured: async (work) => (await loadRunners()).runConfigured(process.env, work),
})
  .parseAsync()
  .catch(fail);
