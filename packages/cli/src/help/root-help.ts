import { commandWords, FAMILIES, OPERATION_NAMES, OPERATIONS } from '@plat/contract';
import { GLOBAL_OPTIONS } from '../command/flags.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';
import { DEVELOPER_GROUPS } from '../developer/groups.ts';

/**
 * Returns the root help. It does not load the parser, so that it appears at once. A test compares it with the command
 * tree.
 */
export function rootHelp(): string {
  const commands = OPERATION_NAMES.filter((name) => commandWords(name).length === 1);
  const families = Object.entries<string>({
    ...FAMILIES,
    // A family that is one command has the text of its operation.
    ...Object.fromEntries(commands.map((name) => [commandWords(name)[0], OPERATIONS[name].summary])),
  });
  return `plat: the platform API from a terminal

Usage: plat <command> [arguments] [options]

Commands:
${rows([...families, ...Object.entries(OTHER_COMMANDS)])}

Commands of a developer:
${rows(Object.entries(DEVELOPER_GROUPS))}

Options of every command:
${rows([
  ...GLOBAL_OPTIONS.map(({ flags, help }) => [flags, help] as const),
  ['-h, --help', 'show the help of a command'],
  ['-V, --version', 'show the version'],
])}

Examples:
  plat me
  plat clients create --name "Acme"
  plat clients list --json

The server and the key come from the options, then from PLAT_BASE_URL and PLAT_API_KEY, then from the profile of
--profile or PLAT_PROFILE, then from the sandbox that \`plat dev\` runs (.plat/sandbox.json in this folder or one
above it), then from the current profile (\`plat login\`, \`plat keys mint --save\`, \`plat profile add\`).
plat help environment has the variables.

Exit codes: 0 ok, 1 unexpected, 2 usage, 3 refused, 4 no or wrong key, 5 not found, 6 conflict, 7 rate limited,
8 server, 9 network, 10 needs confirmation, 11 check failed, 130 Ctrl-C in a list (plat help exit-codes).
`;
}

/** Leaves out families below another one: its own help lists them. */
function rows(entries: readonly (readonly [string, string])[]): string {
  return entries
    .filter(([name]) => !name.includes('.'))
    .map(([name, text]) => `  ${name.padEnd(24)}${text}`)
    .join('\n');
}
