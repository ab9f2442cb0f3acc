import { type ApiObject, filledPath, idsOf, readObject } from './api-operation.ts';
import type { Collection } from './data-collections.ts';
import type { Entry } from './layout.ts';
import type { PageCall } from './page-route.ts';
import { labelOf } from './parts/label.ts';

/** Returns the name of an object; its id if it has none. */
export function nameOf(collection: Collection, object: ApiObject): string {
  return String(object[collection.named] ?? rowIdOf(collection, object));
}

/** Returns the name of a row, which may be that of the object that it stands for. */
export async function readName(call: Pick<PageCall, 'ctx'>, collection: Collection, row: ApiObject): Promise<string> {
  const { standsFor } = collection;
  if (!standsFor) return nameOf(collection, row);
  const { get, named } = standsFor;
  const read = () => readObject(call, get, { [idsOf(get)[0] ?? '']: rowIdOf(collection, row) });
  return String(row[named] ?? (await read())[named]);
}

/** Returns the id of a row: the last parameter of its path. A membership has the id of its client. */
export function rowIdOf({ get }: Collection, object: ApiObject): string {
  return String(object['id'] ?? (get && object[idsOf(get).at(-1) ?? '']));
}

/** Parents of the page of an object: its list, and for a nested one the object that it belongs to. */
export function trailOf({ prefix, ids }: Pick<PageCall, 'prefix' | 'ids'>, collection: Collection): readonly Entry[] {
  const { list, many } = collection;
  const path = prefix + filledPath(list, ids);
  const top = prefix + navOf(collection);
  const own = { path, words: labelOf(many) };
  return top === path ? [own] : [{ path: top, words: labelOf(top.split('/').at(-1) ?? '') }, own];
}

/** Returns the path of the navigation entry of a collection: `/clients` of the locations of a client. */
export function navOf({ nav, list }: Collection): string {
  const ids = Object.fromEntries(idsOf(list).map((id) => [id, ':']));
  return nav ?? filledPath(list, ids).split('/:')[0] ?? '/';
}
