import type { Deleted, ErrorCode, List, ListParams, OperationName, OperationTypes } from '@plat/contract';
import { type IdKind, isId, LIMITS } from '@plat/contract';
import { firstMsFrom } from '@plat/contract/schemas';
import type { Credential } from './gate.ts';
import { invalid, Refusal } from './refusal.ts';
import type { World } from './world.ts';

/** A call of an operation after authentication and validation. */
export interface Call<O extends OperationName = OperationName> {
  readonly path: OperationTypes[O]['path'];
  readonly query: OperationTypes[O]['query'];
  readonly body: OperationTypes[O]['body'];
  /** The path of the request, without its query. */
  readonly url: string;
  /** Base URL of the mock. */
  readonly baseUrl: string;
  readonly requestId: string;
  readonly credential: Credential;
  readonly world: World;
  /** Unix time in ms. */
  readonly now: number;
}

/** Handler of an operation. */
export type Answer<O extends OperationName> = (call: Call<O>) => OperationTypes[O]['response'];

/** Handlers by operation. */
export type Answers<O extends OperationName = OperationName> = { readonly [K in O]: Answer<K> };

/** Returns the row with this id. @throws {@link Refusal} the given code */
export function find<T>(rows: ReadonlyMap<string, T>, id: string, missing: ErrorCode): T {
  const row = rows.get(id);
  if (row === undefined) throw new Refusal(missing);
  return row;
}

interface Listing {
  readonly url: string;
  readonly query: ListParams;
}

/** Returns a page of rows, newest first. @throws {@link Refusal} INVALID_CURSOR, INVALID_REQUEST */
export function page<T>({ url, query }: Listing, kind: IdKind, rows: Iterable<T>, idOf: (row: T) => string): List<T> {
  const { limit = LIMITS.page.default, starting_after: after, ending_before: before } = query;
  if (after !== undefined && before !== undefined) {
    const message = 'give starting_after or ending_before, not both';
    throw invalid('INVALID_REQUEST', [{ path: 'ending_before', message }]);
  }
  for (const cursor of [after, before]) {
    if (cursor !== undefined && !isId(kind, cursor)) throw new Refusal('INVALID_CURSOR');
  }
  const within = [...rows]
    .filter((row) => (after === undefined || idOf(row) < after) && (before === undefined || idOf(row) > before))
    .sort((a, b) => (idOf(a) < idOf(b) ? 1 : -1));
  const data = before === undefined ? within.slice(0, limit) : within.slice(-limit);
  return { object: 'list', data, has_more: within.length > limit, url };
}

/** Returns a page of rows that have ids. */
export function pageById<T extends { readonly id: string }>(call: Listing, kind: IdKind, rows: Iterable<T>): List<T> {
  return page(call, kind, rows, ({ id }) => id);
}

/** Returns the rows whose fields equal the filters. An undefined filter matches every row. */
export function matching<T extends object>(
  rows: ReadonlyMap<string, T>,
  filters: { readonly [K in keyof T]?: T[K] | undefined },
): T[] {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return [...rows.values()].filter((row) => given.every(([name, value]) => Reflect.get(row, name) === value));
}

/** Filters rows by creation time; both bounds are exclusive. */
export function createdWithin(
  at: string,
  { created_after: after, created_before: before }: { created_after?: string; created_before?: string },
): boolean {
  const ms = Date.parse(at);
  return (after === undefined || ms > Date.parse(after)) && (before === undefined || ms < firstMsFrom(before));
}

/** Returns the time of a change: now, but always after the last change of the object. */
export function laterThan(last: string, now: number): string {
  return new Date(Math.max(now, Date.parse(last) + 1)).toISOString();
}

/** Returns the response of a DELETE. */
export function deleted<K extends string>(object: K, id: string): Deleted<K> {
  return { object, id, deleted: true };
}
