import { isId } from '@plat/contract';
import { refusal } from '../http/validate.ts';
import { type ApiObject, readPage } from './api-operation.ts';
import type { PageCall } from './page-route.ts';
import { equals, SCANNED_ROWS, scan } from './parts/scan.ts';

/** Clients that a refusal names. */
const MOST = 5;

/**
 * Returns the id of the client that a person entered by its id, slug or name. Names are compared with those of the
 * newest clients. A slug takes precedence over the names of older clients. Another text that can mean several clients is
 * refused, because the client decides what a user may see.
 * @throws {@link ApiError} INVALID_BODY
 */
export async function enteredClient(call: Pick<PageCall, 'ctx'>, entered: string): Promise<string> {
  const text = entered.trim();
  if (text === '' || isId('client', text)) return text;
  const [named, withSlug] = await Promise.all([
    scan<ApiObject>((page) => readPage(call, 'clients.list', {}, page), idOf, nameIs(text), {}),
    clientOfSlug(call, text),
  ]);
  const found = new Map([...(withSlug ? [withSlug] : []), ...named.data].map((client) => [idOf(client), client]));
  const [first, second] = found.keys();
  if (first !== undefined && second === undefined && (withSlug || !named.hasMore)) return first;
  const clients = [...found].slice(0, MOST).map(([id, { slug }]) => `${id} (${slug})`);
  throw refusal('INVALID_BODY', [{ path: 'client_id', message: problemOf(clients, named.hasMore) }]);
}

/** Returns the client of the tenant that has a slug. */
export async function clientOfSlug(call: Pick<PageCall, 'ctx'>, slug: string): Promise<ApiObject | undefined> {
  return (await readPage(call, 'clients.list', {}, { slug, limit: 1 })).data[0];
}

function problemOf(clients: readonly string[], hasOlder: boolean): string {
  if (clients.length > 1) return `can mean several clients. Enter the id of one: ${clients.join(', ')}`;
  if (!hasOlder) return 'must be the id, the slug or the name of a client';
  const ones = clients.length === 0 ? '' : `, such as ${clients[0]}`;
  const newest = SCANNED_ROWS.toLocaleString('en');
  return `can be the name of a client beyond the newest ${newest}. Enter an id or a slug${ones}`;
}

function nameIs(text: string): (client: ApiObject) => boolean {
  const isText = equals(text);
  return ({ name }) => isText(name);
}

function idOf({ id }: ApiObject): string {
  return String(id);
}
