import { table, text } from './markdown.ts';
import type { ArgumentNode, OptionNode } from './tree.ts';

/** Returns the table of options. */
export function optionTable(options: readonly OptionNode[]): string {
  return table(
    ['Option', ''],
    options.map(({ flags, description, values, default: absent }) => {
      const given = absent === null || absent === true ? '' : ` (default: ${JSON.stringify(absent)})`;
      return [`\`${flags.replaceAll('|', '\\|')}\``, described(description, values?.closed, values?.words) + given];
    }),
  );
}

/** Returns the table of arguments. */
export function argumentTable(args: readonly ArgumentNode[]): string {
  return table(
    ['Argument', ''],
    args.map(({ name, description, values }) => [`\`${name}\``, described(description, values?.closed, values?.words)]),
  );
}

/** Open lists are left out, since they would dominate the page; `plat explain` has them. */
function described(description: string, closed = false, words: readonly string[] = []): string {
  return closed ? `${text(description)}: ${words.map((word) => `\`${word}\``).join(', ')}` : text(description);
}
