import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';

/** `plat doctor`: checks everything that the other commands depend on. */
export function doctorCommand(contextOf: ContextOf): Command {
  const command = new Command('doctor')
    .summary(OTHER_COMMANDS.doctor)
    .description(
      'Look at what every command depends on, one thing after the other: Node.js, files, server, clock, key and webhook endpoints. Each is ok, a warning or a failure, with what to do. It changes nothing at the server, and no secret is shown.',
    )
    .option('--fix', "make files with secrets the owner's alone")
    .addHelpText('after', '\nEnds with 11 when a check failed; warnings alone are 0.');
  return command.action(async () => {
    const { runDoctor } = await import('./run-doctor.ts');
    await runDoctor(contextOf(command), { fix: command.opts()['fix'] === true });
  });
}
