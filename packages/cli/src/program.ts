import { commandWords, developerCommandWords, FAMILIES, OPERATION_NAMES } from '@plat/contract';
import { Command, Option } from 'commander';
import { apiCommand } from './api/api-command.ts';
import type { CommandContext, Trace } from './command/context.ts';
import type { ContextOf } from './command/described-command.ts';
import { GLOBAL_OPTIONS, readGlobalFlags } from './command/flags.ts';
import { refuseRepeats } from './command/refuse-repeats.ts';
import { version } from './command/version.ts';
import { completionCommand } from './completion/completion-command.ts';
import { devCommand } from './dev/dev-command.ts';
import { developerCommand } from './developer/developer-command.ts';
import { DEVELOPER_GROUPS } from './developer/groups.ts';
import { loginCommand, logoutCommand } from './developer/login-command.ts';
import { DEVELOPER_OPERATION_NAMES } from './developer/operations.ts';
import { tokenCommand } from './developer/token-command.ts';
import { DEV_GROUPS, devCommands } from './devtools/dev-commands.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { CliError } from './errors/cli-error.ts';
import { explainCommand } from './explain/explain-command.ts';
import { rootHelp } from './help/root-help.ts';
import { launchCommands } from './launch/launch-commands.ts';
import { listenCommand } from './listen/listen-command.ts';
import { oauthCommands } from './oauth/oauth-commands.ts';
import { openCommand } from './open/open-command.ts';
import { operationCommand } from './operations/operation-command.ts';
import { profileCommands } from './profiles/profile-commands.ts';
import { commandsCommand, versionCommand } from './reference/reference-commands.ts';
import { replayDeliveriesCommand } from './replays/replay-deliveries-command.ts';
import { tailCommand } from './requests/tail-command.ts';
import type { Io } from './terminal/io.ts';
import { triggerCommand } from './trigger/trigger-command.ts';
import { webhookCommands } from './webhooks/webhook-commands.ts';

/** Receives help text from the parser: requested help, and help shown beside a usage error. */
export interface HelpOutput {
  readonly asked: (text: string) => void;
  readonly unasked: (text: string) => void;
}

/** Builds the command tree. Nothing is sent until a command runs. */
export function createProgram(io: Io, trace: Trace, help: HelpOutput): Command {
  const program = new Command('plat');
  // Must precede the commands, which inherit these settings.
  program
    .exitOverride()
    .configureOutput({
      writeOut: help.asked,
      writeErr: help.unasked,
      // `report` prints parser errors like every other error.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({
      showGlobalOptions: true,
      // Without the options of plat dev in the help of its subcommands, which ignore them.
      visibleGlobalOptions: ({ parent }) => (parent ? program.options.filter(({ hidden }) => !hidden) : []),
    })
    .version(version(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show the help of a command')
    // `run` handles `plat help …`, since the parser's help command accepts one word only.
    .helpCommand(false);
  for (const { flags, help: text, choices, read } of GLOBAL_OPTIONS) {
    const option = new Option(flags, text);
    if (choices) option.choices(choices);
    if (read) option.argParser(read);
    program.addOption(option);
  }
  program.addOption(new Option('--api-key <never>').hideHelp().argParser(refuseKeyOnCommandLine));
  program.helpInformation = rootHelp;

  const contextOf: ContextOf = (command) => contextFor(command, io, trace);
  for (const operation of OPERATION_NAMES) {
    adopt(groupOf(program, commandWords(operation).slice(0, -1)), operationCommand(operation, contextOf));
  }
  for (const operation of DEVELOPER_OPERATION_NAMES) {
    const words = developerCommandWords(operation);
    adopt(groupOf(program, words.slice(0, -1)), developerCommand(operation, contextOf));
  }
  adopt(groupOf(program, ['auth']), tokenCommand(contextOf));
  for (const command of webhookCommands(contextOf)) adopt(groupOf(program, ['webhooks']), command);
  adopt(groupOf(program, ['webhooks', 'deliveries']), replayDeliveriesCommand(contextOf));
  adopt(groupOf(program, ['requests']), tailCommand(contextOf));
  for (const command of launchCommands(contextOf)) adopt(groupOf(program, ['launch']), command);
  for (const command of oauthCommands(contextOf)) adopt(groupOf(program, ['oauth']), command);
  for (const command of profileCommands(contextOf)) adopt(groupOf(program, ['profile']), command);
  // Must come first: the commands for a running server are its subcommands.
  adopt(program, devCommand(contextOf));
  for (const [group, commands] of devCommands(contextOf)) {
    for (const command of commands) adopt(groupOf(program, group.split('.')), command);
  }
  const others = [
    loginCommand,
    logoutCommand,
    apiCommand,
    triggerCommand,
    listenCommand,
    explainCommand,
    commandsCommand,
    completionCommand,
    doctorCommand,
    openCommand,
    versionCommand,
  ];
  for (const command of others) adopt(program, command(contextOf));
  // Of the options of every command the last wins: an alias or a script sets them first.
  for (const command of program.commands) refuseRepeats(command);
  return program;
}

/** Returns the full name of a command: `plat clients create`. */
export function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** Returns the command group with this name, created if missing. */
function groupOf(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, word, index) => {
    const known = parent.commands.find((command) => command.name() === word);
    if (known) return known;
    const descriptions: Readonly<Record<string, string>> = { ...FAMILIES, ...DEVELOPER_GROUPS, ...DEV_GROUPS };
    const group = new Command(word)
      .helpCommand(false)
      .description(descriptions[words.slice(0, index + 1).join('.')] ?? '');
    adopt(parent, group);
    return group;
  }, program);
}

function adopt(parent: Command, child: Command): void {
  child.copyInheritedSettings(parent);
  parent.addCommand(child);
}

function contextFor(command: Command, io: Io, trace: Trace): CommandContext {
  return { io, trace, command: nameOf(command), flags: readGlobalFlags(command.optsWithGlobals()) };
}

function refuseKeyOnCommandLine(): never {
  throw new CliError('USAGE', 'An API key on the command line is visible to every user of this machine', {
    next: 'Set PLAT_API_KEY, or pass --api-key-file <file> (- for stdin). If the key is real, replace it.',
  });
}
