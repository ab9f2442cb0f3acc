import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';

/** `plat doctor`: checks everything that the other commands depend on. */
export function doctorCommand(contextOf: ContextOf): Command {
  const command = new Command('doctor')
    .summary(OTHER_COMMANDS.doctor)
    .description(
      'Check everything that the commands depend on: Node.js, files, server, clock, key and webhook endpoints. Each check is ok, a warning or a failure with a next step. Nothing is changed on the server, and no secret is shown.',
    )
    .option('--fix', 'make files with secrets private')
    .addHelpText('after', '\nThe exit code is 11 when a check failed, and 0 with warnings only.');
  return command.action(async () => {
    const { runDoctor } = await import('./run-doctor.ts');
    await runDoctor(contextOf(command), { fix: command.opts()['fix'] === true });
  });
}
