import { ID_PREFIXES, type IdKind, isId } from '@plat/contract';
import { type CommandContext, note, print } from '../command/context.ts';
import { findServer } from '../connection/connection.ts';
import { readCredentials } from '../connection/credentials-file.ts';
import { CliError } from '../errors/cli-error.ts';
import { printResult } from '../output/result.ts';
import { openPage } from '../terminal/open-page.ts';
import { printable } from '../terminal/printable.ts';

/**
 * Prints the address of a page, and opens it if possible.
 * @throws {@link CliError} `USAGE` for a name or id without a page, `NO_BASE_URL`
 */
export async function runOpen(context: CommandContext, what: string, browser: boolean): Promise<void> {
  const { io, flags } = context;
  const path = pathOf(what);
  const { url: server } = await findServer(io, flags, await readCredentials(io));
  if (!/^https?:$/.test(URL.parse(server.value)?.protocol ?? '')) {
    throw new CliError('USAGE', `The base URL from ${server.from} is not an http or https URL`);
  }
  const url = `${server.value.replace(/\/+$/, '')}${path}`;
  if (flags.output === 'table' && !flags.fields) await print(context, `${printable(url)}\n`);
  else await printResult(context, { object: 'page', url });
  if (browser && !flags.json && openPage(io, url)) await note(context, 'Opened in your browser.');
}

function pathOf(what: string): string {
  if (what === 'console') return '/console';
  if (what === 'docs') return '/docs';
  const kind = KINDS.find((each) => isId(each, what));
  const page = kind && PAGES[kind];
  if (page !== undefined) return page.replace('{id}', what);
  const words = kind && COMMANDS[kind];
  throw new CliError('USAGE', `There is no page for ${what}`, {
    next: words
      ? `See it here: plat ${words} ${what}`
      : 'Pages: console, docs, and the ids of apps, keys and consents.',
  });
}

const KINDS = Object.keys(ID_PREFIXES) as readonly IdKind[];

/** Kind of object → its page of the console. */
const PAGES: { readonly [K in IdKind]?: string } = {
  app: '/console/apps/{id}',
  api_key: '/console/key',
  grant: '/console/consents',
  developer: '/console',
  developer_token: '/console',
  tenant: '/console',
};

/** Kind of object without a page → the command that shows it. */
const COMMANDS: { readonly [K in IdKind]?: string } = {
  client: 'clients get',
  group: 'groups get',
  user: 'users get',
  role: 'roles get',
  invoice: 'billing invoices get',
  audit_event: 'audit events get',
  request: 'requests get',
  webhook_endpoint: 'webhooks endpoints get',
  event: 'webhooks events get',
  webhook_delivery: 'webhooks deliveries get',
  webhook_replay: 'webhooks replays get',
};
