import { isId, LIMITS, type TraceSubject } from '@plat/contract';
import { ApiError } from '../kernel/api-error.ts';
import { ownerOfLocation } from '../resources/locations/locations.service.ts';
import { mayEnter, type Room } from './access.ts';
import { type ApiObject, filledPath, idsOf, type PageOperation, readObject, readPage } from './api-operation.ts';
import type { PageCall } from './page-route.ts';

/** A kind of object with a page, and the field that names the object. */
interface Kind {
  readonly room: Room;
  readonly get: PageOperation;
  readonly named: string;
  /** Folder of the page, if the path of the operation is another one. */
  readonly folder?: string;
  readonly words: string;
}

const KINDS: Readonly<Partial<Record<TraceSubject['type'], Kind>>> = {
  client: { room: 'clients', get: 'clients.get', named: 'name', words: 'client' },
  group: { room: 'groups', get: 'groups.get', named: 'name', words: 'group' },
  user: { room: 'users', get: 'users.get', named: 'email', words: 'user' },
  role: { room: 'roles', get: 'roles.get', named: 'title', words: 'role' },
  invoice: { room: 'billing', get: 'billing.invoices.get', named: 'number', words: 'invoice' },
  event: { room: 'events', get: 'webhooks.events.get', named: 'type', folder: '/events', words: 'event' },
  webhook_endpoint: {
    ...{ room: 'webhooks', get: 'webhooks.endpoints.get', named: 'url', folder: '/webhooks', words: 'endpoint' },
  },
  webhook_replay: { room: 'webhooks', get: 'webhooks.replays.get', named: 'id', words: 'replay' },
};

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
  const kind = owner === null ? KINDS[type] : kindOfLocation(owner);
  if (!kind || !mayEnter(session, kind.room, 'read')) return null;
  const { get, named, folder, words } = kind;
  // The last id of the path is that of the object; a location has that of its owner before it.
  const ids = Object.fromEntries(idsOf(get).map((name, i, all) => [name, i === all.length - 1 ? id : (owner ?? '')]));
  const object = await readIfThere(call, get, ids);
  if (object === null) return null;
  const path = folder === undefined ? filledPath(get, ids) : `${folder}/${id}`;
  return { name: String(object[named]), href: `${base}${prefix}${path}`, words };
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

function kindOfLocation(ownerId: string): Kind {
  const room = isId('client', ownerId) ? 'clients' : 'groups';
  return { room, get: `${room}.locations.get`, named: 'name', words: 'location' };
}

async function readIfThere(call: PageCall, get: PageOperation, ids: PageCall['ids']): Promise<ApiObject | null> {
  try {
    return await readObject(call, get, ids);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
