import type { HttpMethod } from '@plat/sdk';
import { type CommandContext, print } from '../context.ts';
import { listPrinter } from '../output/list.ts';
import { printable } from '../output/printable.ts';
import { printResult } from '../output/result.ts';
import { isObject } from '../output/value.ts';
import { callDev } from './call-dev.ts';

/** Commands the server and prints its answer. */
export async function runDev(
  context: CommandContext,
  method: HttpMethod,
  path: string,
  call: Parameters<typeof callDev>[3] = {},
): Promise<void> {
  await printResult(context, await callDev(context, method, path, call));
}

/** Prints the latest requests of all tenants. */
export async function runRequests(context: CommandContext, query: Readonly<Record<string, string>>): Promise<void> {
  const requests = await callDev(context, 'GET', '/_dev/requests', { query });
  const printer = listPrinter(context);
  await printer.rows(Array.isArray(requests) ? requests.filter(isObject) : []);
  await printer.end();
}

/** Prints the mails that were caught: as people read them, or as a list. */
export async function runMail(context: CommandContext, to: string | undefined): Promise<void> {
  const mails = await callDev(context, 'GET', '/_dev/mail', to === undefined ? {} : { query: { to } });
  const found = Array.isArray(mails) ? mails.filter(isObject) : [];
  if (context.flags.output !== 'table') return printResult(context, { object: 'list', data: found, has_more: false });
  // The latest last: it is what one waits for.
  for (const mail of found.reverse()) {
    const head = ['to', 'subject', 'created_at'].map((name) => `${name}: ${printable(String(mail[name]))}`);
    const text = String(mail['text'] ?? '')
      .split('\n')
      .map((line) => `  ${printable(line)}`.trimEnd());
    await print(context, `${[...head, '', ...text].join('\n')}\n`);
  }
}
