import { isId, LIMITS, type TraceSubject } from '@plat/contract';
import { ApiError } from '../kernel/api-error.ts';
import { ownerOfLocation } from '../resources/locations/locations.service.ts';
import { mayEnter } from './access.ts';
import { type ApiObject, idsOf, type PageOperation, readObject, readPage } from './api-operation.ts';
import { OBJECT_PAGES, type ObjectPage } from './data-links.ts';
import type { PageCall } from './page-route.ts';

/** Name of an object, and its page. */
export interface NamedObject {
  readonly name: string;
  /** Address of the page. */
  readonly href: string;
  /** Noun for the kind of the object. */
  readonly words: string;
}

/**
 * Finds an object by its id. Null for a kind without a page, an object that is gone, and an account that may not see
 * it.
 */
export async function namedObject(call: PageCall, { type, id }: TraceSubject): Promise<NamedObject | null> {
  const { base, prefix, session, ctx } = call;
  const owner = type === 'location' ? await ownerOfLocation(ctx, id) : null;
  const page = owner === null ? OBJECT_PAGES[type] : pageOfLocation(owner);
  if (!page || !mayEnter(session, page.room, 'read')) return null;
  const { path, get, named, words } = page;
  // The last id of the path is that of the object; a location has that of its owner before it.
  const ids = Object.fromEntries(idsOf(get).map((name, i, all) => [name, i === all.length - 1 ? id : (owner ?? '')]));
  const object = await readIfThere(call, get, ids);
  if (object === null) return null;
  return { name: String(object[named]), href: `${base}${prefix}${path}/${id}`, words };
}

/** Id → name and page of an object. */
export type References = ReadonlyMap<string, NamedObject>;

/** Reads the names of the objects that fields of others refer to. Each object is read once. */
export async function readReferences(call: PageCall, objects: readonly ApiObject[]): Promise<References> {
  const ids = new Map(
    objects.flatMap((object) =>
      REFERRED.flatMap((kind) => {
        const id = String(object[`${kind}_id`]);
        return isId(kind, id) ? [[id, kind] as const] : [];
      }),
    ),
  );
  const found = [...ids].map(async ([id, type]) => {
    const referred = await (type === 'plan' ? planOf(call, id) : namedObject(call, { type, id }));
    return referred === null ? [] : [[id, referred] as const];
  });
  return new Map((await Promise.all(found)).flat());
}

/** Kinds that fields of other objects refer to. */
const REFERRED = ['client', 'group', 'location', 'plan', 'invoice'] as const;

/** Plans have no pages: the list has all of each. */
async function planOf(call: PageCall, planId: string): Promise<NamedObject | null> {
  if (!mayEnter(call.session, 'catalog', 'read')) return null;
  const { data } = await readPage(call, 'plans.list', {}, { limit: LIMITS.page.max });
  const plan = data.find(({ id }) => id === planId);
  return plan === undefined
    ? null
    : { name: String(plan['name']), href: `${call.base}${call.prefix}/plans`, words: 'plan' };
}

function pageOfLocation(ownerId: string): ObjectPage {
  const room = isId('client', ownerId) ? 'clients' : 'groups';
  return {
    ...{ path: `/${room}/${ownerId}/locations`, room, get: `${room}.locations.get`, named: 'name', words: 'location' },
  };
}

async function readIfThere(call: PageCall, get: PageOperation, ids: PageCall['ids']): Promise<ApiObject | null> {
  try {
    return await readObject(call, get, ids);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
