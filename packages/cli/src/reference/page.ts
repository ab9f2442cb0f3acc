import { EXIT_CODES } from '../errors/exit-codes.ts';
import type { ArgumentNode, CommandNode, OptionNode } from './tree.ts';

/** Returns docs/cli-reference.md: every command with its arguments, options, scope and examples. */
export function referencePage(root: CommandNode, commands: readonly CommandNode[]): string {
  const families = commands.filter(({ name }) => !name.includes(' '));
  const parts = [
    INTRODUCTION,
    '## Options of every command',
    optionTable(root.options),
    EXIT_CODE_LINE,
    '## Commands',
    table(
      ['Command', 'What it does'],
      families.map(({ name, summary }) => [link(name), text(summary)]),
    ),
    ...commands.flatMap(section),
  ];
  return `${parts.join('\n\n')}\n`;
}

const INTRODUCTION = `# Reference of \`plat\`

Every command, made from the commands themselves by \`npm run cli-reference\`; \`plat help <command>\` says the same, and
\`plat commands --json\` has it as data. How to begin is in the [README](../packages/cli/README.md).`;

const EXIT_CODE_LINE = `Exit codes: ${Object.entries(EXIT_CODES)
  .map(([name, code]) => `${code} ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
  .join(', ')}; the [README](../packages/cli/README.md#what-a-script-can-rely-on) says what each means.`;

function section(command: CommandNode): string[] {
  const { name, description, options, commands, operation, method, path, scope, notes } = command;
  const facts = [
    operation !== null && `Operation: \`${operation.replace(/^developer\./, '')}\` (\`${method} ${path}\`)`,
    scope !== null && `Scope: \`${scope}\``,
  ].filter((fact) => fact !== false);
  const isFamily = commands.length > 0 && command.arguments.length === 0 && options.length === 0;
  const more = notes.replace(/^Scope: .*\n*/m, '').trim();
  return [
    `### \`plat ${name}\``,
    description.split('\n').map(text).join('\n\n'),
    ...(commands.length > 0 ? [commands.map((child) => link(`${name} ${child}`)).join(' · ')] : []),
    ...(isFamily ? [] : [fence('sh', usage(command))]),
    ...(command.arguments.length > 0 ? [argumentTable(command.arguments)] : []),
    ...(options.length > 0 ? [optionTable(options)] : []),
    ...(facts.length > 0 ? [`${facts.join('. ')}.`] : []),
    ...(more === '' ? [] : [fence('text', more)]),
  ];
}

function usage({ name, arguments: args, options }: CommandNode): string {
  const words = args.map((argument) => {
    const dots = argument.variadic ? '...' : '';
    return argument.required ? `<${argument.name}${dots}>` : `[${argument.name}${dots}]`;
  });
  return ['plat', name, ...words, ...(options.length > 0 ? ['[options]'] : [])].join(' ');
}

function argumentTable(args: readonly ArgumentNode[]): string {
  return table(
    ['Argument', ''],
    args.map(({ name, description, values }) => [`\`${name}\``, described(description, values?.closed, values?.words)]),
  );
}

function optionTable(options: readonly OptionNode[]): string {
  return table(
    ['Option', ''],
    options.map(({ flags, description, values, default: absent }) => {
      const given = absent === null || absent === true ? '' : ` (default: ${JSON.stringify(absent)})`;
      return [`\`${flags.replaceAll('|', '\\|')}\``, described(description, values?.closed, values?.words) + given];
    }),
  );
}

/** Open lists are left out, since they would dominate the page; `plat explain` has them. */
function described(description: string, closed = false, words: readonly string[] = []): string {
  return closed ? `${text(description)}: ${words.map((word) => `\`${word}\``).join(', ')}` : text(description);
}

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
  return [line(heading), `|${'---|'.repeat(heading.length)}`, ...rows.map(line)].join('\n');
}

function link(name: string): string {
  return `[\`${name}\`](#plat-${name.replaceAll(' ', '-')})`;
}

function fence(language: string, content: string): string {
  return `\`\`\`${language}\n${content}\n\`\`\``;
}

/** Escapes text for Markdown. */
function text(words: string): string {
  return words.replace(/[<*|]/g, '\\$&');
}
