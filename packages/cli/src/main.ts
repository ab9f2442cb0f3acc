import { version } from './command/version.ts';
import { rootHelp } from './help/root-help.ts';
import type { Io } from './terminal/io.ts';

const args = process.argv.slice(2);
const { stdin, stdout, stderr } = process;
const io: Io = { stdin, stdout, stderr, env: { ...process.env }, cwd: process.cwd() };

// Node.js would say on stderr that FORCE_COLOR goes before these as soon as something loads node:util, as the parser does.
// Our own colours, and a command that is run, go by the copy above.
if (process.env['FORCE_COLOR'] !== undefined) {
  delete process.env['NO_COLOR'];
  delete process.env['NODE_DISABLE_COLORS'];
}

let isLost = false;
stdout.on('error', async (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`| head`) is no failure.
  if (error.code === 'EPIPE') process.exit(0);
  if (isLost) return;
  isLost = true;
  const { reportLostResult } = await import('./failure/lost-result.ts');
  await reportLostResult(args, io, error);
});
// There is nowhere left to say it.
stderr.on('error', () => {});

// The two questions that are asked most are answered before anything is loaded.
const [only = '--help'] = args;
if (args.length <= 1 && ['--help', '-h', 'help'].includes(only)) stdout.write(rootHelp());
else if (args.length === 1 && ['--version', '-V'].includes(only)) stdout.write(`${version()}\n`);
else {
  const { run } = await import('./run.ts');
  // Set and not called: what is still to be written to a pipe goes out first.
  process.exitCode = await run(args, io);
}
