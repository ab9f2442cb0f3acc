import { rootHelp } from './root-help.ts';
import { version } from './version.ts';

const args = process.argv.slice(2);

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`| head`) is no failure.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: cannot write the result (${error.code})\n`, () => process.exit(1));
});
// There is nowhere left to say it.
process.stderr.on('error', () => {});

// The two questions that are asked most are answered before anything is loaded.
const [only = '--help'] = args;
if (args.length <= 1 && ['--help', '-h', 'help'].includes(only)) process.stdout.write(rootHelp());
else if (args.length === 1 && ['--version', '-V'].includes(only)) process.stdout.write(`${version()}\n`);
else {
  const { run } = await import('./run.ts');
  // Set and not called: what is still to be written to a pipe goes out first.
  process.exitCode = await run(args, {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
  });
}
