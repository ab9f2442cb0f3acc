import type { HttpMethod } from '@plat/sdk';
import { confirm } from '../command/confirm.ts';
import { connect, connectDeveloper } from '../command/connect.ts';
import { type CommandContext, print } from '../command/context.ts';
import { requireSecretFieldOf } from '../command/shown-once.ts';
import { findConnection, findLogin } from '../connection/connection.ts';
import { CliError } from '../errors/cli-error.ts';
import { json, printResult } from '../output/result.ts';
import { printable } from '../terminal/printable.ts';
import { printCurl, printDryRun } from './dry-run.ts';
import { printAllPages } from './paginate.ts';
import { readData } from './read-data.ts';
import { bodyFromFields, splitPair, type TypedField } from './typed-fields.ts';

/** Arguments and options of `plat api`. */
export interface ApiInvocation {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly TypedField[];
  readonly data: string | undefined;
  readonly query: readonly string[];
  readonly include: boolean;
  /** Print all pages of a list. */
  readonly paginate: boolean;
  /** Print the request instead of sending it; `curl`: as a curl command. */
  readonly dryRun: boolean;
  readonly curl: boolean;
  readonly yes: boolean;
  readonly idempotencyKey: string | undefined;
}

/** Sends any request and prints the JSON of the response. The developer API takes the login, not the key. */
export async function runApi(context: CommandContext, given: ApiInvocation): Promise<void> {
  const method = readMethod(given.method);
  const path = readPath(given.path);
  const body = await readBody(context, given, method);
  const query = readQuery(given.query);
  refuseTogether(given, method);
  const { idempotencyKey } = given;
  const isDeveloper = path.startsWith('/developer/');
  if (given.dryRun || given.curl) {
    const connection = await (isDeveloper ? findLogin : findConnection)(context.io, context.flags);
    const shown = { method, path, query, body, idempotencyKey };
    return given.curl ? printCurl(context, connection, shown) : printDryRun(context, connection, shown);
  }
  requireSecretFieldOf(context, method, path);
  const platform = isDeveloper
    ? (await connectDeveloper(context)).developer
    : await connect(context, { changes: method !== 'GET' });
  if (method === 'DELETE') await confirm(context, given.yes, `Send DELETE ${path}?`);
  if (given.paginate) {
    await printAllPages(context, platform, path, query);
    return platform.close();
  }
  const { data, status, headers } = await platform
    .request(method, path, { query, body, ...(idempotencyKey !== undefined && { idempotencyKey }) })
    .withMeta();
  if (given.include && context.flags.json) await print(context, `${json({ status, headers, body: data })}\n`);
  else {
    if (given.include) await print(context, head(status, headers));
    await printResult(asJson(context), data);
  }
  platform.close();
}

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function readMethod(given: string): HttpMethod {
  const method = METHODS.find((name) => name === given.toUpperCase());
  if (method) return method;
  throw new CliError('USAGE', `${given} is not a method; methods are ${METHODS.join(', ')}`);
}

function refuseTogether({ paginate, include, dryRun, curl }: ApiInvocation, method: HttpMethod): void {
  if (paginate && method !== 'GET') throw new CliError('USAGE', '--paginate is for GET');
  if (paginate && include) throw new CliError('USAGE', '--paginate and --include exclude each other');
  if (dryRun && curl) throw new CliError('USAGE', '--dry-run and --curl exclude each other');
}

function readPath(given: string): string {
  if (/^[a-z]+:\/\//i.test(given)) {
    throw new CliError('USAGE', 'Pass the path only: the key must not be sent to another server', {
      next: 'Choose the server with --base-url or PLAT_BASE_URL.',
    });
  }
  return given.startsWith('/') ? given : `/${given}`;
}

function readQuery(pairs: readonly string[]): Record<string, string> {
  const query: Record<string, string> = {};
  for (const pair of pairs) {
    const [name, value] = splitPair('--query', pair);
    if (Object.hasOwn(query, name)) throw new CliError('USAGE', `--query: ${name} is given twice`);
    query[name] = value;
  }
  return query;
}

async function readBody(
  { io }: CommandContext,
  { fields, data }: ApiInvocation,
  method: HttpMethod,
): Promise<object | undefined> {
  if (fields.length === 0 && data === undefined) return undefined;
  if (fields.length > 0 && data !== undefined) throw new CliError('USAGE', '--field and --data exclude each other');
  if (method === 'GET') throw new CliError('USAGE', 'GET has no body; use --query name=value');
  return data === undefined ? bodyFromFields(io, fields) : readData(io, data);
}

/** Defaults to JSON, since the shape of the response is unknown. */
function asJson(context: CommandContext): CommandContext {
  if (context.flags.output !== 'table') return context;
  return { ...context, flags: { ...context.flags, json: true, output: 'json' } };
}

function head(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => printable(`${name}: ${value}`));
  return `HTTP ${status}\n${lines.join('\n')}\n\n`;
}
