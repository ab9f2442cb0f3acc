import type { HttpMethod } from '@plat/sdk';
import { type CommandContext, print } from '../command/context.ts';
import { type ItemList, printList } from '../output/list.ts';
import { printResult } from '../output/result.ts';
import { printable } from '../terminal/printable.ts';
import { isObject, itemsOf, type JsonObject } from '../terminal/value.ts';
import { callDev } from './call-dev.ts';

/** Calls the server and prints its response. */
export async function runDev(
  context: CommandContext,
  method: HttpMethod,
  path: string,
  call: Parameters<typeof callDev>[3] = {},
): Promise<void> {
  await printResult(context, await callDev(context, method, path, call));
}

/** Prints a list of the server, which is not paged. */
export async function runDevList(
  context: CommandContext,
  path: string,
  call: Parameters<typeof callDev>[3] = {},
): Promise<void> {
  await printList(context, await listAt(context, path, call));
}

/** Prints the captured mail as text or as a list. */
export async function runMail(context: CommandContext, to: string | undefined): Promise<void> {
  const mails = await listAt(context, '/_dev/mail', to === undefined ? {} : { query: { to } });
  const { output, fields } = context.flags;
  if (output !== 'table' || fields || mails.data.length === 0) return printList(context, mails);
  // Oldest first, so that the latest mail is next to the prompt.
  for (const mail of mails.data.toReversed()) {
    const head = ['to', 'subject', 'created_at'].map((name) => `${name}: ${printable(String(mail[name]))}`);
    const text = String(mail['text'] ?? '')
      .split('\n')
      .map((line) => `  ${printable(line)}`.trimEnd());
    await print(context, `${[...head, '', ...text].join('\n')}\n`);
  }
}

/** Some lists are plain arrays. */
async function listAt(
  context: CommandContext,
  path: string,
  call: Parameters<typeof callDev>[3],
): Promise<ItemList & JsonObject> {
  const answer = await callDev(context, 'GET', path, call);
  const beside = isObject(answer) ? answer : {};
  const data = Array.isArray(answer) ? answer.filter(isObject) : (itemsOf(answer) ?? []);
  return { ...beside, object: 'list', data, has_more: false };
}
