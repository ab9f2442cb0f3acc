import { fence, page, table, text } from './markdown.ts';
import { argumentTable, optionTable } from './option-table.ts';
import type { CommandNode } from './tree.ts';

/** Titles of the guides that pages of the reference name. */
const GUIDES = {
  'app-webhooks': 'Webhooks of an app',
  'cli-listen': 'Receive webhooks on your machine',
  'cli-login': 'Logging in from a terminal',
  'clients-and-locations': 'Clients and locations',
  errors: 'Errors',
  groups: 'Groups',
  'launch-tokens': 'Launch tokens',
  oauth: 'OAuth',
  'testing-your-integration': 'Testing your integration',
  trace: 'Trace',
  'users-and-roles': 'Users and roles',
  webhooks: 'Webhooks',
} as const;

/** Guides of a group, beside its page in the reference. */
const GUIDES_OF: Readonly<Record<string, readonly (keyof typeof GUIDES)[]>> = {
  apps: ['oauth', 'app-webhooks'],
  auth: ['cli-login'],
  clients: ['clients-and-locations'],
  consents: ['oauth'],
  dev: ['testing-your-integration'],
  explain: ['errors'],
  groups: ['groups'],
  keys: ['cli-login'],
  launch: ['launch-tokens'],
  listen: ['cli-listen'],
  login: ['cli-login'],
  oauth: ['oauth'],
  requests: ['trace'],
  roles: ['users-and-roles'],
  sandbox: ['cli-login'],
  trace: ['trace'],
  trigger: ['cli-listen'],
  users: ['users-and-roles'],
  webhooks: ['webhooks', 'cli-listen'],
};

/**
 * Returns the page of a group: each of its commands with arguments, options, scope and examples.
 * @param commands - the group, and every command below it
 */
export function groupPage([group, ...commands]: readonly [CommandNode, ...CommandNode[]]): string {
  const guides = (GUIDES_OF[group.name] ?? []).map((guide) => `[${GUIDES[guide]}](../${guide}.md)`);
  const [, ...own] = section(group);
  const leaves = commands.filter((command) => !isFamily(command));
  return page([
    `# \`plat ${group.name}\``,
    ...own,
    ...(leaves.length > 1
      ? [
          table(
            ['Command', 'Description'],
            leaves.map(({ name, summary }) => [link(name), text(summary)]),
          ),
        ]
      : []),
    ...(guides.length === 0 ? [] : [`${guides.length === 1 ? 'Guide' : 'Guides'}: ${guides.join(', ')}.`]),
    `Every command also has the [global options](README.md#global-options).`,
    ...commands.flatMap(section),
  ]);
}

function section(command: CommandNode): string[] {
  const { name, description, options, operation, method, path, scope, notes } = command;
  const facts = [
    operation !== null && `Operation: \`${operation.replace(/^developer\./, '')}\` (\`${method} ${path}\`)`,
    scope !== null && `Scope: \`${scope}\``,
  ].filter((fact) => fact !== false);
  const more = notes.replace(/^Scope: .*\n*/m, '').trim();
  return [
    `${'#'.repeat(name.split(' ').length)} \`plat ${name}\``,
    description.split('\n').map(text).join('\n\n'),
    ...(isFamily(command) ? [] : [fence('sh', usage(command))]),
    ...(command.arguments.length > 0 ? [argumentTable(command.arguments)] : []),
    ...(options.length > 0 ? [optionTable(options)] : []),
    ...(facts.length > 0 ? [`${facts.join('. ')}.`] : []),
    ...(more === '' ? [] : [fence('text', more)]),
  ];
}

/** Returns true for a group that does nothing by itself. */
function isFamily({ commands, arguments: args, options }: CommandNode): boolean {
  return commands.length > 0 && args.length === 0 && options.length === 0;
}

function usage({ name, arguments: args, options }: CommandNode): string {
  const words = args.map((argument) => {
    const dots = argument.variadic ? '...' : '';
    return argument.required ? `<${argument.name}${dots}>` : `[${argument.name}${dots}]`;
  });
  return ['plat', name, ...words, ...(options.length > 0 ? ['[options]'] : [])].join(' ');
}

function link(name: string): string {
  return `[\`${name}\`](#plat-${name.replaceAll(' ', '-')})`;
}
