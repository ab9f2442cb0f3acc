import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';

/** `plat profile …`: servers with their keys and logins, by name. Nothing is sent. */
export function profileCommands(contextOf: ContextOf): readonly Command[] {
  return [listCommand(contextOf), useCommand(contextOf), addCommand(contextOf), removeCommand(contextOf)];
}

function listCommand(contextOf: ContextOf): Command {
  const command = new Command('list')
    .summary('List the profiles')
    .description('List the profiles. Keys and logins are not shown.');
  return command.action(async () => {
    const { listProfiles } = await import('./run-profiles.ts');
    await listProfiles(contextOf(command));
  });
}

function useCommand(contextOf: ContextOf): Command {
  const command = new Command('use')
    .summary('Make a profile the current one')
    .description('Use a profile unless an option, the environment or a sandbox of the folder selects another server.')
    .argument('<name>', 'name of the profile');
  return command.action(async (name: string) => {
    const { useProfile } = await import('./run-profiles.ts');
    await useProfile(contextOf(command), name);
  });
}

function addCommand(contextOf: ContextOf): Command {
  const command = new Command('add')
    .summary('Add a profile')
    .description(
      'Add a profile for the server of --base-url or PLAT_BASE_URL, with the key in --api-key-file (- for stdin).\nA profile without a key is for plat login --profile <name>.',
    )
    .argument('<name>', 'name: letters and digits, with . _ : - between them')
    .option('--use', 'make it the current profile')
    .addHelpText('after', EXAMPLES);
  return command.action(async (name: string) => {
    const { addProfile } = await import('./run-profiles.ts');
    await addProfile(contextOf(command), name, command.opts()['use'] === true);
  });
}

function removeCommand(contextOf: ContextOf): Command {
  const command = new Command('remove')
    .summary('Remove a profile with its key and login')
    .description('Remove a profile with its key and login from this machine. Both stay valid on the server.')
    .argument('<name>', 'name of the profile')
    .option('-y, --yes', 'do not ask');
  return command.action(async (name: string) => {
    const { removeProfile } = await import('./run-profiles.ts');
    await removeProfile(contextOf(command), name, command.opts()['yes'] === true);
  });
}

const EXAMPLES = `
Examples:
  plat profile add staging --base-url https://staging.example.com --api-key-file key.txt
  plat login --profile staging
  plat clients list --profile staging`;
