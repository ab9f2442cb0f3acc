import { version } from './command/version.ts';
import { rootHelp } from './help/root-help.ts';
import type { Io } from './terminal/io.ts';

const args = process.argv.slice(2);
const { stdin, stdout, stderr } = process;
const io: Io = { stdin, stdout, stderr, env: { ...process.env }, cwd: process.cwd() };

// Node.js warns on stderr that FORCE_COLOR overrides these as soon as a module loads node:util, as the parser does.
// Our own styles and child processes use the copy above.
if (process.env['FORCE_COLOR'] !== undefined) {
  delete process.env['NO_COLOR'];
  delete process.env['NODE_DISABLE_COLORS'];
}

let isOutputBroken = false;
stdout.on('error', async (error: NodeJS.ErrnoException) => {
  // A reader that closes the pipe (`| head`) is not a failure.
  if (error.code === 'EPIPE') process.exit(0);
  if (isOutputBroken) return;
  isOutputBroken = true;
  const { reportUnwritableOutput } = await import('./failure/unwritable-output.ts');
  await reportUnwritableOutput(args, io, error);
});
// A broken stderr cannot be reported anywhere.
stderr.on('error', () => {});

// Fast path: help and version run before anything else is loaded.
const [only = '--help'] = args;
if (args.length <= 1 && ['--help', '-h', 'help'].includes(only)) stdout.write(rootHelp());
else if (args.length === 1 && ['--version', '-V'].includes(only)) stdout.write(`${version()}\n`);
else {
  const { run } = await import('./run.ts');
  // Sets the exit code without `process.exit()`, so that pending writes to a pipe are flushed.
  process.exitCode = await run(args, io);
}
