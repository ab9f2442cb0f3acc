import { OTHER_COMMANDS } from '../command/other-commands.ts';
import { CONNECTION_ORDER, ENVIRONMENT } from '../connection/environment.ts';
import { DEVELOPER_GROUPS } from '../developer/groups.ts';
import { EXIT_CODE_MEANINGS, EXIT_CODES } from '../errors/exit-codes.ts';
import { fence, page, table, text } from './markdown.ts';
import { optionTable } from './option-table.ts';
import type { CommandNode } from './tree.ts';

/** Command that installs the CLI, as its README has it. */
export const INSTALLATION = 'npm install --global @plat/cli     # or, in a clone of this repository: npx plat';

/** Returns the first page of the reference: what all commands share, and the list of their groups. */
export function overviewPage({ options }: CommandNode, groups: readonly CommandNode[]): string {
  const isOf = (names: object) => (group: CommandNode) => Object.hasOwn(names, group.name);
  const [isDeveloper, isTool] = [isOf(DEVELOPER_GROUPS), isOf(OTHER_COMMANDS)];
  return page([
    '# Reference of `plat`',
    `\`plat\` is the platform API from a terminal and from scripts. Each group of commands has a page. \`plat help <command>\` shows
the same, and \`plat commands --json\` returns it as data.`,
    '## Groups of commands',
    '### The API of a tenant',
    groupTable(groups.filter((group) => !isDeveloper(group) && !isTool(group))),
    '### Login, sandbox and apps',
    groupTable(groups.filter(isDeveloper)),
    '### Tools',
    groupTable(groups.filter(isTool)),
    '## Installation',
    fence('sh', INSTALLATION),
    'The [README](../../packages/cli/README.md) has the required version of Node.js and one screen of use.',
    '## Connection',
    'The server and the key come from the first of:',
    CONNECTION_ORDER.map((source, i) => `${i + 1}. ${source}`).join('\n'),
    '`plat doctor` shows which one a command uses. Several servers are [profiles](profile.md).',
    '## Environment variables',
    table(
      ['Variable', 'Effect'],
      Object.entries(ENVIRONMENT).map(([name, effect]) => [`\`${name}\``, text(effect)]),
    ),
    '## Global options',
    optionTable(options),
    '## Exit codes',
    table(['Exit code', 'Meaning'], exitCodes()),
    '`plat explain <CODE>` shows the exit code of an error code. [Errors](../errors.md) has all codes.',
  ]);
}

function groupTable(groups: readonly CommandNode[]): string {
  return table(
    ['Group', 'Description'],
    groups.map(({ name, summary }) => [`[\`${name}\`](${name}.md)`, text(summary)]),
  );
}

function exitCodes(): string[][] {
  const meanings: Readonly<Record<string, string>> = EXIT_CODE_MEANINGS;
  return Object.entries(EXIT_CODES).map(([name, code]) => [`\`${code}\``, text(meanings[name] ?? '')]);
}
